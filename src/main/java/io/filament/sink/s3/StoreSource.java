package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.RunKeys;
import java.io.IOException;

/** Gives a run its store. */
interface StoreSource {

  /**
   * Returns the bucket.
   *
   * @param keys the keys of the run
   * @param slowDown hears each answer that asks to slow down
   */
  ObjectStore store(RunKeys keys, Runnable slowDown) throws IOException;

  /** Frees what belongs to the sink; idempotent. */
  default void close() {}
}
