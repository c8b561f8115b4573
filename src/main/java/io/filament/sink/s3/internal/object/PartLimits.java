package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.StagedPart;

/**
 * How an object is cut into parts.
 *
 * @param partSizeBytes the size of every part but the last
 * @param maxParts the most parts of an object
 * @param leastBytes from which size on a part may be sent before it is full, if memory is scarce
 * @param equalParts whether all parts of an object but the last must have one size
 * @param lowered whether the size is less than is set, since memory can't hold such parts
 */
public record PartLimits(
    long partSizeBytes, int maxParts, long leastBytes, boolean equalParts, boolean lowered) {

  /** The least that S3 takes for a part that is not the last. */
  private static final long S3_LEAST_BYTES = 5L << 20;

  private static final long MIB = 1 << 20;

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

  /** Returns limits with parts of the size that is set. */
  public PartLimits(long partSizeBytes, int maxParts, long leastBytes, boolean equalParts) {
    this(partSizeBytes, maxParts, leastBytes, equalParts, false);
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
   * Returns limits whose parts fit into memory; the same ones if one full part does. A part that
   * never fits could only be sent early: where parts may differ, that ends at half of their number,
   * and where they must be equal, the first takes what is there when memory is short, which may be
   * most of it, and the next ones find no room of that size beside other resources. So a part has
   * all that there is, and one of equal parts its resource's share.
   *
   * @param bytes what there is for parts
   * @param resources how many resources are declared; if none is, any number may come
   */
  public PartLimits within(long bytes, int resources) {
    if (partSizeBytes <= bytes) {
      return this;
    }
    long share = resources == 0 ? 0 : bytes / resources;
    long room = (equalParts ? share : bytes) / MIB * MIB;
    long fitting = Math.min(partSizeBytes, Math.max(leastBytes, room));
    return new PartLimits(fitting, maxParts, leastBytes, equalParts, fitting < partSizeBytes);
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
