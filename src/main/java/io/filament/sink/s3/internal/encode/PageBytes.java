package io.filament.sink.s3.internal.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that grow in small steps, and are filled again. Numbers are little-endian, as in Parquet's
 * pages. Used by one thread at a time.
 *
 * <p>Behind the last byte there is always room for {@value #SLACK} more, so that short values can
 * be read and written as that many bytes: how many they are is what a processor can't foresee.
 */
final class PageBytes {

  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  static final int SLACK = 32;

  /** A column of few values takes little. */
  static final int FIRST_BYTES = 224;

  private static final int SMALL_BYTES = 16 << 10;

  private static final byte[] NONE = new byte[0];

  /** Up to this size it grows by factors; what is larger has exactly the bytes that it needs. */
  private final int usualBytes;

  private byte[] bytes = NONE;
  private int length;

  PageBytes(int usualBytes) {
    this.usualBytes = usualBytes;
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Says that the caller has written up to {@code newLength} itself. */
  void length(int newLength) {
    length = newLength;
  }

  /** Makes room for {@code count} more bytes and returns the array to write them into. */
  byte[] room(int count) {
    long needed = (long) length + count;
    if (needed + SLACK > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.toIntExact(sizeFor(needed)));
    }
    return bytes;
  }

  private long sizeFor(long needed) {
    // Each size becomes garbage with the next one: what is not small any more takes few of them.
    long more = bytes.length < SMALL_BYTES ? 2L * bytes.length : 4L * bytes.length;
    // What nearly has the usual size takes it at once, or most of its bytes are copied twice.
    long grown = more > usualBytes / 8L * 7 ? usualBytes : Math.max(FIRST_BYTES, more);
    return Math.max(needed, grown) + SLACK;
  }

  /** Returns how much more memory {@link #room} would take for {@code count} bytes. */
  long growth(long count) {
    long needed = length + count;
    return needed + SLACK <= bytes.length ? 0 : sizeFor(needed) - bytes.length;
  }

  /** Removes all bytes and gives the memory up. */
  void drop() {
    length = 0;
    bytes = NONE;
  }

  /** Takes all the usual room at once. */
  void reserve() {
    room(usualBytes - length);
  }

  /** Removes all bytes. Keeps the memory, except what unusually large values have taken. */
  void clear() {
    length = 0;
    if (bytes.length > usualBytes + SLACK) {
      bytes = NONE;
    }
  }

  void putByte(int value) {
    room(1)[length++] = (byte) value;
  }

  void putInt(int value) {
    INT.set(room(Integer.BYTES), length, value);
    length += Integer.BYTES;
  }

  void put(byte[] source, int start, int count) {
    System.arraycopy(source, start, room(count), length, count);
    length += count;
  }

  /** Puts an unsigned number in groups of seven bits, the lowest first (LEB128). */
  void putVarint(int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      putByte((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    putByte(rest);
  }
}
