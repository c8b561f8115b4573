package io.filament.sink.s3.internal.store;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A CRC-32C (Castagnoli) checksum.
 *
 * @param value its 32 bits
 */
public record Crc32c(int value) {

  /** The checksum of nothing. */
  public static final Crc32c EMPTY = new Crc32c(0);

  /** Castagnoli's polynomial with its bits reversed (RFC 3720, appendix B.4). */
  private static final int POLYNOMIAL = 0x82f63b78;

  private static final int ONE = 1 << 31;
  private static final int X_TO_THE_8TH = ONE >>> 8;

  /** Returns the checksum that {@code crc} has arrived at. */
  public static Crc32c of(CRC32C crc) {
    return new Crc32c((int) crc.getValue());
  }

  /** Returns the checksum of these bytes. */
  public static Crc32c of(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return of(crc);
  }

  /** Reads the form of the header {@code x-amz-checksum-crc32c}: base64 of 4 big-endian bytes. */
  public static Crc32c fromBase64(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    if (bytes.length != Integer.BYTES) {
      throw new IllegalArgumentException(
          "a CRC-32C has 4 bytes, not " + bytes.length + ": " + text);
    }
    return new Crc32c(ByteBuffer.wrap(bytes).getInt());
  }

  /**
   * Reads what a store answered. Nothing, a composite checksum ({@code AAAAAA==-2}, over the parts'
   * checksums), and what is no CRC-32C can't be compared with one of the whole object.
   */
  static Optional<Crc32c> ofAnswer(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(fromBase64(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the checksum of these bytes and others after them, without looking at any of them
   * again: a byte more multiplies the remainder by x to the power of 8, modulo the polynomial.
   *
   * @param next the checksum of the others
   * @param nextLength how many these are
   */
  public Crc32c then(Crc32c next, long nextLength) {
    int power = ONE;
    int square = X_TO_THE_8TH;
    for (long left = nextLength; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        power = product(power, square);
      }
      square = product(square, square);
    }
    return new Crc32c(product(power, value) ^ next.value);
  }

  /** Multiplies two polynomials, whose highest coefficient is the lowest bit, modulo the third. */
  private static int product(int one, int other) {
    int sum = 0;
    int shifted = other;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      if ((one & bit) != 0) {
        sum ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
    }
    return sum;
  }

  /** Returns the form of the header {@code x-amz-checksum-crc32c}. */
  public String base64() {
    return Base64.getEncoder().encodeToString(ByteBuffer.allocate(4).putInt(value).array());
  }

  /** Returns 8 lower-case hex digits, the form of the manifest. */
  public String hex() {
    return HexFormat.of().toHexDigits(value).toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return hex();
  }
}
