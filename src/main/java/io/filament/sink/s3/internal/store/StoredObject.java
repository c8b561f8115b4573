package io.filament.sink.s3.internal.store;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the store says of an object.
 *
 * @param length its size
 * @param crc32c the checksum of the whole object, if the store gives one (a composite one is none)
 * @param metadata its user metadata, names in lower case
 */
public record StoredObject(long length, Optional<Crc32c> crc32c, Map<String, String> metadata) {

  public StoredObject {
    Objects.requireNonNull(crc32c, "crc32c");
    metadata = Map.copyOf(metadata);
  }
}
