package io.filament.sink.bench;

/** Ours and the peer's program, ready to run. */
record Sides(Side ours, Side peer) {

  /** Makes both sides; called in the JVM that measures them. */
  @FunctionalInterface
  interface Maker {

    Sides make(Options options) throws Exception;
  }
}
