package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkEvent.RequestRetried;

/** Hears what the requests to a store go through, each on the thread of its request. */
@FunctionalInterface
public interface RequestObserver {

  /** The store asks for fewer requests. */
  void slowDown();

  /** A request will be made again, after a pause. */
  default void retried(RequestRetried event) {}
}
