package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.Schema;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one list, struct or map, written value by value by parquet-java's column writers:
 * finished pages compressed, one open page a column.
 */
final class NestedColumns implements ColumnBuffer {

  /** What is allocated for a byte that Parquet's stores count: slabs are never quite full. */
  private static final int ALLOCATED_SHARE = 2;

  /** What Parquet's stores take for a column without values: measured. */
  static final long LEAF_BYTES = 22 << 10;

  private final Schema schema;
  private final MessageType type;
  private final ParquetProperties properties;
  private final BytesInputCompressor compressor;
  private @Nullable Open open;

  NestedColumns(
      Field field,
      MessageType type,
      ParquetProperties properties,
      BytesInputCompressor compressor) {
    this.schema = Schema.of(List.of(field));
    this.type = type;
    this.properties = properties;
    this.compressor = compressor;
  }

  @Override
  public void put(Vector values, int from, int to) {
    open().shredder.write(values, from, to, 0, 0);
  }

  /** Ends the step's records, at which Parquet cuts pages that are large enough. */
  @Override
  public void endStep(int rows) {
    ColumnWriteStore columns = open().columns;
    for (int i = 0; i < rows; i++) {
      columns.endRecord();
    }
  }

  @Override
  public long bytes() {
    return open == null ? 0 : open.bytes();
  }

  @Override
  public long allocated() {
    return open == null
        ? 0
        : LEAF_BYTES * type.getColumns().size() + ALLOCATED_SHARE * open.bytes();
  }

  @Override
  public long growth(Vector values, int from, int to) {
    long start = open == null ? LEAF_BYTES * type.getColumns().size() : 0;
    return start + ALLOCATED_SHARE * values.bytes() * (to - from) / Math.max(1, values.size());
  }

  /** On the caller's thread, in turn: most of its pages are compressed before. */
  @Override
  public void writeTo(PageOutput pages) throws IOException {
    pages.then(this::writeTo);
  }

  void writeTo(ParquetFileWriter file) throws IOException {
    Open full = open();
    full.columns.flush();
    full.pages.flushToFileWriter(file);
    open = null;
  }

  private Open open() {
    if (open == null) {
      open = new Open();
    }
    return open;
  }

  /** Parquet's stores of columns and pages, which serve for one row group. */
  private final class Open {

    final ColumnChunkPageWriteStore pages =
        ColumnChunkPageWriteStore.builder()
            .withSchema(type)
            .withCompressorProvider(column -> compressor)
            .withAllocator(properties.getAllocator())
            .withColumnIndexTruncateLength(properties.getColumnIndexTruncateLength())
            .withPageWriteChecksumEnabled(properties.getPageWriteChecksumEnabled())
            .build();
    final Dictionaries dictionaries = new Dictionaries();
    final ColumnWriteStore columns =
        ParquetProperties.copy(properties)
            .withValuesWriterFactory(dictionaries)
            .build()
            .newColumnWriteStore(type, new ShortBounds(pages));
    final Shredder shredder =
        Shredder.of(schema, type.getColumns().stream().map(columns::getColumnWriter).iterator())
            .get(0);

    /**
     * Of dictionaries, Parquet counts only those still in use, and of these what they will take in
     * the file, while in memory they are hash tables of several times that size.
     */
    long bytes() {
      return columns.getAllocatedSize() + dictionaries.bytes();
    }
  }
}
