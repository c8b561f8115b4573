package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/**
 * Takes a field's values apart into Parquet's flat columns: one column for each scalar type below
 * the field, and with each value two levels from which a reader puts the records together again.
 *
 * <p>The definition level counts how many of the optional and repeated fields on the way to a value
 * are there, so it tells at which depth something is null or empty. The repetition level tells at
 * which list on the way a new element begins; 0 begins a record.
 */
abstract sealed class Shredder {

  /** Returns one shredder a field; they take their columns in the order of Parquet's schema. */
  static List<Shredder> of(Schema schema, Iterator<ColumnWriter> columns) {
    return fields(schema, 0, 0, columns);
  }

  /** The definition level of a value that is there; if it is null, its level is one less. */
  final int present;

  final boolean nullable;

  private Shredder(boolean nullable, int parentLevel) {
    this.nullable = nullable;
    this.present = nullable ? parentLevel + 1 : parentLevel;
  }

  /**
   * Writes the values from {@code from} to before {@code to}.
   *
   * @param first the repetition level of the first value
   * @param others the repetition level of the others
   */
  abstract void write(Vector values, int from, int to, int first, int others);

  /** Writes into each column that nothing is there. */
  abstract void writeAbsent(int repetition, int definition);

  private static List<Shredder> fields(
      Schema schema, int parentLevel, int repeated, Iterator<ColumnWriter> columns) {
    List<Shredder> shredders = new ArrayList<>();
    for (Field field : schema.fields()) {
      shredders.add(one(field.type(), field.nullable(), parentLevel, repeated, columns));
    }
    return List.copyOf(shredders);
  }

  /**
   * @param parentLevel the definition level of what the value is in
   * @param repeated how many lists and maps the value is in
   */
  private static Shredder one(
      FieldType type,
      boolean nullable,
      int parentLevel,
      int repeated,
      Iterator<ColumnWriter> columns) {
    if (type instanceof FieldType.ListType list) {
      return new OfRanges(list, nullable, parentLevel, repeated + 1, columns);
    }
    if (type instanceof FieldType.MapType map) {
      return new OfRanges(map, nullable, parentLevel, repeated + 1, columns);
    }
    if (type instanceof FieldType.StructType struct) {
      return new OfStructs(struct, nullable, parentLevel, repeated, columns);
    }
    return new OfScalars(scalar(type), nullable, parentLevel, columns.next());
  }

  /** Writes one scalar that is there. */
  private interface Scalar {
    void write(Vector values, int index, ColumnWriter column, int repetition, int definition);
  }

  private static Scalar scalar(FieldType type) {
    if (type instanceof FieldType.DecimalType decimal) {
      int digits = decimal.precision();
      return digits <= ParquetSchema.INT32_DIGITS
          ? Shredder::writeInt
          : digits <= ParquetSchema.INT64_DIGITS
              ? Shredder::writeLong
              : new LowBytes(ParquetSchema.decimalBytes(digits));
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> Shredder::writeBoolean;
      case INT16, INT32, DATE -> Shredder::writeInt;
      case INT64, TIME, TIMESTAMP, TIMESTAMPTZ -> Shredder::writeLong;
      case FLOAT32 -> Shredder::writeFloat;
      case FLOAT64 -> Shredder::writeDouble;
      case STRING, JSON, BYTES, UUID, NUMERIC -> Shredder::writeBytes;
    };
  }

  private static void writeBoolean(Vector values, int index, ColumnWriter column, int r, int d) {
    column.write(((Vector.Longs) values).get(index) != 0, r, d);
  }

  private static void writeInt(Vector values, int index, ColumnWriter column, int r, int d) {
    column.write((int) ((Vector.Longs) values).get(index), r, d);
  }

  private static void writeLong(Vector values, int index, ColumnWriter column, int r, int d) {
    column.write(((Vector.Longs) values).get(index), r, d);
  }

  private static void writeFloat(Vector values, int index, ColumnWriter column, int r, int d) {
    column.write(Float.intBitsToFloat((int) ((Vector.Longs) values).get(index)), r, d);
  }

  private static void writeDouble(Vector values, int index, ColumnWriter column, int r, int d) {
    column.write(Double.longBitsToDouble(((Vector.Longs) values).get(index)), r, d);
  }

  /** "Reused" makes Parquet copy what it keeps: the vector is filled again. */
  private static void writeBytes(Vector values, int index, ColumnWriter column, int r, int d) {
    Vector.Bytes bytes = (Vector.Bytes) values;
    column.write(
        Binary.fromReusedByteArray(bytes.array(), bytes.start(index), bytes.length(index)), r, d);
  }

  /** Writes the last bytes of each value, which hold all that a shorter two's complement needs. */
  private record LowBytes(int count) implements Scalar {

    @Override
    public void write(Vector values, int index, ColumnWriter column, int r, int d) {
      Vector.Bytes bytes = (Vector.Bytes) values;
      int start = bytes.start(index) + bytes.length(index) - count;
      column.write(Binary.fromReusedByteArray(bytes.array(), start, count), r, d);
    }
  }

