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
 * them. Records are read in blocks of some rows, a block column by column. Which record is the
 * first that doesn't fit, and where a slice ends, is what it would be if they were read row by row.
 *
 * <p>What a host's batch throws passes through.
 */
final class Gatherer {

  /** The records of a slice at most. */
  static final int MAX_ROWS = 1024;

  /** A slice takes no further record once its values have this size; one record may have more. */
  static final long MAX_BYTES = 1 << 20;

  /** What the memory of a slice is at most, unless one record has more. */
  static final long MAX_ALLOCATED_BYTES = 2 * MAX_BYTES;

  /** By how much a block may pass a slice's end, since the sizes of its rows are a guess. */
  private static final long SLACK_BYTES = MAX_BYTES / 4;

  private final String resource;
  private final Schema schema;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Vector> vectors = new ArrayList<>();

  /** What a row has had lately, from which follows how many are read at once. */
  private long rowBytes = MAX_BYTES;

  /** What a slice took that was read into no memory of others. */
  private long needed;

  Gatherer(String resource, Schema schema) {
    this.resource = resource;
    this.schema = schema;
    for (Field field : schema.fields()) {
      Vector vector = Vector.of(field.type());
      vectors.add(vector);
      slots.add(Slot.of(field.type(), vector, field.nullable()));
    }
  }

  /** The columns of a batch, and which of its records have been asked for as a whole. */
  static final class Source {

    private final RecordBatch batch;
    private final List<ColumnSource> columns;
    private int asked;
    private @Nullable Misfit misfit;

    private Source(RecordBatch batch, List<ColumnSource> columns) {
      this.batch = batch;
      this.columns = columns;
    }

    /** Returns the first record before {@code to} that is wrong as a whole, or {@code to}. */
    private int firstMisfit(int to) {
      while (misfit == null && asked < to) {
        Optional<Misfit> found = batch.misfit(asked);
        asked++;
        misfit = found.orElse(null);
      }
      return misfit == null ? to : Math.min(to, asked - 1);
    }
  }

