package io.filament.sink.s3;

/** What is asked of a store's conditional writes, which keep two writers of one run apart. */
public enum ConditionalWrites {
  /** Objects and manifest are written under a condition where the store takes it. */
  AUTO("auto"),
  /**
   * {@code open} finds out whether puts honour the condition, with an object of one byte that it
   * deletes again. A store whose puts don't, or that doesn't let it be found out, is warned of.
   */
  PROBE("probe"),
  /** As {@link #PROBE}, but such a store is refused. */
  REQUIRE("require");

  private final String label;

  ConditionalWrites(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration. */
  public String label() {
    return label;
  }
}
