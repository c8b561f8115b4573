package io.filament.sink.s3.internal.encode;

/**
 * Writes small numbers as Parquet's hybrid of run-length encoding and bit packing: a run of equal
 * values is its length and the value, everything between is packed in groups of eight values.
 */
final class HybridRuns {

  /** Values in a bit-packed group. */
  private static final int GROUP = 8;

  /** From this many equal values on, a run is shorter than groups. */
  private static final int MIN_RUN = 8;

  /** The same for levels, a group of which is one byte: shorter runs would end many groups. */
  private static final int MIN_LEVEL_GROUPS = 4;

  private HybridRuns() {}

  /** Returns how many bits hold the numbers below {@code count}. */
  static int width(int count) {
    return count <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
  }

  /** Puts the values from {@code from} to before {@code to}, each of {@code width} bits. */
  static void put(char[] values, int from, int to, int width, PageBytes out) {
    int at = from;
    while (at < to) {
      int run = runLength(values, at, to);
      if (run >= MIN_RUN) {
        putRun(run, values[at], width, out);
        at += run;
      } else {
        int end = packedEnd(values, at, to);
        putPacked(values, at, end, width, out);
        at = end;
      }
    }
  }

  private static int runLength(char[] values, int at, int to) {
    int end = at + 1;
    while (end < to && values[end] == values[at]) {
      end++;
    }
    return end - at;
  }

  /** Returns where a run begins that is long enough, at the border of a group; or the end. */
  private static int packedEnd(char[] values, int from, int to) {
    int end = from + GROUP;
    while (end < to) {
      if (runLength(values, end, Math.min(to, end + MIN_RUN)) == MIN_RUN) {
        return end;
      }
      end += GROUP;
    }
    return to;
  }

  private static void putRun(int run, int value, int width, PageBytes out) {
    out.putVarint(run << 1);
    for (int shift = 0; shift < width; shift += 8) {
      out.putByte(value >>> shift);
    }
  }

  /** Packs values from the lowest bit on. The last group is filled up with zeros. */
  private static void putPacked(char[] values, int from, int to, int width, PageBytes out) {
    int groups = (to - from + GROUP - 1) / GROUP;
    out.putVarint((groups << 1) | 1);
    byte[] bytes = out.room(groups * width);
    int at = out.length();
    int end = at + groups * width;
    long packed = 0;
    int bits = 0;
    for (int i = from; i < to; i++) {
      packed |= (long) values[i] << bits;
      bits += width;
      if (bits >= Integer.SIZE) {
        PageBytes.INT.set(bytes, at, (int) packed);
        at += Integer.BYTES;
        packed >>>= Integer.SIZE;
        bits -= Integer.SIZE;
      }
    }
    for (; at < end; at++) {
      bytes[at] = (byte) packed;
      packed >>>= 8;
    }
    out.length(end);
  }

  /**
   * Puts definition levels of 0 and 1 with their length before them, as data pages of the first
   * version have them.
   *
   * @param levels one bit each, from the lowest bit of the first byte on; zeros behind the last
   */
  static void putLevels(byte[] levels, int count, PageBytes out) {
    int lengthAt = out.length();
    out.putInt(0);
    int groups = (count + GROUP - 1) / GROUP;
    int at = 0;
    while (at < groups) {
      int same = sameGroups(levels, at, groups, count);
      if (same >= MIN_LEVEL_GROUPS || (same > 0 && at + same == groups)) {
        putRun(Math.min(count, (at + same) * GROUP) - at * GROUP, levels[at] & 1, 1, out);
        at += same;
      } else {
        int end = at + Math.max(1, same);
        while (end < groups
            && sameGroups(levels, end, Math.min(groups, end + MIN_LEVEL_GROUPS), count)
                < MIN_LEVEL_GROUPS) {
          end++;
        }
        out.putVarint(((end - at) << 1) | 1);
        out.put(levels, at, end - at);
        at = end;
      }
    }
    PageBytes.INT.set(out.array(), lengthAt, out.length() - lengthAt - Integer.BYTES);
  }

  /** Returns how many groups from {@code at} on have eight times the same level. */
  private static int sameGroups(byte[] levels, int at, int groups, int count) {
    byte first = levels[at];
    if (first != 0 && first != (byte) 0xFF && !isLastOfOnes(levels, at, count)) {
      return 0;
    }
    int end = at + 1;
    while (end < groups
        && (levels[end] == first || (first != 0 && isLastOfOnes(levels, end, count)))) {
      end++;
    }
    return end - at;
  }

  /** Returns whether a group is the last, is not full, and has ones alone. */
  private static boolean isLastOfOnes(byte[] levels, int group, int count) {
    int left = count - group * GROUP;
    return left < GROUP && levels[group] == (byte) ((1 << left) - 1);
  }
}
