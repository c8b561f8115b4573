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
  static final int MAX_KEPT_CODES = 1 << 19;

  private static final int FIRST_SLOTS = 1 << 10;

  private static final int CODE_BITS = 16;
  private static final int START_BITS = 21;
  private static final int HASH_SHIFT = CODE_BITS + START_BITS;

  private final DistinctSample sample = new DistinctSample();
  private final PageBytes entries = new PageBytes(MAX_BYTES);

  /**
   * By slot, what tells whether an entry is the value that is looked for without a look at the
   * entry: the highest bits of its hash, where it is ({@link #START_BITS}), and one more than its
   * code ({@link #CODE_BITS}). 0 where there is none.
   */
  private long[] slots = new long[0];

  /** How many of the slots are in use, a power of two; the highest bits of a hash choose one. */
  private int slotCount;

  /** How far a hash is shifted to be a slot. */
  private int slotShift;

  /** By code, what stands in the entry's slot, to find another slot for it. */
  private long[] slotted = new long[0];

  /** By code, the entry; for numbers. */
  private long[] numbers = new long[0];

  /** With more, fewer than half of the chunk's values are repeated. */
  private int mostEntries;

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
    int values = 0;
    for (OpenPage page : pages) {
      values += page.present();
    }
    mostEntries = values / 2;
    int first = Math.min(FIRST_MOST_ENTRIES, mostEntries);
    if (sample.hasMore(first, Math.min(FIRST_LOOK, values), pages, lookup)) {
      return false;
    }
    if (values > codes.length) {
      codes = new char[values];
    }
    for (OpenPage page : pages) {
      if (!fill(page, lookup)) {
        return false;
      }
    }
    return count > 0;
  }

  private boolean fill(OpenPage page, PlainValues.Lookup lookup) {
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
    useSlots(FIRST_SLOTS);
    if (slots.length < FIRST_SLOTS) {
      slots = new long[FIRST_SLOTS];
    }
    Arrays.fill(slots, 0, slotCount, 0);
    if (codes.length > MAX_KEPT_CODES) {
      codes = new char[0];
    }
  }

  private boolean findNumbers(OpenPage page, int width) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    char[] found = codes;
    int next = count;
    for (int at = 0; at < end; at += width) {
      long value =
          width == Long.BYTES
              ? (long) PageBytes.LONG.get(bytes, at)
              : (int) PageBytes.INT.get(bytes, at);
      int code = find(value);
      if (code < 0) {
        count = next;
        if (isTooLarge(width)) {
          return false;
        }
        if (size == numbers.length) {
          numbers = Arrays.copyOf(numbers, slots.length / 2 + 1);
        }
        numbers[size] = value;
        code = add(Words.hash(value), bytes, at, width);
      }
      found[next++] = (char) code;
    }
    count = next;
    return true;
  }

  /** Returns the code of a number, or -1. */
  private int find(long value) {
    long[] table = slots;
    int mask = slotCount - 1;
    int slot = (int) (Words.hash(value) >>> slotShift);
    long entry = table[slot];
    while (entry != 0) {
      int code = code(entry);
      if (numbers[code] == value) {
        return code;
      }
      slot = (slot + 1) & mask;
      entry = table[slot];
    }
    return -1;
  }

  private boolean findStrings(OpenPage page) {
    byte[] bytes = page.values().array();
    int end = page.values().length();
    char[] found = codes;
    int next = count;
    int at = 0;
    while (at < end) {
      int length = (int) PageBytes.INT.get(bytes, at);
      int start = at + StringValues.LENGTH_BYTES;
      long hash = Words.hash(bytes, start, length);
      int code = find(hash, bytes, at, length);
      if (code < 0) {
        count = next;
        if (isTooLarge(StringValues.LENGTH_BYTES + length)) {
          return false;
        }
        code = add(hash, bytes, at, StringValues.LENGTH_BYTES + length);
      }
      found[next++] = (char) code;
      at = start + length;
    }
    count = next;
    return true;
  }

  /** Returns the code of a value with its length before it, or -1. */
  private int find(long hash, byte[] bytes, int at, int length) {
    long[] table = slots;
    int mask = slotCount - 1;
    int slot = (int) (hash >>> slotShift);
    long entry = table[slot];
    while (entry != 0) {
      if ((entry ^ hash) >>> HASH_SHIFT == 0 && isText(start(entry), bytes, at, length)) {
        return code(entry);
      }
      slot = (slot + 1) & mask;
      entry = table[slot];
    }
    return -1;
  }

  /** Returns whether an entry is a value; both begin with their lengths. */
  private boolean isText(int entry, byte[] bytes, int at, int length) {
    byte[] all = entries.array();
    return (int) PageBytes.INT.get(all, entry) == length
        && Words.areEqual(
            all, entry + StringValues.LENGTH_BYTES, bytes, at + StringValues.LENGTH_BYTES, length);
  }

  private static int code(long entry) {
    return ((int) entry & ((1 << CODE_BITS) - 1)) - 1;
  }

  private static int start(long entry) {
    return (int) (entry >>> CODE_BITS) & ((1 << START_BITS) - 1);
  }

  /** Returns whether the dictionary is given up rather than take one more entry of some bytes. */
  private boolean isTooLarge(int bytes) {
    return size == mostEntries
        || size == MAX_ENTRIES
        || bytes > MAX_BYTES - entries.length()
        || (size == FIRST_MOST_ENTRIES && count < FIRST_LOOK)
        || (size == SECOND_MOST_ENTRIES && count < SECOND_LOOK);
  }

  /** Returns the new entry's code. */
  private int add(long hash, byte[] bytes, int at, int length) {
    int code = size;
    long place = (long) entries.length() << CODE_BITS;
    if (code == slotted.length) {
      slotted = Arrays.copyOf(slotted, slots.length / 2 + 1);
    }
    entries.put(bytes, at, length);
    size++;
    slotted[code] = ((hash >>> HASH_SHIFT) << HASH_SHIFT) | place | size;
    put(code);
    if (2 * size > slotCount) {
      grow();
    }
    return code;
  }

  private void put(int code) {
    int slot = (int) (slotted[code] >>> slotShift);
    while (slots[slot] != 0) {
      slot = (slot + 1) & (slotCount - 1);
    }
    slots[slot] = slotted[code];
  }

  private void grow() {
    useSlots(2 * slotCount);
    if (slots.length < slotCount) {
      slots = new long[slotCount];
    } else {
      Arrays.fill(slots, 0, slotCount, 0);
    }
    for (int code = 0; code < size; code++) {
      put(code);
    }
  }

  private void useSlots(int count) {
    slotCount = count;
    slotShift = Long.SIZE - Integer.numberOfTrailingZeros(count);
  }
}
