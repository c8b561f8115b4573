package io.filament.sink.s3.internal.store;

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
}
