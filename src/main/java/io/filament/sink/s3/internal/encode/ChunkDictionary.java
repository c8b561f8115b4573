package io.filament.sink.s3.internal.encode;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the distinct values of a column chunk, if there are few enough of them for a dictionary to
 * pay. Used for one chunk after the other, by one thread at a time.
 *
 * <p>Most columns either repeat their values a lot or hardly at all, which their first values tell.
 * So nearly all of the work is done for columns that profit.
 */
final class ChunkDictionary {

  /** The largest dictionary; its codes have 15 bits. */
  static final int MAX_ENTRIES = 1 << 15;

  /** Bounds what a reader must hold for each column. */
  static final int MAX_BYTES = 1 << 20;

  /** A dictionary that has more than so many entries within the first values is given up. */
  static final int FIRST_MOST_ENTRIES = 7_000;

  static final int FIRST_LOOK = 8_192;
  static final int SECOND_MOST_ENTRIES = 20_000;
  static final int SECOND_LOOK = 32_768;

  /** What is left of an unusually large chunk is not kept. */
  private static final int MAX_KEPT_CODES = 1 << 19;

  private static final int FIRST_SLOTS = 1 << 10;

  /** From this length on the runtime's comparison is faster than one of words. */
  private static final int LONG_BYTES = 64;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final DistinctSample sample = new DistinctSample();
  private final PageBytes entries = new PageBytes(MAX_BYTES);

  /** By slot, one more than the code of the entry there; 0 where there is none. */
  private int[] slots = new int[0];

  /** How many of the slots are in use, a power of two. */
  private int slotCount;

  /** By code, the mixed bits that chose the entry's slot. */
  private int[] hashes = new int[0];

  /** By code, where the entry is. */
  private int[] starts = new int[0];

  /** By code, the entry; for numbers. */
  private long[] numbers = new long[0];

  private char[] codes = new char[0];
  private int count;
  private int size;

  /** Returns the entries in PLAIN encoding, by code. */
  PageBytes entries() {
    return entries;
  }

  /** Returns the number of entries. */
  int size() {
    return size;
  }

  /** Returns the codes of the chunk's values, nulls left out, one page's after the other. */
  char[] codes() {
    return codes;
  }

  /**
   * Gives each value its code.
   *
   * @return whether a dictionary pays; if not, nothing here is of use
   */
  boolean fill(List<OpenPage> pages, PlainValues.Lookup lookup) {
    start();
    if (sample.hasMore(FIRST_MOST_ENTRIES, FIRST_LOOK, pages, lookup)) {
      return false;
    }
    for (OpenPage page : pages) {
      if (!fill(page, lookup)) {
        return false;
      }
    }
    return count > 0 && 2L * size <= count;
  }

  private boolean fill(OpenPage page, PlainValues.Lookup lookup) {
    roomForCodes(page.present());
    return switch (lookup) {
      case NONE -> false;
      case INTS -> findNumbers(page, Integer.BYTES);
      case LONGS -> findNumbers(page, Long.BYTES);
      case STRINGS -> findStrings(page);
    };
  }

  private void start() {
    count = 0;
    size = 0;
    entries.clear();
    slotCount = FIRST_SLOTS;
    if (slots.length < FIRST_SLOTS) {
      slots = new int[FIRST_SLOTS];
      roomForEntries();
    }
    Arrays.fill(slots, 0, slotCount, 0);
    if (codes.length > MAX_KEPT_CODES) {
      codes = new char[0];
    }
  }

  private void roomForCodes(int more) {
    if (more > codes.length - count) {
      codes = Arrays.copyOf(codes, Math.max(count + more, 2 * codes.length));
    }
  }

