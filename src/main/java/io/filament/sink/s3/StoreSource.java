package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ObjectStore;
import java.io.IOException;

/** Gives a run its store. */
interface StoreSource {

  ObjectStore store() throws IOException;

  /** Frees what belongs to the sink; idempotent. */
  default void close() {}
}
