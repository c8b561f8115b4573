package io.filament.sink.s3;

/** What is asked of a store's conditional writes, which keep two writers of one run apart. */
public enum ConditionalWrites {
  /** The manifest is put under a condition where the store takes it; answers show the rest. */
  AUTO("auto"),
  /** As {@link #AUTO}; {@code open} finds out whether the store honours the condition. */
  PROBE("probe"),
  /** As {@link #PROBE}; {@code open} refuses a store that doesn't, or doesn't show it. */
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
