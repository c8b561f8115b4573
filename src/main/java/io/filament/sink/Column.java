package io.filament.sink;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values of one field in a batch, by row. Which kinds a type takes:
 *
 * <ul>
 *   <li>{@link Longs}: BOOLEAN (0 or 1), INT16, INT32, INT64, DATE (days since 1970-01-01), TIME
 *       (microseconds since midnight), TIMESTAMP and TIMESTAMPTZ (microseconds since
 *       1970-01-01T00:00:00, local or UTC), decimal with a precision up to 18 (the unscaled value)
 *   <li>{@link Doubles}: FLOAT32 and FLOAT64
 *   <li>{@link Bytes}: STRING, JSON, NUMERIC and UUID (their UTF-8 text), BYTES; {@link
 *       PackedBytes} where all values stand in one array
 *   <li>{@link Boxed}: every type, with the Java values that {@link FieldType} names
 * </ul>
 *
 * <p>Another kind than the field's type takes is refused with {@link IllegalArgumentException}
 * before a byte is written. Values are checked as those of rows are.
 */
public sealed interface Column {

  /** Returns whether the value of this row is null; only if not, it is read. */
  boolean isNull(int row);

  /** Values that are whole numbers, or counts of days, microseconds or units. */
  non-sealed interface Longs extends Column {

    /** Returns the value of a row that is not null. */
    long longAt(int row);
  }

  /** Floating-point values. */
  non-sealed interface Doubles extends Column {

    /** Returns the value of a row that is not null. */
    double doubleAt(int row);
  }

  /** Text in UTF-8, or bytes. */
  non-sealed interface Bytes extends Column {

    /** Puts the value of a row that is not null into {@code target}, in one call or in several. */
    void bytesAt(int row, BytesTarget target);
  }

  /**
   * Text in UTF-8, or bytes, that stand in one array, one value after the other. They are read many
   * at a time, which is several times faster than one by one.
   */
  interface PackedBytes extends Bytes {

    /** Returns the array with the values, the same for each call. It is only read. */
    byte[] bytes();

    /**
     * Returns where the values begin, the same array for each call: value {@code i} is {@code
     * bytes[offsets[i]]} to {@code bytes[offsets[i + 1] - 1]}. It is only read.
     */
    int[] offsets();

    @Override
    default void bytesAt(int row, BytesTarget target) {
      int start = offsets()[row];
      target.put(bytes(), start, offsets()[row + 1] - start);
    }
  }

  /** Values of any type as Java objects. */
  non-sealed interface Boxed extends Column {

    /** Returns the value of a row, or null. */
    @Nullable Object objectAt(int row);

    @Override
    default boolean isNull(int row) {
      return objectAt(row) == null;
    }
  }

  /** Takes the bytes of one value and copies them. */
  interface BytesTarget {

    /** Appends {@code length} bytes of {@code source} from {@code offset}. */
    void put(byte[] source, int offset, int length);

    /** Appends the remaining bytes of {@code source}, whose position is left alone. */
    void put(ByteBuffer source);
  }

  /**
   * Returns a column over these values, which are not copied.
   *
   * @param nulls true where a value is null, or null if none is
   */
  static Longs ofLongs(long[] values, boolean @Nullable [] nulls) {
    return new ArrayColumns.OfLongs(values, nulls);
  }

  /**
   * Returns a column over these values, which are not copied.
   *
   * @param nulls true where a value is null, or null if none is
   */
  static Doubles ofDoubles(double[] values, boolean @Nullable [] nulls) {
    return new ArrayColumns.OfDoubles(values, nulls);
  }

  /**
   * Returns a column over these bytes, which are not copied.
   *
   * @param offsets one more than there are values: value {@code i} is {@code bytes[offsets[i]]} to
   *     {@code bytes[offsets[i + 1] - 1]}
   * @param nulls true where a value is null, or null if none is
   */
  static Bytes ofBytes(byte[] bytes, int[] offsets, boolean @Nullable [] nulls) {
    return new ArrayColumns.OfBytes(bytes, offsets, nulls);
  }

  /** Returns a column over these values, which are not copied. */
  static Boxed ofObjects(@Nullable Object[] values) {
    return new ArrayColumns.OfObjects(values);
  }
}
