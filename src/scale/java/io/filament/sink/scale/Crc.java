package io.filament.sink.scale;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * CRC-32Cs of pieces and of what they are together, computed apart from the sink's own code: by
 * matrices over GF(2), as zlib does.
 */
final class Crc {

  private static final int POLYNOMIAL = 0x82f63b78;

  private Crc() {}

  static int of(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  /** Returns the checksum of two pieces, one after the other. */
  static int combined(int first, int second, long secondLength) {
    int[] odd = new int[32]; // one zero bit
    odd[0] = POLYNOMIAL;
    for (int i = 1; i < 32; i++) {
      odd[i] = 1 << (i - 1);
    }
    int[] power = squared(squared(squared(odd))); // a zero byte
    int crc = first;
    for (long left = secondLength; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        crc = times(power, crc);
      }
      power = squared(power);
    }
    return crc ^ second;
  }

  /** Returns the checksum as S3's headers have it. */
  static String base64(int crc) {
    return Base64.getEncoder().encodeToString(ByteBuffer.allocate(4).putInt(crc).array());
  }

  private static int[] squared(int[] matrix) {
    int[] square = new int[32];
    for (int i = 0; i < 32; i++) {
      square[i] = times(matrix, matrix[i]);
    }
    return square;
  }

  private static int times(int[] matrix, int vector) {
    int sum = 0;
    for (int i = 0, left = vector; left != 0; i++, left >>>= 1) {
      if ((left & 1) != 0) {
        sum ^= matrix[i];
      }
    }
    return sum;
  }
}
