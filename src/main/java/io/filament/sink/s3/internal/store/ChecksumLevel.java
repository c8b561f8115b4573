package io.filament.sink.s3.internal.store;

/** How a store can be made to check what it gets, and to show what it has. */
public enum ChecksumLevel {
  /** It checks the CRC-32C of each part and of the whole object, and keeps the latter. */
  FULL_OBJECT("full_object"),
  /** It checks the CRC-32C of each part and keeps one of the parts' checksums. */
  COMPOSITE("composite"),
  /** It knows no CRC-32C; {@code Content-MD5} and ETags take its place. */
  NONE("none");

  private final String label;

  ChecksumLevel(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration and in a manifest. */
  public String label() {
    return label;
  }
}
