package io.filament.sink.s3.internal.encode;

import io.filament.sink.Column;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The checked values of one field, in the one form that all encoders read. Grows as needed and is
 * filled again after {@link #clear}. Used by one thread at a time.
 *
 * <table>
 *   <caption>Which vector holds a type</caption>
 *   <tr><td>{@link Longs}</td><td>BOOLEAN (0, 1), INT16, INT32, INT64; DATE (epoch days); TIME
 *       (microseconds of the day); TIMESTAMP, TIMESTAMPTZ (epoch microseconds); FLOAT32 (raw int
 *       bits), FLOAT64 (raw long bits); decimal up to 18 digits (unscaled)</td></tr>
 *   <tr><td>{@link Bytes}</td><td>STRING (UTF-8); JSON (one line of UTF-8); NUMERIC and UUID (their
 *       canonical text); BYTES; decimal over 18 digits (unscaled, 16 bytes, big-endian two's
 *       complement)</td></tr>
 *   <tr><td>{@link Lists}</td><td>list</td></tr>
 *   <tr><td>{@link Structs}</td><td>struct</td></tr>
 *   <tr><td>{@link Maps}</td><td>map</td></tr>
 * </table>
 */
abstract sealed class Vector {

  /** The longest array that every JVM makes. */
  private static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  private final NullBits nulls = new NullBits();
  private int size;

  /** Returns an empty vector for values of a type. */
  static Vector of(FieldType type) {
    if (type instanceof FieldType.ListType list) {
      return new Lists(of(list.element()));
    }
    if (type instanceof FieldType.StructType struct) {
      return new Structs(
          struct.schema().fields().stream().map(Field::type).map(Vector::of).toList());
    }
    if (type instanceof FieldType.MapType map) {
      return new Maps(of(map.key()), of(map.value()));
    }
    if (type instanceof FieldType.DecimalType decimal) {
      return decimal.precision() <= 18 ? new Longs() : new Bytes();
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN, INT16, INT32, INT64, FLOAT32, FLOAT64, DATE, TIME, TIMESTAMP, TIMESTAMPTZ ->
          new Longs();
      case STRING, JSON, BYTES, UUID, NUMERIC -> new Bytes();
    };
  }

  /** Returns the number of values, nulls included. */
  final int size() {
    return size;
  }

  /** Returns whether a value is null. */
  final boolean isNull(int index) {
    return nulls.get(index);
  }

  /** Returns whether any value is null. */
  final boolean hasNulls() {
    return !nulls.isEmpty();
  }

  /** Returns which values are null. */
  final NullBits nulls() {
    return nulls;
  }

  /** Appends null. */
  final void addNull() {
    nulls.set(size);
    addPlaceholder();
    size++;
  }

  /** Removes all values. Keeps the memory, except what an unusually large record has taken. */
  final void clear() {
    nulls.clearFrom(0);
    size = 0;
    clearValues();
  }

  /** Returns about how many bytes the values take, which bounds a slice. */
  abstract long bytes();

  /** Returns about how many bytes of memory it has, whether they are in use or not. */
  abstract long allocated();

  /** Gives nearly all memory of an empty vector up. */
  abstract void drop();

  abstract void clearValues();

  /** Keeps the positions of a vector's arrays in step when a null is appended. */
  abstract void addPlaceholder();

  final void added() {
    size++;
  }

  final void added(int count) {
    size += count;
  }

  /** Removes the values from {@code newSize} on, and what was put since the last one ended. */
  final void truncate(int newSize) {
    nulls.clearFrom(newSize);
    size = newSize;
    truncateValues();
  }

  /** Removes what belongs to no value. */
  abstract void truncateValues();

  /** Returns the length of an array for {@code needed} elements, half as large again as before. */
  static int grown(int capacity, long needed) {
    if (needed > MAX_ARRAY_LENGTH) {
      throw new UnfitValueException(
          "one record has more than " + MAX_ARRAY_LENGTH + " bytes or elements in this field");
    }
    return (int) Math.max(needed, Math.min(MAX_ARRAY_LENGTH, capacity + (capacity / 2L) + 16));
  }

  /** Whole numbers, and everything that is stored as one. */
  static final class Longs extends Vector {

    /** Twice what a slice holds: more is left only by a record larger than a slice. */
    private static final int MAX_KEPT_VALUES = (2 << 20) / Long.BYTES;

    private long[] values = new long[16];

    void add(long value) {
      room(1)[size()] = value;
      added();
    }

    /** Makes room for {@code count} more values and returns the array to write them into. */
    long[] room(int count) {
      if (count > values.length - size()) {
        values = Arrays.copyOf(values, grown(values.length, (long) size() + count));
      }
      return values;
    }

    long get(int index) {
      return values[index];
    }

    /** Returns the values in their places, 0 where one is null. It may be longer than they are. */
    long[] array() {
      return values;
    }

    @Override
    long bytes() {
      return 8L * size();
    }

    @Override
    long allocated() {
      return 8L * values.length;
    }

    @Override
    void drop() {
      values = new long[16];
    }

    @Override
    void clearValues() {
      if (values.length > MAX_KEPT_VALUES) {
        values = new long[16];
      }
    }

    @Override
    void truncateValues() {}

    @Override
    void addPlaceholder() {
      room(1)[size()] = 0;
    }
  }

  /**
   * Byte strings, one after the other in one array. A value is appended piece by piece with {@code
   * put}, then ended with {@link #endValue}.
   */
  static final class Bytes extends Vector implements Column.BytesTarget {

    /** Twice what a slice holds: more is left only by a record larger than a slice. */
    private static final int MAX_KEPT_BYTES = 2 << 20;

    private byte[] bytes = new byte[64];
    private int[] ends = new int[16];
    private int length;

    /** Of a text that is being put. */
    private char[] chars = new char[0];

    @Override
    public void put(byte[] source, int offset, int count) {
      ensure(count);
      System.arraycopy(source, offset, bytes, length, count);
      length += count;
    }

    @Override
    public void put(ByteBuffer source) {
      int count = source.remaining();
      ensure(count);
      source.duplicate().get(bytes, length, count);
      length += count;
    }

    /**
     * Appends values that stand one after the other in {@code source}; none of them is null yet.
     *
     * @param offsets value {@code i} is from {@code offsets[i]} to before {@code offsets[i + 1]}
     * @return false, and nothing is appended, if these aren't places in the source in their order
     */
    boolean addAll(byte[] source, int[] offsets, int from, int to) {
      int start = offsets[from];
      int count = offsets[to] - start;
      if (start < 0 || count < 0 || offsets[to] > source.length) {
        return false;
      }
      int first = size();
      ends = room(ends, (long) first + to - from);
      int shift = length - start;
      int falling = 0; // below zero where an offset is smaller than the one before
      for (int i = from; i < to; i++) {
        int end = offsets[i + 1];
        falling |= end - offsets[i];
        ends[first + i - from] = end + shift;
      }
      if (falling < 0) {
        return false;
      }
      put(source, start, count);
      added(to - from);
      return true;
    }

    private static int[] room(int[] ends, long needed) {
      return needed <= ends.length ? ends : Arrays.copyOf(ends, grown(ends.length, needed));
    }

    /** Makes room for {@code count} more bytes and returns the array to write them into. */
    byte[] ensure(int count) {
      if (count > bytes.length - length) {
        bytes = Arrays.copyOf(bytes, grown(bytes.length, (long) length + count));
      }
      return bytes;
    }

    /** Returns an array for some characters of a text that is being put. */
    char[] chars(int count) {
      if (count > chars.length) {
        chars = new char[count];
      }
      return chars;
    }

    /** Returns where the next byte goes in the array that {@link #ensure} gave. */
    int position() {
      return length;
    }

    /** Says that the caller has written up to {@code position} itself. */
    void position(int position) {
      length = position;
    }

    /** Ends the value that was put. */
    void endValue() {
      setEnd();
      added();
    }

    /** Forgets the bytes put since the last value ended. */
    void dropUnended() {
      length = size() == 0 ? 0 : ends[size() - 1];
    }

    byte[] array() {
      return bytes;
    }

    /** Returns where each value ends in {@link #array}, which is where the next one begins. */
    int[] ends() {
      return ends;
    }

    /** Returns where a value begins in {@link #array}; that of {@link #size} is being put. */
    int start(int index) {
      return index == 0 ? 0 : ends[index - 1];
    }

    int length(int index) {
      return ends[index] - start(index);
    }

    @Override
    long bytes() {
      return length + 4L * size();
    }

    @Override
    long allocated() {
      return bytes.length + 4L * ends.length + 2L * chars.length;
    }

    @Override
    void drop() {
      bytes = new byte[64];
      ends = new int[16];
      chars = new char[0];
    }

    @Override
    void clearValues() {
      length = 0;
      if (bytes.length > MAX_KEPT_BYTES) {
        bytes = new byte[64];
      }
    }

    @Override
    void truncateValues() {
      dropUnended();
    }

    @Override
    void addPlaceholder() {
      setEnd();
    }

    private void setEnd() {
      ends = room(ends, size() + 1L);
      ends[size()] = length;
    }
  }

  /** Lists: the elements of all, one after the other. Add a list's elements, then end it. */
  static final class Lists extends Vector {

    private final Vector elements;
    private final Ends ends = new Ends();

    private Lists(Vector elements) {
      this.elements = elements;
    }

    Vector elements() {
      return elements;
    }

    void endValue() {
      ends.set(size(), elements.size());
      added();
    }

    int start(int index) {
      return ends.start(index);
    }

    int end(int index) {
      return ends.end(index);
    }

    @Override
    long bytes() {
      return elements.bytes() + 4L * size();
    }

    @Override
    long allocated() {
      return elements.allocated() + ends.allocated();
    }

    @Override
    void drop() {
      elements.drop();
      ends.drop();
    }

    @Override
    void clearValues() {
      elements.clear();
    }

    @Override
    void truncateValues() {
      elements.truncate(ends.start(size()));
    }

    @Override
    void addPlaceholder() {
      ends.set(size(), elements.size());
    }
  }

  /** Maps: the keys and values of all, one after the other. Add a map's entries, then end it. */
  static final class Maps extends Vector {

    private final Vector keys;
    private final Vector values;
    private final Ends ends = new Ends();

    private Maps(Vector keys, Vector values) {
      this.keys = keys;
      this.values = values;
    }

    Vector keys() {
      return keys;
    }

    Vector values() {
      return values;
    }

    void endValue() {
      ends.set(size(), keys.size());
      added();
    }

    int start(int index) {
      return ends.start(index);
    }

    int end(int index) {
      return ends.end(index);
    }

    @Override
    long bytes() {
      return keys.bytes() + values.bytes() + 4L * size();
    }

    @Override
    long allocated() {
      return keys.allocated() + values.allocated() + ends.allocated();
    }

    @Override
    void drop() {
      keys.drop();
      values.drop();
      ends.drop();
    }

    @Override
    void clearValues() {
      keys.clear();
      values.clear();
    }

    @Override
    void truncateValues() {
      keys.truncate(ends.start(size()));
      values.truncate(ends.start(size()));
    }

    @Override
    void addPlaceholder() {
      ends.set(size(), keys.size());
    }
  }

  /**
   * Structs: one vector a field, each with as many values as there are structs; a null struct has
   * null in each. Add a value to each field, then end the struct.
   */
  static final class Structs extends Vector {

    private final List<Vector> fields;

    private Structs(List<Vector> fields) {
      this.fields = fields;
    }

    List<Vector> fields() {
      return fields;
    }

    void endValue() {
      added();
    }

    @Override
    long bytes() {
      long sum = 0;
      for (Vector field : fields) {
        sum += field.bytes();
      }
      return sum;
    }

    @Override
    long allocated() {
      long sum = 0;
      for (Vector field : fields) {
        sum += field.allocated();
      }
      return sum;
    }

    @Override
    void drop() {
      fields.forEach(Vector::drop);
    }

    @Override
    void clearValues() {
      fields.forEach(Vector::clear);
    }

    @Override
    void truncateValues() {
      for (Vector field : fields) {
        field.truncate(size());
      }
    }

    @Override
    void addPlaceholder() {
      fields.forEach(Vector::addNull);
    }
  }

  /** Where each list's or map's elements end. */
  private static final class Ends {

    private int[] ends = new int[16];

    void set(int index, int end) {
      if (index == ends.length) {
        ends = Arrays.copyOf(ends, grown(ends.length, index + 1L));
      }
      ends[index] = end;
    }

    int start(int index) {
      return index == 0 ? 0 : ends[index - 1];
    }

    int end(int index) {
      return ends[index];
    }

    long allocated() {
      return 4L * ends.length;
    }

    void drop() {
      ends = new int[16];
    }
  }
}
