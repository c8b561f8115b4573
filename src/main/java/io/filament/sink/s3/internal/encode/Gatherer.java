package io.filament.sink.s3.internal.encode;

import io.filament.sink.Column;
import io.filament.sink.Field;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.RecordBatch.Misfit;
import io.filament.sink.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one resource's batches, checks each value and fills a {@link Slice} with
 * them. Rows are read one after the other, so the first that doesn't fit is the one that is named,
 * and a slice can be cut by the size of its values.
 *
 * <p>What a host's batch throws passes through.
 */
final class Gatherer {

  /** The records of a slice at most. */
  static final int MAX_ROWS = 1024;

  /** A slice takes no further record once its values have this size; one record may have more. */
  static final long MAX_BYTES = 1 << 20;

  private final String resource;
  private final Schema schema;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Vector> vectors = new ArrayList<>();

  Gatherer(String resource, Schema schema) {
    this.resource = resource;
    this.schema = schema;
    for (Field field : schema.fields()) {
      Vector vector = Vector.of(field.type());
      vectors.add(vector);
      slots.add(Slot.of(field.type(), vector, field.nullable()));
    }
  }

  /** Moves the value of a row, which may be null, from a column to its vector. */
  interface RowSource {

    void read(int row);
  }

  /**
   * Returns a source for each column of a batch.
   *
   * @throws IllegalArgumentException if a column has another kind than its type takes
   */
  List<RowSource> sources(RecordBatch batch) {
    List<RowSource> sources = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      Column column = Objects.requireNonNull(batch.column(i), "column");
      RowSource source = source(column, slots.get(i));
      if (source == null) {
        throw wrongKind(schema.fields().get(i), slots.get(i).intake(), column);
      }
      sources.add(source);
    }
    return sources;
  }

  /**
   * Fills the slice with as many records as it takes, at least one.
   *
   * @param row the first record, by its number in the batch
   * @param rowOfRun the same record's number over the run
   * @return a slice that is filled again by the next call
   */
  Slice gather(RecordBatch batch, List<RowSource> sources, int row, long rowOfRun)
      throws InvalidRecordException {
    clear();
    int end = (int) Math.min(batch.rowCount(), row + (long) MAX_ROWS);
    int next = row;
    do {
      gatherRow(batch, sources, next, rowOfRun + (next - row));
      next++;
    } while (next < end && bytes() < MAX_BYTES);
    return new Slice(schema, vectors, next - row);
  }

  /** Forgets the slice, and with it the memory of an unusually large record. */
  void clear() {
    vectors.forEach(Vector::clear);
  }

  private void gatherRow(RecordBatch batch, List<RowSource> sources, int row, long rowOfRun)
      throws InvalidRecordException {
    Optional<Misfit> misfit = batch.misfit(row);
    if (misfit.isPresent()) {
      Misfit found = misfit.get();
      throw new InvalidRecordException(resource, rowOfRun, found.field(), found.problem(), null);
    }
    for (int i = 0; i < sources.size(); i++) {
      try {
        sources.get(i).read(row);
      } catch (UnfitValueException e) {
        String path = schema.fields().get(i).name() + e.path();
        throw new InvalidRecordException(resource, rowOfRun, path, e.problem(), null);
      }
    }
  }

  private long bytes() {
    long sum = 0;
    for (Vector vector : vectors) {
      sum += vector.bytes();
    }
    return sum;
  }

  /** Returns null if the field's type doesn't take columns of this kind. */
  private static @Nullable RowSource source(Column column, Slot slot) {
    Intake intake = slot.intake();
    if (column instanceof Column.Boxed objects) {
      return row -> slot.put(objects.isNull(row) ? null : objects.objectAt(row));
    }
    if (column instanceof Column.Longs longs && intake instanceof Intake.OfLongs taker) {
      return unlessNull(column, slot, row -> taker.takeLong(longs.longAt(row)));
    }
    if (column instanceof Column.Doubles doubles && intake instanceof Intake.OfDoubles taker) {
      return unlessNull(column, slot, row -> taker.takeDouble(doubles.doubleAt(row)));
    }
    if (column instanceof Column.Bytes bytes && intake instanceof Intake.OfBytes taker) {
      Column.BytesTarget target = taker.target();
      return unlessNull(
          column,
          slot,
          row -> {
            bytes.bytesAt(row, target);
            taker.endBytes();
          });
    }
    return null;
  }

  private static RowSource unlessNull(Column column, Slot slot, RowSource present) {
    return row -> {
      if (column.isNull(row)) {
        slot.putNull();
      } else {
        present.read(row);
      }
    };
  }

  private IllegalArgumentException wrongKind(Field field, Intake intake, Column column) {
    StringJoiner taken = new StringJoiner(" or ");
    if (intake instanceof Intake.OfLongs) {
      taken.add("Column.Longs");
    }
    if (intake instanceof Intake.OfDoubles) {
      taken.add("Column.Doubles");
    }
    if (intake instanceof Intake.OfBytes) {
      taken.add("Column.Bytes");
    }
    taken.add("Column.Boxed");
    return new IllegalArgumentException(
        "resource \""
            + resource
            + "\", field \""
            + field.name()
            + "\": "
            + field.type()
            + " takes "
            + taken
            + ", not "
            + kind(column));
  }

  private static String kind(Column column) {
    if (column instanceof Column.Longs) {
      return "Column.Longs";
    }
    if (column instanceof Column.Doubles) {
      return "Column.Doubles";
    }
    return column instanceof Column.Bytes ? "Column.Bytes" : "Column.Boxed";
  }
}
