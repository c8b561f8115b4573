package io.filament.sink.acceptance;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;

/** What a reader makes of an object's bytes. */
final class Stored {

  private Stored() {}

  /** Returns the CRC-32C in 8 hex digits, as a manifest holds it. */
  static String crc32c(byte[] bytes) {
    return HexFormat.of().formatHex(crc32cBytes(bytes));
  }

  /** Returns the CRC-32C as S3's headers hold it. */
  static String crc32cInBase64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(crc32cBytes(bytes));
  }

  private static byte[] crc32cBytes(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
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
