package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkEvent.RequestRetried;

/** Hears what the requests to a store go through, each on the thread of its request. */
@FunctionalInterface
public interface RequestObserver {

  /** The store asks for fewer requests, or the client has no connection for one. */
  void slowDown();

  /** The client has so many connections. Told again and again. */
  default void connections(int count) {}

  /** A request will be made again, after a pause. */
  default void retried(RequestRetried event) {}
}
