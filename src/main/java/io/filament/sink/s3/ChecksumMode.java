package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.S3Location;
import io.filament.sink.s3.internal.store.SdkObjectStore;

/** Which checksums the store is asked to check and to keep. */
public enum ChecksumMode {
  /** The strongest that the store is found to have. */
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

  /**
   * Returns the bucket as this mode says.
   *
   * @param probe where an upload goes that finds out what suits the store
   */
  ObjectStore applied(SdkObjectStore store, S3Location probe) {
    return switch (this) {
      case AUTO -> store.probedAt(probe.key());
      case FULL_OBJECT -> store.at(ChecksumLevel.FULL_OBJECT);
      case COMPOSITE -> store.at(ChecksumLevel.COMPOSITE);
      case NONE -> store.at(ChecksumLevel.NONE);
    };
  }
}
