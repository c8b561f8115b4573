package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.S3Location;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import java.util.Optional;

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

  /** Returns the level that this mode sets; empty if the store is asked for it. */
  Optional<ChecksumLevel> level() {
    return switch (this) {
      case AUTO -> Optional.empty();
      case FULL_OBJECT -> Optional.of(ChecksumLevel.FULL_OBJECT);
      case COMPOSITE -> Optional.of(ChecksumLevel.COMPOSITE);
      case NONE -> Optional.of(ChecksumLevel.NONE);
    };
  }

  /**
   * Returns the bucket as this mode says.
   *
   * @param probe where an upload goes that finds out what suits the store
   */
  ObjectStore applied(SdkObjectStore store, S3Location probe) {
    Optional<ChecksumLevel> level = level();
    return level.isPresent() ? store.at(level.get()) : store.probedAt(probe.key());
  }
}
