package io.filament.sink;

import java.util.Objects;

/**
 * What a {@link Sink#write} has done. It is no promise of durability: only a commit is.
 *
 * @param resource the resource's name
 * @param rows the rows of this batch
 * @param uri where the resource's object will be, as {@code s3://bucket/key}
 * @param encodedBytes the bytes of the object so far, as they leave the encoder and the compressor;
 *     what these still buffer is not counted
 * @param bytesLeft how far the object may still grow beyond {@code encodedBytes}: until it has as
 *     many parts of {@code part_size_mib} as a store takes; {@link Long#MAX_VALUE} if nothing
 *     limits it. The bytes after these fail the run
 */
public record WriteReceipt(
    String resource, long rows, String uri, long encodedBytes, long bytesLeft) {

  public WriteReceipt {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(uri, "uri");
    if (rows < 0 || encodedBytes < 0 || bytesLeft < 0) {
      throw new IllegalArgumentException(
          "rows, encodedBytes and bytesLeft must not be negative: %d, %d, %d"
              .formatted(rows, encodedBytes, bytesLeft));
    }
  }

  /** Makes the receipt of an object whose size nothing limits. */
  public WriteReceipt(String resource, long rows, String uri, long encodedBytes) {
    this(resource, rows, uri, encodedBytes, Long.MAX_VALUE);
  }
}