  /**
   * Returns a source for the columns of a batch.
   *
   * @throws IllegalArgumentException if a column has another kind than its type takes
   */
  Source source(RecordBatch batch) {
    List<ColumnSource> columns = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      Column column = Objects.requireNonNull(batch.column(i), "column");
      ColumnSource source = ColumnSource.of(column, slots.get(i));
      if (source == null) {
        throw wrongKind(schema.fields().get(i), slots.get(i).intake(), column);
      }
      columns.add(source);
    }
    return new Source(batch, columns);
  }

  /**
   * Fills the slice with as many records as it takes, at least one.
   *
   * @param row the first record, by its number in the batch
   * @param rowOfRun the same record's number over the run
   * @return a slice that is filled again by the next call
   */
  Slice gather(Source source, int row, long rowOfRun) throws InvalidRecordException {
    clear();
    int end = (int) Math.min(source.batch.rowCount(), row + (long) MAX_ROWS);
    int next = row;
    long bytes = 0;
    do {
      int from = next;
      int to = (int) Math.min(end, from + Math.max(1, (MAX_BYTES - bytes) / rowBytes));
      long before = bytes;
      next = gatherBlock(source, from, to, row, rowOfRun, MAX_BYTES - bytes);
      bytes = bytes();
      boolean isLarger = next < to;
      rowBytes = Math.max(1, isLarger ? (bytes - before) / (next - from) : bytes / (next - row));
    } while (next < end && bytes < MAX_BYTES);
    Slice slice = new Slice(schema, vectors, next - row);
    return fitted(bytes < MAX_BYTES ? slice : cut(slice), source, row, rowOfRun);
  }

  /**
   * Returns the slice with less memory if arrays have the sizes of other records: it is read once
   * more.
   */
  private Slice fitted(Slice slice, Source source, int row, long rowOfRun)
      throws InvalidRecordException {
    boolean hasLargeRecord = bytes() > MAX_BYTES + SLACK_BYTES;
    if (hasLargeRecord || allocatedBytes() <= Math.max(MAX_ALLOCATED_BYTES, needed)) {
      return slice;
    }
    drop();
    gatherBlock(source, row, row + slice.rows(), row, rowOfRun, Long.MAX_VALUE / 2);
    needed = Math.max(needed, allocatedBytes());
    return new Slice(schema, vectors, slice.rows());
  }

  private Slice cut(Slice slice) {
    int rows = RowBytes.reach(slice, 0, MAX_BYTES);
    if (rows < slice.rows()) {
      truncate(vectors.size() - 1, rows);
    }
    return new Slice(schema, vectors, rows);
  }

  private void truncate(int lastField, int rows) {
    for (Vector vector : vectors.subList(0, lastField + 1)) {
      vector.truncate(rows);
    }
  }

  /** Returns about how much memory the next slice takes, of so many rows or fewer. */
  long expectedBytes(int rows) {
    return 2 * Math.min(MAX_BYTES, rowBytes * Math.min(rows, MAX_ROWS));
  }

  /** Returns about how many bytes of memory the slice has, whether they are in use or not. */
  long allocatedBytes() {
    long sum = 0;
    for (Vector vector : vectors) {
      sum += vector.allocated();
    }
    return sum;
  }

  /** Forgets the slice and nearly all of its memory. */
  void drop() {
    clear();
    vectors.forEach(Vector::drop);
  }

  /** Forgets the slice, and with it the memory of an unusually large record. */
  void clear() {
    vectors.forEach(Vector::clear);
  }

  /**
   * Reads a block of rows. Where one doesn't fit, the columns after it are read up to that row:
   * they may have an earlier one.
   *
   * @param left what the slice may still take
   * @return where the block ends, which is before {@code to} if its rows are larger than expected
   */
  private int gatherBlock(
      Source source, int from, int to, int sliceStart, long sliceOfRun, long left)
      throws InvalidRecordException {
    int misfitRow = source.firstMisfit(to);
    int end = misfitRow;
    Throwable failure = null;
    int failedField = 0;
    long limit = bytes() + left + SLACK_BYTES;
    long room = left + SLACK_BYTES;
    for (int i = 0; i < vectors.size() && end > from; i++) {
      Vector vector = vectors.get(i);
      long before = vector.bytes();
      Throwable thrown = null;
      try {
        source.columns.get(i).read(from, end, before + room);
      } catch (RuntimeException | Error e) {
        thrown = e;
        failedField = i;
      }
      room -= vector.bytes() - before;
      int read = sliceStart + vector.size();
      if (thrown != null || read < end) {
        // Of what comes after this row nothing is known: it is read again, or never.
        failure = thrown;
        end = read;
      }
      if (thrown == null && room <= 0 && i < vectors.size() - 1 && end > from + 1) {
        // What the other fields have of so many rows would have no room.
        failure = null;
        end = fewer(vector, from, end, sliceStart, limit - bytes());
        truncate(i, end - sliceStart);
        room = limit - bytes();
      }
    }
    if (failure != null) {
      throw failed(failure, failedField, sliceOfRun + (end - sliceStart));
    }
    if (end == misfitRow && misfitRow < to) {
      throw misfit(source, sliceOfRun + (end - sliceStart));
    }
    truncate(vectors.size() - 1, end - sliceStart);
    return end;
  }

  /**
   * Returns an earlier end of a block whose values in one field have left too little room: before
   * the last row if that is much larger than all before, or it would be read again and again.
   *
   * @param room what is left with the last row, less than nothing
   */
  private static int fewer(Vector vector, int from, int end, int sliceStart, long room) {
    long last = vector.bytes() - RowBytes.before(vector, end - 1 - sliceStart);
    return room + last >= MAX_BYTES / 2 ? end - 1 : from + (end - from) / 2;
  }

  private InvalidRecordException misfit(Source source, long row) {
    Misfit found = Objects.requireNonNull(source.misfit, "misfit");
    return new InvalidRecordException(resource, row, found.field(), found.problem(), null);
  }

  /** Returns the failure of a value, or throws what the host's batch has thrown. */
  private InvalidRecordException failed(Throwable failure, int field, long row) {
    if (failure instanceof UnfitValueException unfit) {
      String path = schema.fields().get(field).name() + unfit.path();
      return new InvalidRecordException(resource, row, path, unfit.problem(), null);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  private long bytes() {
    long sum = 0;
    for (Vector vector : vectors) {
      sum += vector.bytes();
    }
    return sum;
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
