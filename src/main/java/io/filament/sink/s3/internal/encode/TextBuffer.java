package io.filament.sink.s3.internal.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text in UTF-8 that is written into one array, again and again. Used by one thread at a time. */
final class TextBuffer {

  private static final int FIRST_BYTES = 128;

  /** More is left only by a value that is unusually long. */
  private static final int MAX_KEPT_BYTES = 256 << 10;

  private static final int WORD_BYTES = Long.BYTES;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The two digits of 00 to 99, the first one in the lower byte. */
  private static final short[] PAIRS = new short[100];

  private static final long EIGHT_DIGITS = 100_000_000;
  private static final long SIXTEEN_DIGITS = EIGHT_DIGITS * EIGHT_DIGITS;
  private static final long ZERO_DIGITS = 0x3030_3030_3030_3030L;

  private static final long[] POWERS = new long[19];

  /** Its magnitude is no long. */
  private static final byte[] LEAST_LONG =
      Long.toString(Long.MIN_VALUE).getBytes(StandardCharsets.US_ASCII);

  static {
    for (int i = 0; i < PAIRS.length; i++) {
      PAIRS[i] = (short) (('0' + i / 10) | (('0' + i % 10) << Byte.SIZE));
    }
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Forgets the text, and the memory of an unusually long one. */
  TextBuffer clear() {
    length = 0;
    if (bytes.length > MAX_KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
    return this;
  }

  int capacity() {
    return bytes.length;
  }

  /** Forgets the text and nearly all of the memory. */
  void drop() {
    length = 0;
    bytes = new byte[FIRST_BYTES];
  }

  /** Returns ten to the power of 0 to 18. */
  static long powerOfTen(int exponent) {
    return POWERS[exponent];
  }

  void put(char ascii) {
    ensure(1)[length++] = (byte) ascii;
  }

  void put(String ascii) {
    put(ascii, 0, ascii.length());
  }

  void put(String ascii, int from, int to) {
    byte[] target = ensure(to - from);
    for (int i = from; i < to; i++) {
      target[length++] = (byte) ascii.charAt(i);
    }
  }

  void put(byte[] source, int start, int count) {
    ensure(count);
    System.arraycopy(source, start, bytes, length, count);
    length += count;
  }

  /** Puts the first {@code count} bytes of a word, from the lowest on. */
  void putWord(long word, int count) {
    LONG.set(ensure(WORD_BYTES), length, word);
    length += count;
  }

  /** Puts the first {@code count} bytes of what {@link #words} gave: fastest for short texts. */
  void putWords(byte[] words, int count) {
    byte[] target = ensure(words.length);
    // Mostly all, and without a loop whose end the processor has to guess.
    LONG.set(target, length, (long) LONG.get(words, 0));
    LONG.set(target, length + WORD_BYTES, (long) LONG.get(words, WORD_BYTES));
    if (count > 2 * WORD_BYTES) {
      System.arraycopy(words, 0, target, length, count);
    }
    length += count;
  }

  /** Returns the first {@code count} bytes and what fills the last word, in at least two words. */
  static byte[] words(byte[] text, int count) {
    int words = Math.max(2, (count + WORD_BYTES - 1) / WORD_BYTES);
    return Arrays.copyOf(Arrays.copyOf(text, count), words * WORD_BYTES);
  }

  void putZeros(int count) {
    ensure(count);
    Arrays.fill(bytes, length, length + count, (byte) '0');
    length += count;
  }

  void putLong(long value) {
    if (value >= 0) {
      putDigits(value, digits(value));
    } else if (value == Long.MIN_VALUE) {
      put(LEAST_LONG, 0, LEAST_LONG.length);
    } else {
      put('-');
      putDigits(-value, digits(-value));
    }
  }

  /** Puts a value that is not negative with exactly so many digits, 24 at most. */
  void putDigits(long value, int count) {
    // A word is written whole, also where less of it counts: from the first digit to the last.
    byte[] target = ensure(count + WORD_BYTES);
    int at = length;
    long rest = value;
    int left = count;
    if (left > 2 * WORD_BYTES) {
      long upper = rest / SIXTEEN_DIGITS;
      rest -= upper * SIXTEEN_DIGITS;
      left -= 2 * WORD_BYTES;
      LONG.set(target, at, lastDigits(upper, left));
      at += left;
      left = 2 * WORD_BYTES;
    }
    if (left > WORD_BYTES) {
      long upper = rest / EIGHT_DIGITS;
      rest -= upper * EIGHT_DIGITS;
      left -= WORD_BYTES;
      LONG.set(target, at, lastDigits(upper, left));
      at += left;
      left = WORD_BYTES;
    }
    LONG.set(target, at, lastDigits(rest, left));
    length += count;
  }

  /** Puts a count of millionths as decimals: without zeros at the end, but at least one digit. */
  void putMillionths(int millionths) {
    long digits = eightDigits(millionths) >>> (2 * Byte.SIZE);
    int zeros = Long.numberOfLeadingZeros(digits) / Byte.SIZE;
    putWord(digits | ZERO_DIGITS, Math.max(1, WORD_BYTES - zeros));
  }

  /** Returns the text of a value below 10 to the power of 8, from its digit {@code count} on. */
  private static long lastDigits(long value, int count) {
    return (eightDigits(value) | ZERO_DIGITS) >>> (Byte.SIZE * (WORD_BYTES - count));
  }

  /**
   * Returns the eight digits of a value, a byte each and the first one lowest. Splits all parts of
   * a word at once, into halves of four digits, quarters of two, and digits; multiplying and
   * shifting divides, exactly so for the numbers that these parts can be.
   */
  private static long eightDigits(long value) {
    long upperFour = (value * 109_951_163L) >>> 40; // divides by 10,000
    long fours = upperFour | ((value - 10_000 * upperFour) << Integer.SIZE);
    long upperTwos = ((fours * 10_486) >>> 20) & 0x0000_007F_0000_007FL; // divides by 100
    long twos = upperTwos | ((fours - 100 * upperTwos) << Short.SIZE);
    long tens = ((twos * 103) >>> 10) & 0x000F_000F_000F_000FL; // divides by 10
    return tens | ((twos - 10 * tens) << Byte.SIZE);
  }

  /** Writes two digits into an array. */
  static void setPair(byte[] target, int at, int value) {
    SHORT.set(target, at, PAIRS[value]);
  }

  /** Puts two digits. */
  void putPair(int value) {
    setPair(ensure(2), length, value);
    length += 2;
  }

  /** Returns the number of digits of a value that is not negative. */
  static int digits(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    int below = (bits * 1233) >>> 12; // 1233/4096 is a little more than the logarithm of 2
    return Math.max(1, value < POWERS[below] ? below : below + 1);
  }

  /** Puts a point after {@code before} of the last {@code count} digits. */
  void putPoint(int count, int before) {
    byte[] target = ensure(1);
    int point = length - count + before;
    System.arraycopy(target, point, target, point + 1, count - before);
    target[point] = '.';
    length++;
  }

  /** Makes room for {@code count} more bytes and returns the array to write them into. */
  byte[] ensure(int count) {
    if (count > bytes.length - length) {
      grow(count);
    }
    return bytes;
  }

  /** Stands apart, so that the compiler inlines the test before it everywhere. */
  private void grow(int count) {
    bytes = Arrays.copyOf(bytes, Vector.grown(bytes.length, (long) length + count));
  }

  /** Says that the caller has written up to {@code position} itself. */
  void length(int position) {
    length = position;
  }
}
