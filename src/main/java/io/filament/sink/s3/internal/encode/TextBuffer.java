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

  /** Returns ten to the power of 0 to 18. */
  static long powerOfTen(int exponent) {
    return POWERS[exponent];
  }

  void put(char ascii) {
    ensure(1);
    bytes[length++] = (byte) ascii;
  }

  void put(String ascii) {
    put(ascii, 0, ascii.length());
  }

  void put(String ascii, int from, int to) {
    ensure(to - from);
    for (int i = from; i < to; i++) {
      bytes[length++] = (byte) ascii.charAt(i);
    }
  }

  void put(byte[] source, int start, int count) {
    ensure(count);
    System.arraycopy(source, start, bytes, length, count);
    length += count;
  }

  /** Puts the first {@code count} bytes of some whole words, which is fastest for short texts. */
  void putWords(byte[] words, int count) {
    ensure(words.length);
    for (int i = 0; i < count; i += WORD_BYTES) {
      LONG.set(bytes, length + i, (long) LONG.get(words, i));
    }
    length += count;
  }

  /** Returns the first {@code count} bytes and what fills the last word. */
  static byte[] words(byte[] text, int count) {
    return Arrays.copyOf(text, (count + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES);
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

  /** Puts a value that is not negative with exactly so many digits. */
  void putDigits(long value, int count) {
    ensure(count);
    long rest = value;
    int at = length + count;
    while (at - length >= 2) {
      long tens = rest / 100;
      at -= 2;
      SHORT.set(bytes, at, PAIRS[(int) (rest - 100 * tens)]);
      rest = tens;
    }
    if (at > length) {
      bytes[length] = (byte) ('0' + rest);
    }
    length += count;
  }

  /** Puts two digits. */
  void putPair(int value) {
    ensure(2);
    SHORT.set(bytes, length, PAIRS[value]);
    length += 2;
  }

  /** Returns the number of digits of a value that is not negative. */
  static int digits(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    int below = (bits * 1233) >>> 12; // 1233/4096 is a little more than the logarithm of 2
    return Math.max(1, value < POWERS[below] ? below : below + 1);
  }

  /** Takes back zeros at the end, down to {@code least} bytes of text. */
  void dropZeros(int least) {
    while (length > least && bytes[length - 1] == '0') {
      length--;
    }
  }

  /** Makes room for {@code count} more bytes and returns the array to write them into. */
  byte[] ensure(int count) {
    if (count > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Vector.grown(bytes.length, (long) length + count));
    }
    return bytes;
  }

  /** Says that the caller has written up to {@code position} itself. */
  void length(int position) {
    length = position;
  }
}
