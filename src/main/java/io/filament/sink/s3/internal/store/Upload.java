package io.filament.sink.s3.internal.store;

import java.util.Objects;

/**
 * A multipart upload that was started and is neither completed nor aborted.
 *
 * @param key the object's key
 * @param id the store's id of the upload
 */
public record Upload(String key, String id) {

  public Upload {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(id, "id");
  }
}
