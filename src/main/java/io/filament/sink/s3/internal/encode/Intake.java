package io.filament.sink.s3.internal.encode;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import io.filament.sink.FieldType.ListType;
import io.filament.sink.FieldType.MapType;
import io.filament.sink.FieldType.StructType;

/**
 * Checks the values of one type, turns them into their one form and appends them to a {@link
 * Vector}. Which further interface an intake has says which kinds of {@link Column} its type takes.
 *
 * <p>A value that doesn't fit is an {@link UnfitValueException}; the vector is of no use then.
 */
interface Intake {

  /** Appends a value that is not null. */
  void take(Object value);

  /** Takes {@link Column.Longs} too. */
  interface OfLongs extends Intake {

    /** Appends the value if it is from {@link #min} to {@link #max}, else refuses it. */
    void takeLong(long value);

    long min();

    long max();
  }

  /** Takes {@link Column.Doubles} too. */
  interface OfDoubles extends Intake {

    void takeDouble(double value);
  }

  /**
   * Takes {@link Column.Bytes} too: values are put into the target and ended, one by one, then
   * checked.
   */
  interface OfBytes extends Intake {

    Column.BytesTarget target();

    /**
     * Returns whether values are kept as they were put, so that many may be put at once, and all
     * are checked by {@link #checkEnded}.
     */
    default boolean keepsBytes() {
      return false;
    }

    /** Ends the value that was put. Its check may be left to {@link #checkEnded}. */
    void endBytes();

    /**
     * Checks what {@link #endBytes} has left unchecked of the vector's values from {@code first}
     * on. Where one is refused, those before it stay in the vector.
     */
    default void checkEnded(int first) {}
  }

  /** Returns an intake that appends to {@code vector}, which is one for {@code type}. */
  static Intake of(FieldType type, Vector vector) {
    if (type instanceof ListType list) {
      return new NestedIntakes.OfList(list, (Vector.Lists) vector);
    }
    if (type instanceof StructType struct) {
      return new NestedIntakes.OfStruct(struct, (Vector.Structs) vector);
    }
    if (type instanceof MapType map) {
      return new NestedIntakes.OfMap(map, (Vector.Maps) vector);
    }
    if (type instanceof DecimalType decimal) {
      return vector instanceof Vector.Longs longs
          ? new DecimalIntakes.OfLong(decimal, longs)
          : new DecimalIntakes.OfBytes16(decimal, (Vector.Bytes) vector);
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> new NumberIntakes.OfBoolean((Vector.Longs) vector);
      case INT16 -> NumberIntakes.int16((Vector.Longs) vector);
      case INT32 -> NumberIntakes.int32((Vector.Longs) vector);
      case INT64 -> NumberIntakes.int64((Vector.Longs) vector);
      case FLOAT32 -> new NumberIntakes.OfFloat32((Vector.Longs) vector);
      case FLOAT64 -> new NumberIntakes.OfFloat64((Vector.Longs) vector);
      case STRING -> new TextIntakes.OfString((Vector.Bytes) vector);
      case JSON -> new TextIntakes.OfJson((Vector.Bytes) vector);
      case BYTES -> new TextIntakes.OfBinary((Vector.Bytes) vector);
      case DATE -> new TimeIntakes.OfDate((Vector.Longs) vector);
      case TIME -> new TimeIntakes.OfTime((Vector.Longs) vector);
      case TIMESTAMP -> new TimeIntakes.OfTimestamp((Vector.Longs) vector);
      case TIMESTAMPTZ -> new TimeIntakes.OfTimestamptz((Vector.Longs) vector);
      case UUID -> new TextIntakes.OfUuid((Vector.Bytes) vector);
      case NUMERIC -> new TextIntakes.OfNumeric((Vector.Bytes) vector);
    };
  }

  /** Returns the failure of a value whose class the type doesn't take. */
  static UnfitValueException wrongClass(String rule, Object value) {
    return new UnfitValueException(rule + ", not " + Excerpt.withClass(value));
  }
}
