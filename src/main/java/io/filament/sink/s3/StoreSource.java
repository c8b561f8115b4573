package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.RequestObserver;
import io.filament.sink.s3.internal.store.RunKeys;
import java.io.IOException;

/** Gives a run its store. */
interface StoreSource {

  /**
   * Returns the bucket.
   *
   * @param keys the keys of the run
   * @param observer hears what its requests go through
   */
  ObjectStore store(RunKeys keys, RequestObserver observer) throws IOException;

  /** Frees what belongs to the sink; idempotent. */
  default void close() {}
}
