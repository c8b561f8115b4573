package io.filament.sink.s3.internal.encode;

import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;

/** Texts and bytes, each with its length before it. */
final class StringValues extends PlainValues {

  static final int LENGTH_BYTES = Integer.BYTES;

  /** Of the page that is being filled: where its least and its greatest value are. */
  private int least;

  private int greatest;
  private long leastPrefix;
  private long greatestPrefix;

  @Override
  Lookup lookup() {
    return Lookup.STRINGS;
  }

  @Override
  long bytes(Vector values, int from, int to) {
    Vector.Bytes source = (Vector.Bytes) values;
    return source.start(to) - source.start(from) + LENGTH_BYTES * (long) (to - from);
  }

  @Override
  int pageBytes() {
    return OpenPage.MAX_BYTES;
  }

  @Override
  int put(Vector values, int from, int to, OpenPage page) {
    Vector.Bytes source = (Vector.Bytes) values;
    int most = Math.min(to, from + page.freeRows());
    int end = fits(source, from, most, page) ? most : lastThatFits(source, from, most, page);
    byte[] out = room(source, from, end, end - from, page.values());
    byte[] in = source.array();
    int[] ends = source.ends();
    startBounds(page);
    int start = source.start(from);
    int at = page.values().length();
    for (int i = from; i < end; i++) {
      int next = ends[i];
      at = put(in, start, next - start, out, at);
      start = next;
    }
    finish(page, at);
    return end - from;
  }

  @Override
  int putMixed(Vector values, int from, int to, OpenPage page) {
    Vector.Bytes source = (Vector.Bytes) values;
    int most = Math.min(to, from + page.freeRows());
    int end = fits(source, from, most, page) ? most : lastThatFits(source, from, most, page);
    byte[] out = room(source, from, end, source.nulls().countPresent(from, end), page.values());
    byte[] in = source.array();
    startBounds(page);
    int at = page.values().length();
    for (int first = from; first < end; first += Long.SIZE) {
      long present = source.nulls().present(first, end);
      while (present != 0) {
        int i = first + Long.numberOfTrailingZeros(present);
        at = put(in, source.start(i), source.length(i), out, at);
        present &= present - 1;
      }
    }
    finish(page, at);
    return end - from;
  }

  private static byte[] room(Vector.Bytes source, int from, int end, int count, PageBytes target) {
    return target.room(source.start(end) - source.start(from) + LENGTH_BYTES * count);
  }

  private void startBounds(OpenPage page) {
    boolean isFirst = page.values().length() == 0;
    least = isFirst ? 0 : page.least();
    greatest = isFirst ? 0 : page.greatest();
    leastPrefix = isFirst ? Long.MAX_VALUE : prefixAt(page.values().array(), least);
    greatestPrefix = isFirst ? Long.MIN_VALUE : prefixAt(page.values().array(), greatest);
  }

  private void finish(OpenPage page, int end) {
    page.values().length(end);
    page.bounds(least, greatest);
  }

  /** Puts a value and returns where the next one goes. */
  private int put(byte[] in, int start, int length, byte[] out, int at) {
    PageBytes.INT.set(out, at, length);
    copy(in, start, out, at + LENGTH_BYTES, length);
    long prefix = prefix(out, at + LENGTH_BYTES, length);
    if (prefix <= leastPrefix || prefix >= greatestPrefix) {
      widenBounds(out, at, prefix);
    }
    return at + LENGTH_BYTES + length;
  }

  private void widenBounds(byte[] out, int at, long prefix) {
    if (prefix < leastPrefix || (prefix == leastPrefix && compare(out, at, least) < 0)) {
      least = at;
      leastPrefix = prefix;
    }
    if (prefix > greatestPrefix || (prefix == greatestPrefix && compare(out, at, greatest) > 0)) {
      greatest = at;
      greatestPrefix = prefix;
    }
  }

  private static boolean fits(Vector.Bytes source, int from, int to, OpenPage page) {
    long bytes = source.start(to) - source.start(from) + LENGTH_BYTES * (long) (to - from);
    return bytes <= OpenPage.MAX_BYTES - page.values().length();
  }

  /** Returns where the page is full. A page without any bytes takes one value of any size. */
  private static int lastThatFits(Vector.Bytes source, int from, int to, OpenPage page) {
    int free = OpenPage.MAX_BYTES - page.values().length();
    long size = 0;
    for (int i = from; i < to; i++) {
      long more = source.isNull(i) ? 0 : source.length(i) + (long) LENGTH_BYTES;
      boolean isAlone = size == 0 && free == OpenPage.MAX_BYTES;
      if (more > 0 && size + more > free && !isAlone) {
        return i;
      }
      size += more;
    }
    return to;
  }

  /** Copies short values as many bytes as there always is room for. */
  private static void copy(byte[] in, int start, byte[] out, int at, int length) {
    if (length > PageBytes.SLACK || start + PageBytes.SLACK > in.length) {
      System.arraycopy(in, start, out, at, length);
      return;
    }
    PageBytes.LONG.set(out, at, (long) PageBytes.LONG.get(in, start));
    if (length <= Long.BYTES) {
      return;
    }
    PageBytes.LONG.set(out, at + 8, (long) PageBytes.LONG.get(in, start + 8));
    PageBytes.LONG.set(out, at + 16, (long) PageBytes.LONG.get(in, start + 16));
    PageBytes.LONG.set(out, at + 24, (long) PageBytes.LONG.get(in, start + 24));
  }

  @Override
  void bound(OpenPage page, Statistics<?> statistics) {
    byte[] bytes = page.values().array();
    update(statistics, bytes, page.least());
    update(statistics, bytes, page.greatest());
  }

  private static long prefixAt(byte[] bytes, int at) {
    return prefix(bytes, at + LENGTH_BYTES, (int) PageBytes.INT.get(bytes, at));
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

  /** Compares two values that have their lengths before them and the same first bytes. */
  private static int compare(byte[] bytes, int a, int b) {
    int lengthA = (int) PageBytes.INT.get(bytes, a);
    int lengthB = (int) PageBytes.INT.get(bytes, b);
    if (lengthA <= Long.BYTES && lengthB <= Long.BYTES) {
      return lengthA - lengthB; // what is longer has zeros there
    }
    int startA = a + LENGTH_BYTES;
    int startB = b + LENGTH_BYTES;
    return Arrays.compareUnsigned(bytes, startA, startA + lengthA, bytes, startB, startB + lengthB);
  }

  /** Tells the statistics a value that has its length before it. They copy what they keep. */
  private static void update(Statistics<?> statistics, byte[] bytes, int at) {
    int length = (int) PageBytes.INT.get(bytes, at);
    statistics.updateStats(Binary.fromReusedByteArray(bytes, at + LENGTH_BYTES, length));
  }
}
