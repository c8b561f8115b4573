package io.filament.sink.s3.internal.encode;

import java.util.Arrays;
import java.util.List;

/**
 * Finds out cheaply that a chunk's first values hardly repeat, so that most columns without a
 * dictionary never build one. Used for one chunk after the other, by one thread at a time.
 */
final class DistinctSample {

  /** Few enough to stay in a processor's cache, and sixteen for each value of a sample. */
  private static final int BITS = 1 << 17;

  /** By hash, whether a value had it. Each bit that is set stands for one value at least. */
  private final long[] bits = new long[BITS / Long.SIZE];

  private int seen;
  private int distinct;

  /**
   * Returns true only if more than {@code most} of the first {@code count} values are different
   * ones. If it returns false, there may be as many.
   */
  boolean hasMore(int most, int count, List<OpenPage> pages, PlainValues.Lookup lookup) {
    seen = 0;
    distinct = 0;
    Arrays.fill(bits, 0);
    for (OpenPage page : pages) {
      switch (lookup) {
        case NONE -> {}
        case INTS -> addNumbers(page, Integer.BYTES, most, count);
        case LONGS -> addNumbers(page, Long.BYTES, most, count);
        case STRINGS -> addStrings(page, most, count);
      }
      if (!isOpen(most, count)) {
        break;
      }
    }
    return distinct > most;
  }

  /** Returns whether the values to come may still change what is known. */
  private boolean isOpen(int most, int count) {
    return seen < count && distinct <= most && seen - distinct < count - most;
  }

  private void addNumbers(OpenPage page, int width, int most, int count) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    for (int at = 0; at < end && isOpen(most, count); at += width) {
      long value =
          width == Long.BYTES
              ? (long) PageBytes.LONG.get(bytes, at)
              : (int) PageBytes.INT.get(bytes, at);
      add((int) (Words.hash(value) >>> Integer.SIZE));
    }
  }

  private void addStrings(OpenPage page, int most, int count) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    int at = 0;
    while (at < end && isOpen(most, count)) {
      int length = (int) PageBytes.INT.get(bytes, at);
      int start = at + StringValues.LENGTH_BYTES;
      add((int) Words.hash(bytes, start, length));
      at = start + length;
    }
  }

  private void add(int hash) {
    int bit = hash & (BITS - 1);
    long word = bits[bit / Long.SIZE];
    distinct += (int) (~word >>> bit) & 1;
    bits[bit / Long.SIZE] = word | (1L << bit);
    seen++;
  }
}
