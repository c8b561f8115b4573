package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;

/**
 * The rows of one row group, in memory: finished pages compressed, one open page a column.
 *
 * <p>Rows come in steps of about the same number of bytes. Pages are cut, and the size is looked
 * at, only where a step ends. Where that is depends on the rows before and not on the slices that
 * they come in, so the same rows give the same bytes.
 */
final class RowGroup {

  /** How many steps make a full row group of values that don't compress. */
  private static final int STEPS = 64;

  private final long limitBytes;
  private final long stepBytes;
  private final ColumnChunkPageWriteStore pages;
  private final Dictionaries dictionaries = new Dictionaries();
  private final ColumnWriteStore columns;
  private final List<Shredder> fields;

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
    this.pages =
        ColumnChunkPageWriteStore.builder()
            .withSchema(type)
            .withCompressorProvider(column -> compressor)
            .withAllocator(properties.getAllocator())
            .withColumnIndexTruncateLength(properties.getColumnIndexTruncateLength())
            .withPageWriteChecksumEnabled(properties.getPageWriteChecksumEnabled())
            .build();
    this.columns =
        ParquetProperties.copy(properties)
            .withValuesWriterFactory(dictionaries)
            .build()
            .newColumnWriteStore(type, new ShortBounds(pages));
    this.fields =
        Shredder.of(schema, type.getColumns().stream().map(columns::getColumnWriter).iterator());
  }

  /** Writes rows from {@code from} until the step or the slice ends, and returns where. */
  int write(Slice slice, int from) {
    int to = RowBytes.reach(slice, from, stepBytes - openBytes);
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).write(slice.vectors().get(i), from, to, 0, 0);
    }
    rows += to - from;
    openRows += to - from;
    openBytes += RowBytes.between(slice, from, to);
    if (openBytes >= stepBytes) {
      endStep();
    }
    return to;
  }

  /** Ends the step's records, at which Parquet cuts pages that are large enough. */
  private void endStep() {
    for (int i = 0; i < openRows; i++) {
      columns.endRecord();
    }
    openRows = 0;
    openBytes = 0;
  }

  /** Returns whether the row group has reached its limit. Within a step, it has not. */
  boolean isFull() {
    return openRows == 0 && heapBytes() >= limitBytes;
  }

  /**
   * Returns about how many bytes of heap the row group takes. Of dictionaries, Parquet counts only
   * those still in use, and of these what they will take in the file, while in memory they are hash
   * tables of several times that size.
   */
  private long heapBytes() {
    return columns.getAllocatedSize() + dictionaries.bytes();
  }

  /** Writes the row group, after which it takes no more rows. */
  void writeTo(ParquetFileWriter file) throws IOException {
    endStep();
    file.startBlock(rows);
    columns.flush();
    pages.flushToFileWriter(file);
    file.endBlock();
  }
}
