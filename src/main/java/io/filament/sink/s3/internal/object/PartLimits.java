package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.StagedPart;

/**
 * How an object is cut into parts.
 *
 * @param partSizeBytes the size of every part but the last
 * @param maxParts the most parts of an object
 * @param leastBytes from which size on a part may be sent before it is full, if memory is scarce
 */
public record PartLimits(long partSizeBytes, int maxParts, long leastBytes) {

  /** The least that S3 takes for a part that is not the last. */
  private static final long S3_LEAST_BYTES = 5L << 20;

  /** Where all parts but the last must have the same size. */
  private static final long NEVER = Long.MAX_VALUE;

  public PartLimits {
    if (partSizeBytes < 1) {
      throw new IllegalArgumentException("partSizeBytes must be at least 1: " + partSizeBytes);
    }
    if (maxParts < 1 || maxParts > StagedPart.MAX_NUMBER) {
      throw new IllegalArgumentException(
          "maxParts must be 1 to " + StagedPart.MAX_NUMBER + ": " + maxParts);
    }
    if (leastBytes < 1) {
      throw new IllegalArgumentException("leastBytes must be at least 1: " + leastBytes);
    }
  }

  /** Returns limits with parts of this size, and as many of them as S3 takes. */
  public static PartLimits ofPartSize(long partSizeBytes) {
    return new PartLimits(partSizeBytes, StagedPart.MAX_NUMBER, NEVER);
  }

  /** The same for a store whose parts may differ in size. */
  public PartLimits withUnequalParts() {
    return new PartLimits(partSizeBytes, maxParts, S3_LEAST_BYTES);
  }

  /**
   * Returns whether a part that is not full may be sent. The second half of an object's parts is
   * kept for full ones, so that memory that is scarce now and then makes no object impossible.
   *
   * @param sentParts how many parts the object has already
   */
  boolean mayBeSentEarly(long bytes, int sentParts) {
    return bytes >= leastBytes && sentParts < maxParts / 2;
  }
}
