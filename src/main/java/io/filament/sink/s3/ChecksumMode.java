package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ChecksumLevel;

/** Which checksums the store is asked to check and to keep. */
public enum ChecksumMode {
  /** What suits the store. */
  AUTO("auto"),
  /** A CRC-32C of each part and of the whole object. */
  FULL_OBJECT("full_object"),
  /** A CRC-32C of each part, and one of these. */
  COMPOSITE("composite"),
  /** No CRC-32C; {@code Content-MD5} and ETags in its place. */
  NONE("none");

  private final String label;

  ChecksumMode(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration. */
  public String label() {
    return label;
  }

  ChecksumLevel level() {
    return switch (this) {
      case AUTO, FULL_OBJECT -> ChecksumLevel.FULL_OBJECT;
      case COMPOSITE -> ChecksumLevel.COMPOSITE;
      case NONE -> ChecksumLevel.NONE;
    };
  }
}
