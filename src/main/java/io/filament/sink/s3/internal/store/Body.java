package io.filament.sink.s3.internal.store;

import java.io.InputStream;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The bytes of one request.
 *
 * @param content gives a stream of all bytes from the first, as often as an attempt (or a
 *     signature) needs one; the bytes don't change before the request is over
 * @param length how many bytes there are
 * @param crc32c their checksum
 */
public record Body(Supplier<InputStream> content, long length, Crc32c crc32c) {

  public Body {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(crc32c, "crc32c");
    if (length < 0) {
      throw new IllegalArgumentException("length must not be negative: " + length);
    }
  }
}
