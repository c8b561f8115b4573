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
      PageCompressor compressor,
      long limitBytes) {
    this.limitBytes = limitBytes;
    this.stepBytes = Math.max(1, limitBytes / STEPS);
    ChunkWorkspace workspace = ChunkWorkspace.with(compressor);
    for (int i = 0; i < schema.fields().size(); i++) {
      Field field = schema.fields().get(i);
      MessageType alone = new MessageType(type.getName(), type.getType(i));
      fields.add(
          isNested(field.type())
              ? new NestedColumns(field, alone, properties, compressor)
              : new FlatColumn(alone.getColumns().get(0), PlainValues.of(field.type()), workspace));
    }
  }

  private static boolean isNested(FieldType type) {
    return type instanceof FieldType.ListType
        || type instanceof FieldType.StructType
        || type instanceof FieldType.MapType;
  }

  /** Writes rows from {@code from} until the step or the slice ends, and returns where. */
  int write(Slice slice, int from) {
    int to = RowBytes.reach(slice, from, stepBytes - openBytes);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).put(slice.vectors().get(i), from, to);
    }
    rows += to - from;
    openRows += to - from;
    openBytes += RowBytes.between(slice, from, to);
    if (openBytes >= stepBytes) {
      endStep();
    }
    return to;
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

  private long bytes() {
    long bytes = 0;
    for (ColumnBuffer field : fields) {
      bytes += field.bytes();
    }
    return bytes;
  }

  /** Writes the row group, after which the next one begins. */
  void writeTo(ParquetFileWriter file) throws IOException {
    endStep();
    file.startBlock(rows);
    for (ColumnBuffer field : fields) {
      field.writeTo(file);
    }
    file.endBlock();
    rows = 0;
  }
}
