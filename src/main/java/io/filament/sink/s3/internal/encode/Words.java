package io.filament.sink.s3.internal.encode;

import java.util.Arrays;

/**
 * Hashes and compares values as words of eight bytes, which may overlap.
 *
 * <p>Behind each value there must be room for a word, as in {@link PageBytes}. Short values take as
 * many steps whatever their length is: a loop whose turns can't be foreseen costs more.
 */
final class Words {

  /** So many bytes are read at once. */
  private static final int FOUR_WORDS = 4 * Long.BYTES;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private Words() {}

  /** Returns a hash whose highest bits depend on all of the value. */
  static long hash(long value) {
    return value * MIX;
  }

  /** Returns a hash of some bytes, all of whose bits are mixed. */
  static long hash(byte[] bytes, int start, int length) {
    if (length <= Long.BYTES) {
      return mix((word(bytes, start) & firstBytes(length)) ^ length);
    }
    int last = start + length - Long.BYTES;
    long hash = length;
    int at = start;
    for (; at < last - 3 * Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ word(bytes, at));
    }
    long first = mix(hash ^ word(bytes, at)) ^ word(bytes, Math.min(at + Long.BYTES, last));
    long second = mix(word(bytes, Math.max(last - Long.BYTES, at))) ^ word(bytes, last);
    return mix(mix(first) + Long.rotateLeft(mix(second), 21));
  }

  private static long mix(long value) {
    long mixed = value * MIX;
    return mixed ^ (mixed >>> Integer.SIZE);
  }

  /** Returns whether values of the same length are the same bytes. */
  static boolean areEqual(byte[] x, int a, byte[] y, int b, int length) {
    if (length <= Long.BYTES) {
      return ((word(x, a) ^ word(y, b)) & firstBytes(length)) == 0;
    }
    if (length > FOUR_WORDS) {
      return Arrays.equals(x, a, a + length, y, b, b + length);
    }
    int last = length - Long.BYTES;
    int second = Math.min(Long.BYTES, last);
    int third = Math.max(last - Long.BYTES, 0);
    return ((word(x, a) ^ word(y, b))
            | (word(x, a + second) ^ word(y, b + second))
            | (word(x, a + third) ^ word(y, b + third))
            | (word(x, a + last) ^ word(y, b + last)))
        == 0;
  }

  private static long word(byte[] bytes, int at) {
    return (long) PageBytes.LONG.get(bytes, at);
  }

  /** Returns a mask of a word's first bytes, at most all eight. */
  private static long firstBytes(int count) {
    int half = count * (Byte.SIZE / 2); // a shift by 64 would be one by 0
    return ~(-1L << half << half);
  }
}
