package io.filament.sink.s3.internal.encode;

import io.filament.sink.Compression;
import io.filament.sink.Schema;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.util.Map;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as a Parquet file, a row group at a time.
 *
 * <p>It stands on parquet-java's file writer, without its record API, so that neither Hadoop nor an
 * object a record is needed. {@link ParquetSchema} tells the types, {@link RowGroup} what is held
 * in memory; {@link FlatColumn} encodes scalar fields, {@link NestedColumns} all others.
 *
 * <p>The heap that it needs is that of one row group, and a kibibyte for each column of each row
 * group written, for the footer.
 */
final class ParquetEncoder implements Encoder {

  static final long ROW_GROUP_BYTES = 16L << 20;

  /** Small against a row group, so that most of its bytes are in finished pages, compressed. */
  private static final int PAGE_BYTES = 256 << 10;

  private static final int DICTIONARY_BYTES = 1 << 20;

  /** How many rows may go by until Parquet looks again whether a page is large enough. */
  private static final int PAGE_CHECK_ROWS = 32;

  private final Schema schema;
  private final MessageType type;
  private final ParquetProperties properties;
  private final PageCompressor compressor;
  private final UnclosedOutput output;
  private final ParquetFileWriter file;
  private final long rowGroupBytes;

  private @Nullable RowGroup rowGroup;
  private boolean usable = true;
  private boolean closed;

  ParquetEncoder(Schema schema, Compression compression, OutputStream out) throws IOException {
    this(schema, compression, out, ROW_GROUP_BYTES);
  }

  /**
   * @param rowGroupBytes from how many bytes in memory on a row group is written out
   */
  ParquetEncoder(Schema schema, Compression compression, OutputStream out, long rowGroupBytes)
      throws IOException {
    this.schema = schema;
    this.type = ParquetSchema.of(schema);
    this.rowGroupBytes = rowGroupBytes;
    this.properties =
        ParquetProperties.builder()
            // Format 2 is smaller by an eighth, but some engines still can't read it.
            .withWriterVersion(WriterVersion.PARQUET_1_0)
            .withPageSize(PAGE_BYTES)
            .withDictionaryPageSize(DICTIONARY_BYTES)
            .withMinRowCountForPageSizeCheck(1)
            .withMaxRowCountForPageSizeCheck(PAGE_CHECK_ROWS)
            .withPageWriteChecksumEnabled(true)
            .withColumnIndexTruncateLength(ShortBounds.BOUND_BYTES)
            .build();
    this.output = new UnclosedOutput(out);
    this.file =
        new ParquetFileWriter(
            output, type, ParquetFileWriter.Mode.CREATE, rowGroupBytes, 0, null, properties);
    this.compressor = PageCompressor.of(compression);
  }

  @Override
  public void encode(Slice slice) throws IOException {
    guard(() -> encodeRows(slice));
  }

  private void encodeRows(Slice slice) throws IOException {
    int row = 0;
    while (row < slice.rows()) {
      if (rowGroup == null) {
        rowGroup = new RowGroup(schema, type, properties, compressor, rowGroupBytes);
      }
      row = rowGroup.write(slice, row);
      if (rowGroup.isFull()) {
        writeRowGroup(rowGroup);
      }
    }
  }

  private void writeRowGroup(RowGroup full) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while writing a Parquet row group");
    }
    start();
    full.writeTo(file);
  }

  /** Begins the file, unless it has begun. An encoder without a full row group writes nothing. */
  private void start() throws IOException {
    if (output.getPos() == 0) {
      file.start();
    }
  }

  @Override
  public void finish() throws IOException {
    guard(
        () -> {
          if (rowGroup != null && !rowGroup.isEmpty()) {
            writeRowGroup(rowGroup);
          }
          rowGroup = null;
          start();
          file.end(Map.of());
        });
    usable = false;
  }

  /** Something that may fail, after which nothing more is written. */
  private interface Action {
    void run() throws IOException;
  }

  private void guard(Action action) throws IOException {
    if (!usable) {
      throw new IllegalStateException("the encoder has failed, is finished or is closed");
    }
    usable = false;
    try {
      action.run();
    } catch (IOException | ParquetRuntimeException e) {
      throw failure(e);
    }
    usable = true;
  }

  private IOException failure(Exception e) {
    IOException cause = output.failure();
    if (cause != null) {
      return cause;
    }
    if (e instanceof ClosedByInterruptException) {
      // Parquet writes through a channel, which refuses an interrupted thread and keeps its flag.
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while writing a Parquet row group");
      interrupted.initCause(e);
      return interrupted;
    }
    return e instanceof IOException io
        ? io
        : new IOException("Parquet can't write the records: " + e.getMessage(), e);
  }

  /** Frees the compressor. Column and page buffers are on the heap. */
  @Override
  public void close() {
    usable = false;
    rowGroup = null;
    if (!closed) {
      closed = true;
      compressor.release();
    }
  }
}
