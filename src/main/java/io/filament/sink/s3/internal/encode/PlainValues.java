package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType;
import org.apache.parquet.column.statistics.Statistics;

/**
 * A physical type of Parquet: how its values stand in a page in PLAIN encoding, and what the least
 * and the greatest of them are.
 */
abstract sealed class PlainValues permits FixedWidthValues, StringValues {

  /** Returns the physical type of a scalar. */
  static PlainValues of(FieldType type) {
    if (type instanceof FieldType.DecimalType decimal) {
      int digits = decimal.precision();
      return digits <= ParquetSchema.INT32_DIGITS
          ? new FixedWidthValues.Ints()
          : digits <= ParquetSchema.INT64_DIGITS
              ? new FixedWidthValues.Longs()
              : new FixedWidthValues.FixedBytes(ParquetSchema.decimalBytes(digits));
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> new FixedWidthValues.Booleans();
      case INT16, INT32, DATE -> new FixedWidthValues.Ints();
      case INT64, TIME, TIMESTAMP, TIMESTAMPTZ -> new FixedWidthValues.Longs();
      case FLOAT32 -> new FixedWidthValues.Floats();
      case FLOAT64 -> new FixedWidthValues.Doubles();
      case STRING, JSON, BYTES, UUID, NUMERIC -> new StringValues();
    };
  }

  /** How the values of a type may be found in a dictionary. */
  enum Lookup {
    NONE,
    INTS,
    LONGS,
    STRINGS
  }

  abstract Lookup lookup();

  /** Returns how many bytes values take in a page, rather too many. */
  abstract long bytes(Vector values, int from, int to);

  /** Returns how many bytes a page of {@link OpenPage#MAX_ROWS} ordinary rows has at most. */
  abstract int pageBytes();

  /**
   * Puts values, none of which is null, from {@code from} on, as many as the page takes.
   *
   * @return how many rows it were; 0 if the page is full
   */
  abstract int put(Vector values, int from, int to, OpenPage page);

  /** Does the same with values some of which are null, and leaves these out. */
  abstract int putMixed(Vector values, int from, int to, OpenPage page);

  /** Tells the statistics the least and the greatest value of a page that has any. */
  abstract void bound(OpenPage page, Statistics<?> statistics);

  /** Puts a page's values as a data page has them. */
  void encode(OpenPage page, PageBytes to) {
    to.put(page.values().array(), 0, page.values().length());
  }

  /** Returns whether {@link #encode} copies the bytes as they are. */
  boolean isPlain() {
    return true;
  }

  /** Returns the bytes of a page's values without their lengths, for types that have lengths. */
  long unencodedBytes(OpenPage page) {
    return 0;
  }
}
