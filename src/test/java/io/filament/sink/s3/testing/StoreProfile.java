package io.filament.sink.s3.testing;

import java.util.Objects;

/**
 * What a store can do.
 *
 * @param leastPartBytes the least size of a part that is not the last
 */
public record StoreProfile(Checksums checksums, Conditions conditions, long leastPartBytes) {

  /** What a store makes of checksums. */
  public enum Checksums {
    /** Checks those of bodies, and keeps the one of the whole object or of the parts. */
    FULL_OBJECT,
    /** The same, and refuses a body that comes with neither a CRC-32C nor an MD5. */
    REQUIRED,
    /** Checks those of bodies, and keeps only that of the parts. */
    COMPOSITE,
    /** Takes every value, checks none, keeps none; MD5s included. */
    IGNORED,
    /** Answers 400 to a request that names one; checks MD5s. */
    INVALID,
    /** Answers 501 to a request that names one; checks MD5s. */
    NOT_IMPLEMENTED
  }

  /** What a store makes of {@code If-None-Match} and {@code If-Match} in writes. */
  public enum Conditions {
    HONOURED,
    IGNORED,
    /** Answers 501. */
    NOT_IMPLEMENTED
  }

  /** S3 itself. */
  public static final StoreProfile S3 =
      new StoreProfile(Checksums.FULL_OBJECT, Conditions.HONOURED, 5L << 20);

  public StoreProfile {
    Objects.requireNonNull(checksums, "checksums");
    Objects.requireNonNull(conditions, "conditions");
  }

  /** Returns the same with other checksums. */
  public StoreProfile with(Checksums other) {
    return new StoreProfile(other, conditions, leastPartBytes);
  }

  /** Returns the same with other conditions. */
  public StoreProfile with(Conditions other) {
    return new StoreProfile(checksums, other, leastPartBytes);
  }

  /** Returns the same with another least size of parts. */
  public StoreProfile withPartsOfAtLeast(long bytes) {
    return new StoreProfile(checksums, conditions, bytes);
  }

  boolean checks() {
    return checksums != Checksums.IGNORED;
  }

  boolean keepsChecksums() {
    return checksums == Checksums.FULL_OBJECT
        || checksums == Checksums.REQUIRED
        || checksums == Checksums.COMPOSITE;
  }
}
