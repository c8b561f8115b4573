package io.filament.sink.s3.internal.store;

import java.util.List;
import java.util.Objects;

/**
 * A part that the store has taken.
 *
 * @param number its number, 1 to 10,000
 * @param etag what the store calls it
 * @param length its size
 * @param crc32c its checksum
 */
public record StagedPart(int number, String etag, long length, Crc32c crc32c) {

  /** The highest part number of S3 (S3 User Guide, multipart upload limits). */
  public static final int MAX_NUMBER = 10_000;

  public StagedPart {
    Objects.requireNonNull(etag, "etag");
    Objects.requireNonNull(crc32c, "crc32c");
    if (number < 1 || number > MAX_NUMBER) {
      throw new IllegalArgumentException("a part's number is 1 to " + MAX_NUMBER + ": " + number);
    }
  }

  /**
   * Refuses a list that is empty or whose numbers are not 1, 2, 3, …: some stores complete an
   * upload with a gap, and the object is then short without an error.
   */
  public static void requireComplete(List<StagedPart> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("an upload is completed with at least one part");
    }
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).number() != i + 1) {
        throw new IllegalArgumentException(
            "part " + (i + 1) + " of " + parts.size() + " has number " + parts.get(i).number());
      }
    }
  }
}
