package io.filament.sink.s3.internal.encode;

import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;

/** Texts and bytes, each with its length before it. */
final class StringValues extends PlainValues {

  static final int LENGTH_BYTES = Integer.BYTES;

  /** Up to this length, copying words is faster than a call of the runtime. */
  private static final int SHORT_BYTES = 32;

  @Override
  Lookup lookup() {
    return Lookup.STRINGS;
  }

  @Override
  int pageBytes() {
    return OpenPage.MAX_BYTES;
  }

  @Override
  int put(Vector values, int from, int to, OpenPage page) {
    Vector.Bytes source = (Vector.Bytes) values;
    int end = lastThatFits(source, from, to, page);
    PageBytes target = page.values();
    byte[] in = source.array();
    int sourceStart = source.start(from);
    byte[] out = target.room(source.start(end) - sourceStart + LENGTH_BYTES * (end - from));
    int start = sourceStart;
    int at = target.length();
    for (int i = from; i < end; i++) {
      int length = source.start(i + 1) - start;
      PageBytes.INT.set(out, at, length);
      at += LENGTH_BYTES;
      copy(in, start, out, at, length);
      at += length;
      start += length;
    }
    target.length(at);
    return end - from;
  }

  /** Returns where the page is full. A page without any bytes takes one value of any size. */
  private static int lastThatFits(Vector.Bytes source, int from, int to, OpenPage page) {
    int most = Math.min(to, from + page.freeRows());
    int free = OpenPage.MAX_BYTES - page.values().length();
    int start = source.start(from);
    if (source.start(most) - start + LENGTH_BYTES * (long) (most - from) <= free) {
      return most;
    }
    int end = from;
    while (end < most && source.start(end + 1) - start + LENGTH_BYTES * (end + 1L - from) <= free) {
      end++;
    }
    return end == from && free == OpenPage.MAX_BYTES && from < most ? from + 1 : end;
  }

  private static void copy(byte[] in, int start, byte[] out, int at, int length) {
    if (length > SHORT_BYTES || start + length + PageBytes.SLACK > in.length) {
      System.arraycopy(in, start, out, at, length);
      return;
    }
    for (int i = 0; i < length; i += Long.BYTES) {
      PageBytes.LONG.set(out, at + i, (long) PageBytes.LONG.get(in, start + i));
    }
  }

  /** Compares values by their first eight bytes, and only where these are equal by all. */
  @Override
  void bound(OpenPage page, Statistics<?> statistics) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    int min = 0;
    int max = 0;
    long minPrefix = Long.MAX_VALUE;
    long maxPrefix = Long.MIN_VALUE;
    for (int at = 0; at < end; ) {
      int length = (int) PageBytes.INT.get(bytes, at);
      long prefix = prefix(bytes, at + LENGTH_BYTES, length);
      if (prefix <= minPrefix && (prefix < minPrefix || compare(bytes, at, min) < 0)) {
        min = at;
        minPrefix = prefix;
      }
      if (prefix >= maxPrefix && (prefix > maxPrefix || compare(bytes, at, max) > 0)) {
        max = at;
        maxPrefix = prefix;
      }
      at += LENGTH_BYTES + length;
    }
    update(statistics, bytes, min);
    update(statistics, bytes, max);
  }

  /** Returns the first bytes such that the order of unsigned bytes is that of signed longs. */
  private static long prefix(byte[] bytes, int start, int length) {
    long word = Long.reverseBytes((long) PageBytes.LONG.get(bytes, start));
    long mask = length >= Long.BYTES ? -1L : ~(-1L >>> (Byte.SIZE * length));
    return (word & mask) ^ Long.MIN_VALUE;
  }

  @Override
  long unencodedBytes(OpenPage page) {
    return page.values().length() - LENGTH_BYTES * (long) page.present();
  }

  /** Compares two values that have their lengths before them, as unsigned bytes. */
  static int compare(byte[] bytes, int a, int b) {
    int lengthA = (int) PageBytes.INT.get(bytes, a);
    int lengthB = (int) PageBytes.INT.get(bytes, b);
    int startA = a + LENGTH_BYTES;
    int startB = b + LENGTH_BYTES;
    return Arrays.compareUnsigned(bytes, startA, startA + lengthA, bytes, startB, startB + lengthB);
  }

  /** Tells the statistics a value that has its length before it. They copy what they keep. */
  static void update(Statistics<?> statistics, byte[] bytes, int at) {
    int length = (int) PageBytes.INT.get(bytes, at);
    statistics.updateStats(Binary.fromReusedByteArray(bytes, at + LENGTH_BYTES, length));
  }
}
