package io.filament.sink.bench;

/**
 * What is measured in a JVM of its own.
 *
 * @param name ours and the peer's name, with a slash between
 * @param target the least ratio of the peer's time to ours that is aimed at; 0 if none is
 * @param unit whether the target is for processor or wall time
 * @param sides makes both
 */
record Pair(String name, double target, Unit unit, Sides.Maker sides) {

  enum Unit {
    CPU,
    WALL
  }
}
