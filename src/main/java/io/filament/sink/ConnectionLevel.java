package io.filament.sink;

/** How far a connection test goes. */
public enum ConnectionLevel {
  /** Asks, and changes nothing. */
  READ,
  /**
   * Writes, and takes away again what it has made, an object of the smallest size included: nothing
   * is left, unless the report names it.
   */
  WRITE
}
