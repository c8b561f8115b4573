package io.filament.sink;

import java.util.Objects;

/**
 * The type of a field: which Java values it takes and how they are written.
 *
 * <p>A value that doesn't fit is refused with {@link InvalidRecordException}; nothing is rounded,
 * truncated or turned into another type.
 */
public sealed interface FieldType {

  /** {@link Boolean}. */
  FieldType BOOLEAN = Primitive.BOOLEAN;

  /** {@link Short}, or any other class of whole numbers where the value fits. */
  FieldType INT16 = Primitive.INT16;

  /** {@link Integer}, or any other class of whole numbers where the value fits. */
  FieldType INT32 = Primitive.INT32;

  /** {@link Long}, or any other class of whole numbers where the value fits. */
  FieldType INT64 = Primitive.INT64;

  /** {@link Float}, or a {@link Double} that is equal to one; NaN and the infinities too. */
  FieldType FLOAT32 = Primitive.FLOAT32;

  /** {@link Double} or {@link Float}; NaN and the infinities too. */
  FieldType FLOAT64 = Primitive.FLOAT64;

  /** {@link CharSequence}; a lone surrogate is written as U+FFFD. */
  FieldType STRING = Primitive.STRING;

  /** {@link CharSequence} with one JSON value (RFC 8259). */
  FieldType JSON = Primitive.JSON;

  /** {@code byte[]} or {@link java.nio.ByteBuffer}, whose position is left alone. */
  FieldType BYTES = Primitive.BYTES;

  /** {@link java.time.LocalDate}. */
  FieldType DATE = Primitive.DATE;

  /** {@link java.time.LocalTime}, to the microsecond. */
  FieldType TIME = Primitive.TIME;

  /** {@link java.time.LocalDateTime}, to the microsecond; no time zone is ever applied. */
  FieldType TIMESTAMP = Primitive.TIMESTAMP;

  /**
   * {@link java.time.Instant}, {@link java.time.OffsetDateTime} or {@link java.time.ZonedDateTime},
   * to the microsecond: a finer one is refused, {@code instant.truncatedTo(ChronoUnit.MICROS)} is
   * not. Written in UTC.
   */
  FieldType TIMESTAMPTZ = Primitive.TIMESTAMPTZ;

  /** {@link java.util.UUID} or its 36-character text. */
  FieldType UUID = Primitive.UUID;

  /**
   * A decimal number of any precision: {@link java.math.BigDecimal}, a whole number of any class,
   * or the number's text, which may be {@code NaN}, {@code Infinity} or {@code -Infinity}.
   */
  FieldType NUMERIC = Primitive.NUMERIC;

  /**
   * Returns a decimal type for {@link java.math.BigDecimal} and whole numbers of any class. A
   * {@link Double} stands for the shortest decimal number that it is read back from; a {@link
   * Float} is refused.
   *
   * @param precision the digits in all, 1 to 38
   * @param scale the digits after the point, 0 to {@code precision}
   */
  static FieldType decimal(int precision, int scale) {
    return new DecimalType(precision, scale);
  }

  /** Returns a type for a {@link java.util.List} or an array, whose elements may be null. */
  static FieldType list(FieldType element) {
    return new ListType(element);
  }

  /** Returns a type for a {@link java.util.Map} by field name, or an {@code Object[]} in order. */
  static FieldType struct(Schema schema) {
    return new StructType(schema);
  }

  /**
   * Returns a type for a {@link java.util.Map}, whose values may be null and whose keys may not.
   *
   * @param key any type but JSON, list, struct and map
   */
  static FieldType map(FieldType key, FieldType value) {
    return new MapType(key, value);
  }

  /** The types without parameters; use the constants of {@link FieldType}. */
  enum Primitive implements FieldType {
    BOOLEAN,
    INT16,
    INT32,
    INT64,
    FLOAT32,
    FLOAT64,
    STRING,
    JSON,
    BYTES,
    DATE,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    NUMERIC
  }

  /** See {@link FieldType#decimal}. */
  record DecimalType(int precision, int scale) implements FieldType {

    /** The most digits that all readers of Parquet take. */
    public static final int MAX_PRECISION = 38;

    public DecimalType {
      if (precision < 1 || precision > MAX_PRECISION) {
        throw new IllegalArgumentException(
            "decimal precision must be 1 to " + MAX_PRECISION + ": " + precision);
      }
      if (scale < 0 || scale > precision) {
        throw new IllegalArgumentException(
            "decimal scale must be 0 to the precision " + precision + ": " + scale);
      }
    }
  }

  /** See {@link FieldType#list}. */
  record ListType(FieldType element) implements FieldType {

    public ListType {
      Objects.requireNonNull(element, "element");
    }
  }

  /** See {@link FieldType#struct}. */
  record StructType(Schema schema) implements FieldType {

    public StructType {
      Objects.requireNonNull(schema, "schema");
    }
  }

  /** See {@link FieldType#map}. */
  record MapType(FieldType key, FieldType value) implements FieldType {

    public MapType {
      Objects.requireNonNull(value, "value");
      if (key == Primitive.JSON || !(key instanceof Primitive || key instanceof DecimalType)) {
        throw new IllegalArgumentException("a map's key must have a scalar type: " + key);
      }
    }
  }
}
