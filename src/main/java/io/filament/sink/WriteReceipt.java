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
 */
public record WriteReceipt(String resource, long rows, String uri, long encodedBytes) {

  public WriteReceipt {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(uri, "uri");
    if (rows < 0 || encodedBytes < 0) {
      throw new IllegalArgumentException(
          "rows and encodedBytes must not be negative: " + rows + ", " + encodedBytes);
    }
  }
}
