package io.filament.sink.s3.internal.encode;

import java.util.Arrays;

/** Which values of a vector are null, a bit each. Used by one thread at a time. */
final class NullBits {

  private long[] words = new long[0];

  /** Behind the last word that may have a bit. */
  private int used;

  boolean isEmpty() {
    for (int i = 0; i < used; i++) {
      if (words[i] != 0) {
        return false;
      }
    }
    return true;
  }

  boolean get(int index) {
    int word = index / Long.SIZE;
    return word < used && (words[word] >>> index & 1) != 0;
  }

  void set(int index) {
    int word = index / Long.SIZE;
    if (word >= words.length) {
      words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
    }
    used = Math.max(used, word + 1);
    words[word] |= 1L << index;
  }

  private long word(int index) {
    int word = index / Long.SIZE;
    int shift = index % Long.SIZE;
    long low = word < used ? words[word] >>> shift : 0;
    long high = shift > 0 && word + 1 < used ? words[word + 1] << (Long.SIZE - shift) : 0;
    return low | high;
  }

  /**
   * Returns which of at most 64 values from {@code from} on, and before {@code to}, are not null,
   * the first of them the lowest bit.
   */
  long present(int from, int to) {
    long all = to - from >= Long.SIZE ? -1L : (1L << (to - from)) - 1;
    return ~word(from) & all;
  }

  /** Returns how many of the values from {@code from} to before {@code to} are not null. */
  int countPresent(int from, int to) {
    int count = 0;
    for (int at = from; at < to; at += Long.SIZE) {
      count += Long.bitCount(present(at, to));
    }
    return count;
  }

  /** Clears the bits from {@code from} on. */
  void clearFrom(int from) {
    int word = from / Long.SIZE;
    if (word < used) {
      words[word] &= (1L << from) - 1;
      Arrays.fill(words, word + 1, used, 0);
      used = word + 1;
    }
  }
}