  private boolean findNumbers(OpenPage page, int width) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    int[] table = slots;
    int mask = slotCount - 1;
    for (int at = 0; at < end; at += width) {
      long value =
          width == Long.BYTES
              ? (long) PageBytes.LONG.get(bytes, at)
              : (int) PageBytes.INT.get(bytes, at);
      int hash = hash(value);
      int slot = hash & mask;
      int entry = table[slot];
      while (entry != 0 && numbers[entry - 1] != value) {
        slot = (slot + 1) & mask;
        entry = table[slot];
      }
      if (entry == 0) {
        if (isTooLarge(width)) {
          return false;
        }
        numbers[size] = value;
        entry = add(slot, hash, bytes, at, width);
        table = slots;
        mask = slotCount - 1;
      }
      codes[count++] = (char) (entry - 1);
    }
    return true;
  }

  private boolean findStrings(OpenPage page) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    int[] table = slots;
    int mask = slotCount - 1;
    int at = 0;
    while (at < end) {
      int length = (int) PageBytes.INT.get(bytes, at);
      int start = at + StringValues.LENGTH_BYTES;
      int hash = hash(bytes, start, length);
      int slot = hash & mask;
      int entry = table[slot];
      while (entry != 0
          && (hashes[entry - 1] != hash || !isEntry(entry - 1, bytes, at, start + length))) {
        slot = (slot + 1) & mask;
        entry = table[slot];
      }
      if (entry == 0) {
        if (isTooLarge(StringValues.LENGTH_BYTES + length)) {
          return false;
        }
        entry = add(slot, hash, bytes, at, StringValues.LENGTH_BYTES + length);
        table = slots;
        mask = slotCount - 1;
      }
      codes[count++] = (char) (entry - 1);
      at = start + length;
    }
    return true;
  }

  /** Returns whether the dictionary is given up rather than take one more entry of some bytes. */
  private boolean isTooLarge(int bytes) {
    return size == MAX_ENTRIES
        || bytes > MAX_BYTES - entries.length()
        || (size == FIRST_MOST_ENTRIES && count < FIRST_LOOK)
        || (size == SECOND_MOST_ENTRIES && count < SECOND_LOOK);
  }

  /** Returns whether an entry is these bytes, which begin with the value's length. */
  private boolean isEntry(int code, byte[] bytes, int from, int to) {
    byte[] entry = entries.array();
    int start = starts[code];
    if (to - from > LONG_BYTES) {
      return Arrays.equals(entry, start, start + to - from, bytes, from, to);
    }
    int at = from;
    int offset = start - from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      if ((long) PageBytes.LONG.get(bytes, at) != (long) PageBytes.LONG.get(entry, at + offset)) {
        return false;
      }
    }
    long difference =
        (long) PageBytes.LONG.get(bytes, at) ^ (long) PageBytes.LONG.get(entry, at + offset);
    return at == to || (difference & lowBytes(to - at)) == 0;
  }

  /**
   * Returns a mask of a word's first bytes, one to eight. What stands behind is not the value's.
   */
  private static long lowBytes(int count) {
    return -1L >>> (Long.SIZE - Byte.SIZE * count);
  }

  static int hash(long value) {
    return (int) ((value * MIX) >>> Integer.SIZE);
  }

  static int hash(byte[] bytes, int start, int length) {
    long hash = length;
    int at = start;
    int end = start + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ (long) PageBytes.LONG.get(bytes, at));
    }
    if (at < end) {
      hash = mix(hash ^ ((long) PageBytes.LONG.get(bytes, at) & lowBytes(end - at)));
    }
    return (int) hash;
  }

  private static long mix(long value) {
    long mixed = value * MIX;
    return mixed ^ (mixed >>> Integer.SIZE);
  }

  /** Returns one more than the new entry's code. */
  private int add(int slot, int hash, byte[] bytes, int at, int length) {
    hashes[size] = hash;
    starts[size] = entries.length();
    entries.put(bytes, at, length);
    size++;
    slots[slot] = size;
    if (2 * size > slotCount) {
      grow();
    }
    return size;
  }

  private void grow() {
    slotCount *= 2;
    if (slots.length < slotCount) {
      slots = new int[slotCount];
      roomForEntries();
    } else {
      Arrays.fill(slots, 0, slotCount, 0);
    }
    for (int code = 0; code < size; code++) {
      int slot = hashes[code] & (slotCount - 1);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slotCount - 1);
      }
      slots[slot] = code + 1;
    }
  }

  private void roomForEntries() {
    int room = slots.length / 2 + 1;
    hashes = Arrays.copyOf(hashes, room);
    starts = Arrays.copyOf(starts, room);
    numbers = Arrays.copyOf(numbers, room);
  }
}
