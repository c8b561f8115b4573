package io.filament.sink.s3.internal.encode;

import java.util.Arrays;

/**
 * The rows of one data page, until their row group is written: the values that are there in
 * Parquet's PLAIN encoding (booleans a byte each), and for nullable columns a bit a row that tells
 * where they are.
 */
final class OpenPage {

  /** Small against a row group, and small enough to stay in a processor's cache. */
  static final int MAX_BYTES = 256 << 10;

  /** Bounds what a reader must decode for one row. */
  static final int MAX_ROWS = 20_000;

  /** Bits that fit a word wherever in its first byte they begin. */
  private static final int LEVEL_STEP = Long.SIZE - Byte.SIZE;

  private static final byte[] NO_LEVELS = new byte[0];

  private final PageBytes values;
  private byte[] levels = NO_LEVELS;
  private int rows;
  private int present;
  private int least;
  private int greatest;

  /**
   * @param usualBytes how many bytes a full page of ordinary values has
   */
  OpenPage(int usualBytes) {
    this.values = new PageBytes(usualBytes);
  }

  PageBytes values() {
    return values;
  }

  int rows() {
    return rows;
  }

  /** Returns the number of values that are not null. */
  int present() {
    return present;
  }

  /** Returns where the least value is, if {@link #bounds} was told. */
  int least() {
    return least;
  }

  /** Returns where the greatest value is, if {@link #bounds} was told. */
  int greatest() {
    return greatest;
  }

  /** Remembers where in the values the least and the greatest are. */
  void bounds(int newLeast, int newGreatest) {
    least = newLeast;
    greatest = newGreatest;
  }

  /** Returns the definition levels, a bit each. */
  byte[] levels() {
    return levels;
  }

  int freeRows() {
    return MAX_ROWS - rows;
  }

  /** Counts rows whose values have been put, in a column without levels. */
  void addRequired(int count) {
    rows += count;
    present += count;
  }

  /** Counts rows whose values have been put. */
  void addPresent(int count) {
    int end = rows + count;
    roomForLevels(end);
    int at = rows;
    while (at < end && (at & 7) != 0) {
      setLevel(at++);
    }
    int wholeBytes = (end - at) >>> 3;
    Arrays.fill(levels, at >>> 3, (at >>> 3) + wholeBytes, (byte) 0xFF);
    at += wholeBytes << 3;
    while (at < end) {
      setLevel(at++);
    }
    rows = end;
    present += count;
  }

  private void setLevel(int row) {
    levels[row >>> 3] |= (byte) (1 << (row & 7));
  }

  /** Counts rows some of which are null, whose other values have been put. */
  void addMixed(NullBits nulls, int from, int count) {
    roomForLevels(rows + count);
    int to = from + count;
    for (int at = from; at < to; at += LEVEL_STEP) {
      int end = Math.min(to, at + LEVEL_STEP);
      long bits = nulls.present(at, end);
      int first = rows >>> 3;
      long before = (long) PageBytes.LONG.get(levels, first);
      PageBytes.LONG.set(levels, first, before | (bits << (rows & 7)));
      rows += end - at;
      present += Long.bitCount(bits);
    }
  }

  private void roomForLevels(int count) {
    int needed = ((count + 7) >>> 3) + PageBytes.SLACK;
    if (needed > levels.length) {
      int most = ((MAX_ROWS + 7) >>> 3) + PageBytes.SLACK;
      levels = Arrays.copyOf(levels, Math.min(most, Math.max(needed, 2 * levels.length + 8)));
    }
  }

  /** Returns the bytes of memory that it has. */
  long allocated() {
    return (long) values.array().length + levels.length;
  }

  /** Returns about how much memory a new page takes for some values, rather too much. */
  static long firstBytes(long bytes, int rows) {
    return Math.max(PageBytes.FIRST_BYTES, bytes) + 2 * PageBytes.SLACK + rows / 8 + 8;
  }

  /** Returns about how much more memory it takes for some values, rather too much. */
  long growth(long bytes, int rows, int usualBytes) {
    int levelBytes = ((this.rows + rows + 7) >>> 3) + PageBytes.SLACK;
    long levelGrowth =
        levelBytes > levels.length ? levels.length + PageBytes.SLACK + rows / 8 + 8 : 0;
    return values.growth(Math.min(bytes, usualBytes)) + levelGrowth;
  }

  /** Gives all memory up, and returns how much it was. The rows are not there any more. */
  long drop() {
    long dropped = allocated();
    values.drop();
    levels = NO_LEVELS;
    return dropped;
  }

  /** Returns how many bytes it holds. */
  int bytes() {
    return values.length() + (levels.length == 0 ? 0 : (rows + 7) >>> 3);
  }

  /** Removes all rows, and keeps the memory. */
  void clear() {
    values.clear();
    Arrays.fill(levels, (byte) 0);
    rows = 0;
    present = 0;
  }
}