  private static final class OfScalars extends Shredder {

    private final Scalar scalar;
    private final ColumnWriter column;

    OfScalars(Scalar scalar, boolean nullable, int parentLevel, ColumnWriter column) {
      super(nullable, parentLevel);
      this.scalar = scalar;
      this.column = column;
    }

    @Override
    void write(Vector values, int from, int to, int first, int others) {
      boolean nulls = nullable && values.hasNulls();
      int repetition = first;
      for (int i = from; i < to; i++) {
        if (nulls && values.isNull(i)) {
          column.writeNull(repetition, present - 1);
        } else {
          scalar.write(values, i, column, repetition, present);
        }
        repetition = others;
      }
    }

    @Override
    void writeAbsent(int repetition, int definition) {
      column.writeNull(repetition, definition);
    }
  }

  /** What has parts: a struct its fields, a list its elements, a map its keys and its values. */
  private abstract static sealed class OfGroups extends Shredder {

    final List<Shredder> parts = new ArrayList<>();

    OfGroups(boolean nullable, int parentLevel) {
      super(nullable, parentLevel);
    }

    @Override
    final void writeAbsent(int repetition, int definition) {
      for (Shredder part : parts) {
        part.writeAbsent(repetition, definition);
      }
    }
  }

  private static final class OfStructs extends OfGroups {

    OfStructs(
        FieldType.StructType type,
        boolean nullable,
        int parentLevel,
        int repeated,
        Iterator<ColumnWriter> columns) {
      super(nullable, parentLevel);
      parts.addAll(fields(type.schema(), present, repeated, columns));
    }

    /** Goes from one run of structs that are there, or that are null, to the next. */
    @Override
    void write(Vector values, int from, int to, int first, int others) {
      int start = from;
      int repetition = first;
      while (start < to) {
        boolean isNull = isNull(values, start);
        int end = start + 1;
        while (end < to && isNull(values, end) == isNull) {
          end++;
        }
        if (isNull) {
          writeNulls(end - start, repetition, others);
        } else {
          writeParts((Vector.Structs) values, start, end, repetition, others);
        }
        start = end;
        repetition = others;
      }
    }

    private boolean isNull(Vector values, int index) {
      return nullable && values.isNull(index);
    }

    private void writeNulls(int count, int first, int others) {
      for (int i = 0; i < count; i++) {
        writeAbsent(i == 0 ? first : others, present - 1);
      }
    }

    private void writeParts(Vector.Structs structs, int from, int to, int first, int others) {
      for (int i = 0; i < parts.size(); i++) {
        parts.get(i).write(structs.fields().get(i), from, to, first, others);
      }
    }
  }

  /** Lists and maps, whose parts lie in vectors of their own, a range for each list or map. */
  private static final class OfRanges extends OfGroups {

    /** The repetition level of all elements but a list's first. */
    private final int repeated;

    OfRanges(
        FieldType.ListType type,
        boolean nullable,
        int parentLevel,
        int repeated,
        Iterator<ColumnWriter> columns) {
      super(nullable, parentLevel);
      this.repeated = repeated;
      parts.add(one(type.element(), true, present + 1, repeated, columns));
    }

    OfRanges(
        FieldType.MapType type,
        boolean nullable,
        int parentLevel,
        int repeated,
        Iterator<ColumnWriter> columns) {
      super(nullable, parentLevel);
      this.repeated = repeated;
      parts.add(one(type.key(), false, present + 1, repeated, columns));
      parts.add(one(type.value(), true, present + 1, repeated, columns));
    }

    @Override
    void write(Vector values, int from, int to, int first, int others) {
      if (values instanceof Vector.Maps maps) {
        for (int i = from; i < to; i++) {
          int repetition = i == from ? first : others;
          if (writeRange(maps, i, maps.start(i), maps.end(i), repetition)) {
            parts.get(0).write(maps.keys(), maps.start(i), maps.end(i), repetition, repeated);
            parts.get(1).write(maps.values(), maps.start(i), maps.end(i), repetition, repeated);
          }
        }
      } else {
        Vector.Lists lists = (Vector.Lists) values;
        for (int i = from; i < to; i++) {
          int repetition = i == from ? first : others;
          if (writeRange(lists, i, lists.start(i), lists.end(i), repetition)) {
            parts
                .get(0)
                .write(lists.elements(), lists.start(i), lists.end(i), repetition, repeated);
          }
        }
      }
    }

    /** Writes a list or map that is null or empty, else returns true. */
    private boolean writeRange(Vector values, int index, int start, int end, int repetition) {
      if (nullable && values.isNull(index)) {
        writeAbsent(repetition, present - 1);
        return false;
      }
      if (start == end) {
        writeAbsent(repetition, present);
        return false;
      }
      return true;
    }
  }
}
