package io.filament.sink.s3.internal.object;

import io.filament.sink.SinkListener;
import io.filament.sink.s3.internal.store.ObjectStore;
import java.util.Objects;

/**
 * What all objects of a run share.
 *
 * @param store where they go
 * @param requests makes their requests
 * @param failure gets the first failure of any of them
 * @param listener hears of their parts; it never throws
 */
public record UploadContext(
    ObjectStore store, RequestPool requests, FirstFailure failure, SinkListener listener) {

  public UploadContext {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(failure, "failure");
    Objects.requireNonNull(listener, "listener");
  }
}
