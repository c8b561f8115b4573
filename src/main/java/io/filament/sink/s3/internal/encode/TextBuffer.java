package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.util.Arrays;

/** ASCII text that is written into one array, again and again. Used by one thread at a time. */
final class TextBuffer {

  /** Room for the longest long. */
  private static final int LONG_ROOM = 20;

  private byte[] bytes = new byte[128];
  private int length;

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  TextBuffer clear() {
    length = 0;
    return this;
  }

  void put(char c) {
    ensure(1);
    bytes[length++] = (byte) c;
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

  void putZeros(int count) {
    ensure(count);
    Arrays.fill(bytes, length, length + count, (byte) '0');
    length += count;
  }

  void putLong(long value) {
    ensure(LONG_ROOM);
    length = NumberOutput.outputLong(value, bytes, length);
  }

  /** Puts a value that is not negative with exactly so many digits. */
  void putPadded(long value, int digits) {
    ensure(digits);
    long rest = value;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void ensure(int count) {
    if (count > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Vector.grown(bytes.length, (long) length + count));
    }
  }
}
