package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.StagedPart;

/**
 * How an object is cut into parts.
 *
 * @param partSizeBytes the size of every part but the last
 * @param maxParts the most parts of an object
 */
public record PartLimits(long partSizeBytes, int maxParts) {

  public PartLimits {
    if (partSizeBytes < 1) {
      throw new IllegalArgumentException("partSizeBytes must be at least 1: " + partSizeBytes);
    }
    if (maxParts < 1 || maxParts > StagedPart.MAX_NUMBER) {
      throw new IllegalArgumentException(
          "maxParts must be 1 to " + StagedPart.MAX_NUMBER + ": " + maxParts);
    }
  }

  /** Returns limits with parts of this size, and as many of them as S3 takes. */
  public static PartLimits ofPartSize(long partSizeBytes) {
    return new PartLimits(partSizeBytes, StagedPart.MAX_NUMBER);
  }
}
