package io.filament.sink.s3.internal.encode;

import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;

/** Values of a fixed number of bytes. */
abstract sealed class FixedWidthValues extends PlainValues {

  final int width;

  private FixedWidthValues(int width) {
    this.width = width;
  }

  @Override
  final long bytes(Vector values, int from, int to) {
    return (long) width * (to - from);
  }

  @Override
  final int pageBytes() {
    return width * OpenPage.MAX_ROWS;
  }

  @Override
  final int put(Vector values, int from, int to, OpenPage page) {
    int count = Math.min(to - from, page.freeRows());
    PageBytes bytes = page.values();
    copy(values, from, count, bytes.room(count * width), bytes.length());
    bytes.length(bytes.length() + count * width);
    return count;
  }

  @Override
  final int putMixed(Vector values, int from, int to, OpenPage page) {
    int count = Math.min(to - from, page.freeRows());
    PageBytes bytes = page.values();
    byte[] out = bytes.room(count * width);
    int at = bytes.length();
    int end = from + count;
    for (int first = from; first < end; first += Long.SIZE) {
      long present = values.nulls().present(first, end);
      while (present != 0) {
        copy(values, first + Long.numberOfTrailingZeros(present), 1, out, at);
        at += width;
        present &= present - 1;
      }
    }
    bytes.length(at);
    return count;
  }

  abstract void copy(Vector values, int from, int count, byte[] to, int at);

  private abstract static sealed class OfInts extends FixedWidthValues {

    OfInts() {
      super(Integer.BYTES);
    }

    @Override
    final Lookup lookup() {
      return Lookup.INTS;
    }

    @Override
    final void copy(Vector values, int from, int count, byte[] to, int at) {
      long[] source = ((Vector.Longs) values).array();
      for (int i = 0; i < count; i++) {
        PageBytes.INT.set(to, at + i * Integer.BYTES, (int) source[from + i]);
      }
    }
  }

  private abstract static sealed class OfLongs extends FixedWidthValues {

    OfLongs() {
      super(Long.BYTES);
    }

    @Override
    final Lookup lookup() {
      return Lookup.LONGS;
    }

    @Override
    final void copy(Vector values, int from, int count, byte[] to, int at) {
      long[] source = ((Vector.Longs) values).array();
      for (int i = 0; i < count; i++) {
        PageBytes.LONG.set(to, at + i * Long.BYTES, source[from + i]);
      }
    }
  }

  static final class Ints extends OfInts {

    @Override
    void bound(OpenPage page, Statistics<?> statistics) {
      byte[] bytes = page.values().array();
      int end = page.values().length();
      int min = Integer.MAX_VALUE;
      int max = Integer.MIN_VALUE;
      for (int at = 0; at < end; at += Integer.BYTES) {
        int value = (int) PageBytes.INT.get(bytes, at);
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      statistics.updateStats(min);
      statistics.updateStats(max);
    }
  }

  static final class Longs extends OfLongs {

    @Override
    void bound(OpenPage page, Statistics<?> statistics) {
      byte[] bytes = page.values().array();
      int end = page.values().length();
      long min = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      for (int at = 0; at < end; at += Long.BYTES) {
        long value = (long) PageBytes.LONG.get(bytes, at);
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      statistics.updateStats(min);
      statistics.updateStats(max);
    }
  }

  /** NaN has no place in the format's order of numbers; zero stands for both zeros. */
  static final class Floats extends OfInts {

    @Override
    void bound(OpenPage page, Statistics<?> statistics) {
      byte[] bytes = page.values().array();
      int end = page.values().length();
      float min = Float.POSITIVE_INFINITY;
      float max = Float.NEGATIVE_INFINITY;
      int numbers = 0;
      for (int at = 0; at < end; at += Integer.BYTES) {
        float value = Float.intBitsToFloat((int) PageBytes.INT.get(bytes, at));
        numbers += Float.isNaN(value) ? 0 : 1;
        min = value < min ? value : min;
        max = value > max ? value : max;
      }
      if (numbers > 0) {
        statistics.updateStats(min == 0 ? -0.0f : min);
        statistics.updateStats(max == 0 ? 0.0f : max);
      }
      statistics.incrementNanCount(page.present() - numbers);
    }
  }

