package io.filament.sink.s3.internal.encode;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Encodes the batches of one resource as the bytes of one object; the door of this package.
 *
 * <p>Used by one thread at a time. After a failure only {@link #close} may be called.
 */
public final class ResourceEncoder implements Closeable {

  private final String resource;
  private final Gatherer gatherer;
  private final Encoder encoder;
  private long rows;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    FINISHED,
    /** A call failed, or is on its way. */
    FAILED,
    CLOSED
  }

  private ResourceEncoder(String resource, Schema schema, Encoder encoder) {
    this.resource = resource;
    this.gatherer = new Gatherer(resource, schema);
    this.encoder = encoder;
  }

  /**
   * Refuses a schema that the format can't hold.
   *
   * @throws IllegalArgumentException with the resource, the field and the rule
   */
  public static void checkSchema(String resource, Schema schema, ObjectFormat format) {
    new SchemaRules(resource, format.format()).check(schema);
  }

  /**
   * Refuses the first batch of a resource as {@link #checkColumns(RecordBatch)} does, before there
   * is an encoder.
   *
   * @throws IllegalArgumentException with the resource, the field and the kinds
   */
  public static void checkFirstColumns(RecordBatch batch) {
    new Gatherer(batch.resource(), batch.schema()).source(batch);
  }

  /**
   * Returns an encoder that writes to {@code out}, which it never closes.
   *
   * @param threads shared by all resources of the run
   * @throws IllegalArgumentException as {@link #checkSchema} does
   * @throws IOException if a compressor's native library can't be loaded
   */
  public static ResourceEncoder open(
      String resource, Schema schema, ObjectFormat format, EncodeThreads threads, OutputStream out)
      throws IOException {
    checkSchema(resource, schema, format);
    return new ResourceEncoder(resource, schema, encoder(schema, format, threads, out));
  }

  private static Encoder encoder(
      Schema schema, ObjectFormat format, EncodeThreads threads, OutputStream out)
      throws IOException {
    return switch (format.format()) {
      case NDJSON, JSONL, JSON -> jsonEncoder(schema, format, threads, out);
      case PARQUET -> new ParquetEncoder(schema, format.compression(), out);
    };
  }

  private static Encoder jsonEncoder(
      Schema schema, ObjectFormat format, EncodeThreads threads, OutputStream out)
      throws IOException {
    return switch (format.compression()) {
      case NONE -> plainEncoder(schema, format, out);
      case GZIP -> compressing(schema, format, new GzipOutput(out, threads));
      case ZSTD -> compressing(schema, format, ZstdOutput.to(out));
      case SNAPPY -> throw new IllegalArgumentException("snappy compresses parquet alone");
    };
  }

  private static Encoder compressing(
      Schema schema, ObjectFormat format, CompressedOutput compressor) {
    return new CompressingEncoder(plainEncoder(schema, format, compressor), compressor);
  }

  private static Encoder plainEncoder(Schema schema, ObjectFormat format, OutputStream out) {
    return switch (format.format()) {
      case NDJSON, JSONL -> new NdjsonEncoder(schema, out);
      case JSON -> new JsonEncoder(schema, out);
      case PARQUET -> throw new IllegalArgumentException("parquet compresses its own pages");
    };
  }

  /**
   * Refuses a batch whose columns have another kind than their types take.
   *
   * @throws IllegalArgumentException with the resource, the field and the kinds
   */
  public void checkColumns(RecordBatch batch) {
    gatherer.source(batch);
  }

  /**
   * Encodes all records of a batch. What the batch itself throws passes through.
   *
   * @throws io.filament.sink.InvalidRecordException if a record doesn't fit; whole records before
   *     it may have been written
   * @throws IllegalArgumentException as {@link #checkColumns} does
   * @throws IOException if {@code out} failed
   */
  public void write(RecordBatch batch) throws IOException {
    requireOpen();
    Gatherer.Source source = gatherer.source(batch);
    state = State.FAILED;
    int count = batch.rowCount();
    int row = 0;
    while (row < count) {
      Slice slice = gatherer.gather(source, row, rows);
      encoder.encode(slice);
      row += slice.rows();
      rows += slice.rows();
    }
    gatherer.clear();
    state = State.OPEN;
  }

  /** Returns the records that were encoded. */
  public long rows() {
    return rows;
  }

  /** Ends the object. Called once, after the last batch. */
  public void finish() throws IOException {
    requireOpen();
    state = State.FAILED;
    encoder.finish();
    state = State.FINISHED;
  }

  /** Frees native memory. Writes nothing; idempotent. */
  @Override
  public void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      encoder.close();
    }
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          switch (state) {
            case OPEN, FINISHED -> "the object of \"" + resource + "\" has its end";
            case FAILED -> "the object of \"" + resource + "\" has failed";
            case CLOSED -> "the object of \"" + resource + "\" is closed";
          });
    }
  }
}
