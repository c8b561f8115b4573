package io.filament.sink.bench;

/** One of two programs that do the same work. */
@FunctionalInterface
interface Side {

  /** Does the work once. */
  void run() throws Exception;
}
