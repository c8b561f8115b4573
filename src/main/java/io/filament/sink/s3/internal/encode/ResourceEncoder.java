package io.filament.sink.s3.internal.encode;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Encodes the batches of one resource as the bytes of one object; the door of this package.
 *
 * <p>Used by one thread at a time. After a failure only {@link #close} may be called.
 */
public final class ResourceEncoder implements Closeable {

  /** What must be left for the records that are being encoded. */
  public static final long ROOM_BYTES = Gatherer.MAX_ALLOCATED_BYTES;

  private final String resource;
  private final Gatherer gatherer;
  private final Encoder encoder;
  private final ResourceMemory memory;

  /** What is reserved for the records that are being encoded. */
  private long held;

  private boolean hasSlice;
  private boolean isWriting;
  private long rows;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    FINISHED,
    /** A call failed, or is on its way. */
    FAILED,
    CLOSED
  }

  private ResourceEncoder(String resource, Schema schema, Encoder encoder, ResourceMemory memory) {
    this.resource = resource;
    this.gatherer = new Gatherer(resource, schema);
    this.encoder = encoder;
    this.memory = memory;
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
   * @throws IllegalArgumentException as {@link #checkSchema} does
   * @throws IOException if a compressor's native library can't be loaded
   */
  public static ResourceEncoder open(
      String resource, Schema schema, ObjectFormat format, EncodeContext context, OutputStream out)
      throws IOException {
    checkSchema(resource, schema, format);
    return new ResourceEncoder(
        resource, schema, encoder(schema, format, context, out), context.memory());
  }

  /** Returns an encoder without a bound that shares nothing but threads. */
  public static ResourceEncoder open(
      String resource, Schema schema, ObjectFormat format, EncodeThreads threads, OutputStream out)
      throws IOException {
    return open(resource, schema, format, EncodeContext.of(threads), out);
  }

  private static Encoder encoder(
      Schema schema, ObjectFormat format, EncodeContext context, OutputStream out)
      throws IOException {
    return switch (format.format()) {
      case NDJSON, JSONL, JSON -> jsonEncoder(schema, format, context, out);
      case PARQUET ->
          new ParquetEncoder(
              schema, format.compression(), context, out, ParquetEncoder.ROW_GROUP_BYTES);
    };
  }

  private static Encoder jsonEncoder(
      Schema schema, ObjectFormat format, EncodeContext context, OutputStream out)
      throws IOException {
    ResourceMemory memory = context.memory();
    return switch (format.compression()) {
      case NONE -> plainEncoder(schema, format, memory, out);
      case GZIP ->
          compressing(schema, format, memory, new GzipOutput(out, context.threads(), memory));
      case ZSTD ->
          compressing(schema, format, memory, ZstdOutput.to(out, context.threads(), memory));
      case SNAPPY -> throw new IllegalArgumentException("snappy compresses parquet alone");
    };
  }

  private static Encoder compressing(
      Schema schema, ObjectFormat format, ResourceMemory memory, CompressedOutput compressor) {
    return new CompressingEncoder(plainEncoder(schema, format, memory, compressor), compressor);
  }

  private static Encoder plainEncoder(
      Schema schema, ObjectFormat format, ResourceMemory memory, OutputStream out) {
    return switch (format.format()) {
      case NDJSON, JSONL -> new NdjsonEncoder(schema, memory, out);
      case JSON -> new JsonEncoder(schema, memory, out);
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
    isWriting = true;
    try {
      writeAll(source, batch);
    } finally {
      isWriting = false;
    }
    gatherer.clear();
    if (memory.isCrowded()) {
      dropVectors();
    }
    state = State.OPEN;
    memory.cuttable(held + encoder.cuttableBytes());
  }

  private void writeAll(Gatherer.Source source, RecordBatch batch) throws IOException {
    int count = batch.rowCount();
    int row = 0;
    while (row < count) {
      Slice slice = gather(source, row, count);
      int encoded = hasSlice ? encoder.encode(slice) : 0;
      row += encoded;
      rows += encoded;
      hasSlice = false;
      memory.cuttable(held + encoder.cuttableBytes());
      encoder.settle();
      if (encoded == slice.rows()) { // else what was given up is read again
        endTurn();
      }
    }
  }

  /** Lets others go on who need the memory of the records that are encoded now. */
  private void endTurn() throws IOException {
    if (memory.hasLastRoom()) {
      dropVectors();
      memory.passOnLastRoom();
    } else if (memory.isCutWanted()) {
      memory.cut();
    }
  }

  /** Takes memory for what a slice will need as far as that is known, and then for all of it. */
  private Slice gather(Gatherer.Source source, int row, int count) throws IOException {
    memory.cuttable(held + encoder.cuttableBytes());
    while (held < gatherer.expectedBytes(count - row)) {
      long more = gatherer.expectedBytes(count - row) - held;
      if (memory.reserveForRecords(more)) {
        held += more;
      }
    }
    hasSlice = true;
    Slice slice = gatherer.gather(source, row, rows);
    memory.cuttable(encoder.cuttableBytes());
    settle(gatherer.allocatedBytes());
    return slice;
  }

  /** Holds what the slice has, which is more than was expected if its records get larger. */
  private void settle(long bytes) throws IOException {
    while (hasSlice && bytes > held) {
      long more = bytes - held;
      if (memory.reserveForRecords(more)) {
        held += more;
      }
    }
    long needed = hasSlice ? bytes : 0;
    memory.release(held - needed);
    held = needed;
  }

  private void dropVectors() {
    gatherer.drop();
    memory.release(held);
    held = 0;
  }

  /**
   * Writes out early what is collected, and lets go of what is kept for later. Other records than
   * those that are being encoded are not touched. Does nothing after a failure or the end.
   */
  public void cut() throws IOException {
    if (state == State.OPEN) {
      state = State.FAILED;
      cutOpen();
      state = State.OPEN;
    } else if (state == State.FAILED && isWriting) {
      cutOpen();
    }
  }

  private void cutOpen() throws IOException {
    if (!hasSlice) {
      dropVectors();
    }
    encoder.cut();
  }

  /**
   * Gives up the records that are being encoded, and what is reserved for the next ones, unless
   * this is in the middle of one.
   */
  public void giveUpRecords() {
    if (!encoder.isWithinRecord()) {
      hasSlice = false;
      dropVectors();
    }
  }

  /** Returns what a resource's encoder holds at least, whatever is written. */
  public static long leastBytes(Schema schema, ObjectFormat format) {
    return LeastMemory.ofResource(schema, format);
  }

  /** Returns what of that is for the first records, and is there whatever others hold. */
  public static long startBytes(Schema schema, ObjectFormat format) {
    return LeastMemory.startOfResource(schema, format);
  }

  /** Returns what the encoders of a run share. */
  public static long sharedBytes(ObjectFormat format) {
    return LeastMemory.ofRun(format);
  }

  /** Returns the records that were encoded. */
  public long rows() {
    return rows;
  }

  /** Ends the object. Called once, after the last batch. */
  public void finish() throws IOException {
    requireOpen();
    state = State.FAILED;
    dropVectors();
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
