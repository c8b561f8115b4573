package io.filament.sink;

/** How far a connection test goes. */
public enum ConnectionLevel {
  /** Asks, and changes nothing. */
  READ,
  /**
   * Writes what is invisible and takes it away again: nothing is left, unless the report names it.
   */
  WRITE
}
