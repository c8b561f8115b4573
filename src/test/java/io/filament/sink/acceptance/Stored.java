package io.filament.sink.acceptance;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;

/** What a reader makes of an object's bytes. */
final class Stored {

  private Stored() {}

  /** Returns the CRC-32C in 8 hex digits. */
  static String crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return String.format("%08x", crc.getValue());
  }

  /** Returns the bytes that a compressed stream, or a plain one, stands for. */
  static byte[] decode(String compression, byte[] stored) {
    try {
      return switch (compression) {
        case "none" -> stored;
        case "gzip" -> new GZIPInputStream(new ByteArrayInputStream(stored)).readAllBytes();
        case "zstd" -> new ZstdInputStream(new ByteArrayInputStream(stored)).readAllBytes();
        default -> throw new IllegalArgumentException(compression);
      };
    } catch (IOException e) {
      throw new UncheckedIOException("no valid " + compression + " stream", e);
    }
  }
}