  /** See {@link Floats} on NaN. */
  static final class Doubles extends OfLongs {

    @Override
    void bound(OpenPage page, Statistics<?> statistics) {
      byte[] bytes = page.values().array();
      int end = page.values().length();
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      int numbers = 0;
      for (int at = 0; at < end; at += Long.BYTES) {
        double value = Double.longBitsToDouble((long) PageBytes.LONG.get(bytes, at));
        numbers += Double.isNaN(value) ? 0 : 1;
        min = value < min ? value : min;
        max = value > max ? value : max;
      }
      if (numbers > 0) {
        statistics.updateStats(min == 0 ? -0.0 : min);
        statistics.updateStats(max == 0 ? 0.0 : max);
      }
      statistics.incrementNanCount(page.present() - numbers);
    }
  }

  /** A byte each until they are encoded, a bit each then. */
  static final class Booleans extends FixedWidthValues {

    Booleans() {
      super(1);
    }

    @Override
    Lookup lookup() {
      return Lookup.NONE;
    }

    @Override
    void copy(Vector values, int from, int count, byte[] to, int at) {
      long[] source = ((Vector.Longs) values).array();
      for (int i = 0; i < count; i++) {
        to[at + i] = (byte) source[from + i];
      }
    }

    @Override
    void bound(OpenPage page, Statistics<?> statistics) {
      byte[] bytes = page.values().array();
      int count = page.values().length();
      int trues = 0;
      for (int i = 0; i < count; i++) {
        trues += bytes[i];
      }
      statistics.updateStats(trues == count);
      statistics.updateStats(trues > 0);
    }

    @Override
    void encode(OpenPage page, PageBytes to) {
      byte[] source = page.values().array();
      int count = page.values().length();
      int packedBytes = (count + 7) >>> 3;
      byte[] packed = to.room(packedBytes);
      int at = to.length();
      Arrays.fill(packed, at, at + packedBytes, (byte) 0);
      for (int i = 0; i < count; i++) {
        packed[at + (i >>> 3)] |= (byte) (source[i] << (i & 7));
      }
      to.length(at + packedBytes);
    }

    @Override
    boolean isPlain() {
      return false;
    }
  }

  /** Two's complement numbers, big-endian, the last bytes of the 16 that a vector has. */
  static final class FixedBytes extends FixedWidthValues {

    FixedBytes(int width) {
      super(width);
    }

    @Override
    Lookup lookup() {
      return Lookup.NONE;
    }

    @Override
    void copy(Vector values, int from, int count, byte[] to, int at) {
      Vector.Bytes source = (Vector.Bytes) values;
      for (int i = 0; i < count; i++) {
        int end = source.start(from + i) + source.length(from + i);
        System.arraycopy(source.array(), end - width, to, at + i * width, width);
      }
    }

    @Override
    void bound(OpenPage page, Statistics<?> statistics) {
      byte[] bytes = page.values().array();
      int end = page.values().length();
      int min = 0;
      int max = 0;
      for (int at = width; at < end; at += width) {
        if (compare(bytes, at, min) < 0) {
          min = at;
        } else if (compare(bytes, at, max) > 0) {
          max = at;
        }
      }
      statistics.updateStats(Binary.fromReusedByteArray(bytes, min, width));
      statistics.updateStats(Binary.fromReusedByteArray(bytes, max, width));
    }

    /** Compares numbers by their first byte, which has the sign, and then as unsigned ones. */
    private int compare(byte[] bytes, int a, int b) {
      return bytes[a] != bytes[b]
          ? Byte.compare(bytes[a], bytes[b])
          : Arrays.compareUnsigned(bytes, a + 1, a + width, bytes, b + 1, b + width);
    }
  }
}
