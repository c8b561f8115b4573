package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.StagedPart;

/**
 * How an object is cut into parts.
 *
 * @param partSizeBytes the size of every part but the last
 * @param maxParts the most parts of an object
 * @param leastBytes from which size on a part may be sent before it is full, if memory is scarce
 * @param equalParts whether all parts of an object but the last must have one size
 */
public record PartLimits(long partSizeBytes, int maxParts, long leastBytes, boolean equalParts) {

  /** The least that S3 takes for a part that is not the last. */
  private static final long S3_LEAST_BYTES = 5L << 20;

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

  /** Returns limits with equal parts of this size, and as many of them as S3 takes. */
  public static PartLimits ofPartSize(long partSizeBytes) {
    return new PartLimits(partSizeBytes, StagedPart.MAX_NUMBER, S3_LEAST_BYTES, true);
  }

  /** The same for a store whose parts may differ in size. */
  public PartLimits withUnequalParts() {
    return new PartLimits(partSizeBytes, maxParts, leastBytes, false);
  }

  /**
   * Returns whether a part that is not full may be sent. Where parts must be equal, only the first
   * may, and the others get its size. Elsewhere the second half of an object's parts is kept for
   * full ones, so that memory that is scarce now and then makes no object impossible.
   *
   * @param sentParts how many parts the object has already
   */
  boolean mayBeSentEarly(long bytes, int sentParts) {
    return bytes >= leastBytes && (equalParts ? sentParts == 0 : sentParts < maxParts / 2);
  }
}
