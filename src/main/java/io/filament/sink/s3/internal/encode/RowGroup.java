package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;

/**
 * The rows of the row group that is being filled, in memory, field by field.
 *
 * <p>Rows come in steps of about the same number of bytes, and the size is looked at only where a
 * step ends. Where that is depends on the rows before and not on the slices that they come in, so
 * the same rows give the same bytes.
 */
final class RowGroup {

  /** How many steps make a full row group. */
  private static final int STEPS = 64;

  private final ChunkWorkspace workspace;
  private final long limitBytes;
  private final long stepBytes;
  private final List<ColumnBuffer> fields = new ArrayList<>();

  private long rows;
  private int openRows;
  private long openBytes;

  RowGroup(
      Schema schema,
      MessageType type,
      ParquetProperties properties,
      ChunkWorkspace workspace,
      long limitBytes) {
    this.workspace = workspace;
    this.limitBytes = limitBytes;
    this.stepBytes = Math.max(1, limitBytes / STEPS);
    for (int i = 0; i < schema.fields().size(); i++) {
      Field field = schema.fields().get(i);
      MessageType alone = new MessageType(type.getName(), type.getType(i));
      fields.add(
          isNested(field.type())
              ? new NestedColumns(field, alone, properties, workspace)
              : new FlatColumn(alone.getColumns().get(0), PlainValues.of(field.type()), workspace));
    }
  }

  static boolean isNested(FieldType type) {
    return type instanceof FieldType.ListType
        || type instanceof FieldType.StructType
        || type instanceof FieldType.MapType;
  }

  /** Returns where the step or the slice ends. */
  int reach(Slice slice, int from) {
    return RowBytes.reach(slice, from, stepBytes - openBytes);
  }

  /** Returns about how many bytes of memory it has. */
  long allocated() {
    long bytes = 0;
    for (ColumnBuffer field : fields) {
      bytes += field.allocated();
    }
    return bytes;
  }

  /** Returns about how many bytes of memory its nested fields have. */
  long nestedAllocated() {
    long bytes = 0;
    for (ColumnBuffer field : fields) {
      if (field instanceof NestedColumns) {
        bytes += field.allocated();
      }
    }
    return bytes;
  }

  /** Returns about how many bytes of memory rows would take more. */
  long growth(Slice slice, int from, int to) {
    long bytes = 0;
    for (int i = 0; i < fields.size(); i++) {
      bytes += fields.get(i).growth(slice.vectors().get(i), from, to);
    }
    return bytes;
  }

  /** Writes rows, which are no more than {@link #reach} says. */
  void write(Slice slice, int from, int to) {
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).put(slice.vectors().get(i), from, to);
    }
    rows += to - from;
    openRows += to - from;
    openBytes += RowBytes.between(slice, from, to);
    if (openBytes >= stepBytes) {
      endStep();
    }
  }

  private void endStep() {
    for (ColumnBuffer field : fields) {
      field.endStep(openRows);
    }
    openRows = 0;
    openBytes = 0;
  }

  /** Returns whether the row group has reached its limit. Within a step, it has not. */
  boolean isFull() {
    return openRows == 0 && bytes() >= limitBytes;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  /** Returns about how many bytes its rows have. */
  long bytes() {
    long bytes = 0;
    for (ColumnBuffer field : fields) {
      bytes += field.bytes();
    }
    return bytes;
  }

  /** Writes the row group on the caller's thread, after which the next one begins. */
  void writeTo(ParquetFileWriter file) throws IOException {
    endStep();
    file.startBlock(rows);
    PageOutput pages = new PagesInTurn(file, workspace);
    for (ColumnBuffer field : fields) {
      field.writeTo(pages);
    }
    file.endBlock();
    rows = 0;
  }

  /** Does the same with the help of other threads, unless there is too little for them. */
  void writeTo(ParquetFileWriter file, EncodeThreads threads) throws IOException {
    if (threads.count() == 1 || bytes() < PagesBeside.LEAST_BYTES) {
      writeTo(file);
      return;
    }
    endStep();
    file.startBlock(rows);
    try (PagesBeside pages = new PagesBeside(file, workspace, threads);
        ColumnsAhead columns = new ColumnsAhead(fields, workspace, threads)) {
      for (int i = 0; i < fields.size(); i++) {
        columns.put(i, pages);
      }
      pages.writeAll();
    }
    file.endBlock();
    rows = 0;
  }
}
