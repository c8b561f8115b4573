package io.filament.sink.s3.internal.encode;

import io.filament.sink.Column;
import org.jspecify.annotations.Nullable;

/**
 * Moves the values of a batch's column to the vector of its field, some rows at a time: a loop over
 * one column is several times faster than one over all columns of a row.
 */
interface ColumnSource {

  /**
   * Moves the values of the rows from {@code from} on, which may be null, until {@code to} or until
   * the vector has {@code maxBytes}; at least one. If a value is refused, those before it have been
   * moved.
   */
  void read(int from, int to, long maxBytes);

  /** Returns null if the field's type doesn't take columns of this kind. */
  static @Nullable ColumnSource of(Column column, Slot slot) {
    Intake intake = slot.intake();
    if (column instanceof Column.Boxed objects) {
      return (from, to, maxBytes) -> readObjects(objects, slot, from, to, maxBytes);
    }
    if (column instanceof Column.Longs longs && intake instanceof Intake.OfLongs taker) {
      return (from, to, maxBytes) -> readLongs(longs, taker, slot, from, to);
    }
    if (column instanceof Column.Doubles doubles && intake instanceof Intake.OfDoubles taker) {
      return (from, to, maxBytes) -> readDoubles(doubles, taker, slot, from, to);
    }
    if (column instanceof Column.Bytes bytes && intake instanceof Intake.OfBytes taker) {
      return (from, to, maxBytes) -> readBytes(bytes, taker, slot, from, to, maxBytes);
    }
    return null;
  }

  private static void readObjects(Column.Boxed column, Slot slot, int from, int to, long maxBytes) {
    Vector vector = slot.vector();
    int row = from;
    do {
      slot.put(column.isNull(row) ? null : column.objectAt(row));
      row++;
    } while (row < to && vector.bytes() < maxBytes);
  }

  private static void readLongs(
      Column.Longs column, Intake.OfLongs intake, Slot slot, int from, int to) {
    Vector.Longs vector = (Vector.Longs) slot.vector();
    int row = from;
    while (row < to) {
      row = readLongsThatFit(column, intake.min(), intake.max(), vector, row, to);
      if (row < to) {
        if (column.isNull(row)) {
          slot.putNull();
        } else {
          intake.takeLong(column.longAt(row));
        }
        row++;
      }
    }
  }

  /** Moves values until one is null or refused, and returns its row, or {@code to}. */
  private static int readLongsThatFit(
      Column.Longs column, long min, long max, Vector.Longs vector, int from, int to) {
    long[] values = vector.room(to - from);
    int offset = vector.size() - from;
    int row = from;
    try {
      while (row < to && !column.isNull(row)) {
        long value = column.longAt(row);
        if (value < min || value > max) {
          break;
        }
        values[offset + row] = value;
        row++;
      }
    } finally {
      vector.added(row - from);
    }
    return row;
  }

  private static void readDoubles(
      Column.Doubles column, Intake.OfDoubles intake, Slot slot, int from, int to) {
    for (int row = from; row < to; row++) {
      if (column.isNull(row)) {
        slot.putNull();
      } else {
        intake.takeDouble(column.doubleAt(row));
      }
    }
  }

  private static void readBytes(
      Column.Bytes column, Intake.OfBytes intake, Slot slot, int from, int to, long maxBytes) {
    int first = slot.vector().size();
    if (intake.keepsBytes()
        && column instanceof Column.PackedBytes packed
        && putAll(packed, slot, from, to, maxBytes)) {
      intake.checkEnded(first);
      return;
    }
    try {
      putBytes(column, intake, slot, from, to, maxBytes);
    } catch (RuntimeException | Error e) {
      intake.checkEnded(first); // a value that is refused comes before what has failed
      throw e;
    }
    intake.checkEnded(first);
  }

  /**
   * Puts values all at once, or none of them: if one is refused, if they are large, or if the
   * host's column fails. Read one by one, it turns out which it is.
   */
  private static boolean putAll(
      Column.PackedBytes column, Slot slot, int from, int to, long maxBytes) {
    Vector.Bytes vector = (Vector.Bytes) slot.vector();
    int first = vector.size();
    try {
      int[] offsets = column.offsets();
      long bytes = offsets[to] - (long) offsets[from] + Integer.BYTES * (long) (to - from);
      if (bytes <= maxBytes - vector.bytes()
          && vector.addAll(column.bytes(), offsets, from, to)
          && setNulls(column, slot, from, to, first)) {
        return true;
      }
    } catch (RuntimeException e) {
      // It comes again.
    }
    vector.truncate(first);
    return false;
  }

  /** Marks those that are null of values that were added. A null must not have any bytes. */
  private static boolean setNulls(Column column, Slot slot, int from, int to, int first) {
    Vector.Bytes vector = (Vector.Bytes) slot.vector();
    for (int row = from; row < to; row++) {
      if (column.isNull(row)) {
        int index = first + row - from;
        if (!slot.nullable() || vector.length(index) > 0) {
          return false;
        }
        vector.nulls().set(index);
      }
    }
    return true;
  }

  private static void putBytes(
      Column.Bytes column, Intake.OfBytes intake, Slot slot, int from, int to, long maxBytes) {
    Column.BytesTarget target = intake.target();
    Vector vector = slot.vector();
    int row = from;
    do {
      if (column.isNull(row)) {
        slot.putNull();
      } else {
        column.bytesAt(row, target);
        intake.endBytes();
      }
      row++;
    } while (row < to && vector.bytes() < maxBytes);
  }
}
