package io.filament.sink.s3.internal.encode;

import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
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
 * <p>The heap that it needs is that of one row group, and some kibibytes for each row group written
 * ({@link ParquetFooter}).
 */
final class ParquetEncoder implements Encoder {

  static final long ROW_GROUP_BYTES = 16L << 20;

  /** Small against a row group, so that most of its bytes are in finished pages, compressed. */
  private static final int PAGE_BYTES = 256 << 10;

  private static final int DICTIONARY_BYTES = 1 << 20;

  /** How many rows may go by until Parquet looks again whether a page is large enough. */
  private static final int PAGE_CHECK_ROWS = 32;

  /** What the end of the file may take for a column of a row group, and for a page: measured. */
  private static final long CHUNK_FOOTER_BYTES = 192;

  private static final long PAGE_FOOTER_BYTES = 96;

  /** What a column takes for its first values: a page and its objects. */
  static final long FIRST_BYTES = 512;

  /** A row group with less is not cut: it would not free much. */
  private static final long LEAST_CUT_BYTES = 16 << 10;

  /** The same for each of its columns, each of which costs in the footer. */
  private static final long LEAST_CHUNK_BYTES = 4 << 10;

  private final Schema schema;
  private final MessageType type;
  private final ParquetProperties properties;
  private final ChunkWorkspace workspace;
  private final ResourceMemory memory;
  private final EncodeThreads threads;
  private final ParquetOutput output;
  private final long rowGroupBytes;

  private final int columns;
  private final boolean hasNested;

  private @Nullable RowGroup rowGroup;

  /** What is reserved for the row group and for the footer. */
  private long held;

  /** What of it is for the end of the file. */
  private long footers;

  /** How many rows of the slice are in the row group. */
  private int encodedRows;

  private boolean encoding;
  private boolean usable = true;

  ParquetEncoder(Schema schema, Compression compression, OutputStream out) throws IOException {
    this(schema, compression, out, ROW_GROUP_BYTES);
  }

  /** For an encoder that shares nothing and has no bound. */
  ParquetEncoder(Schema schema, Compression compression, OutputStream out, long rowGroupBytes)
      throws IOException {
    this(schema, compression, EncodeContext.of(EncodeThreads.of(1)), out, rowGroupBytes);
  }

  /**
   * @param rowGroupBytes from how many bytes in memory on a row group is written out
   */
  ParquetEncoder(
      Schema schema,
      Compression compression,
      EncodeContext context,
      OutputStream out,
      long rowGroupBytes)
      throws IOException {
    this.memory = context.memory();
    this.threads = context.threads();
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
    this.output = new ParquetOutput(out, type, properties, rowGroupBytes);
    this.workspace = new ChunkWorkspace(context.workspaces(), compression, memory);
    this.columns = type.getColumns().size();
    this.hasNested = schema.fields().stream().map(Field::type).anyMatch(RowGroup::isNested);
  }

  @Override
  public int encode(Slice slice) throws IOException {
    guard(() -> encodeRows(slice));
    return encodedRows;
  }

  /** Nobody waits for memory while a record is written. */
  @Override
  public boolean isWithinRecord() {
    return false;
  }

  /** It keeps nothing that it has not reserved before. */
  @Override
  public void settle() {}

  private void encodeRows(Slice slice) throws IOException {
    encoding = true;
    encodedRows = 0;
    while (encodedRows < slice.rows() && slice.isThere()) {
      if (memory.isCutWanted()) {
        memory.cut();
      }
      int to = withRoomFor(slice, encodedRows);
      RowGroup group = openRowGroup();
      if (slice.isThere()) {
        write(group, slice, encodedRows, to);
        encodedRows = to;
      }
      release(footers + group.allocated());
      if (group.isFull()) {
        writeRowGroup(group, Reason.FULL);
      }
    }
    encoding = false;
  }

  private RowGroup openRowGroup() {
    RowGroup group = rowGroup;
    if (group == null) {
      group = new RowGroup(schema, type, properties, workspace, rowGroupBytes);
      rowGroup = group;
    }
    return group;
  }

  /**
   * Takes memory for the next rows, as many as a step has or, where memory is scarce, few. The row
   * group may be cut for it, or the slice be given up.
   *
   * @return the row up to which there is memory
   */
  private int withRoomFor(Slice slice, int row) throws IOException {
    while (slice.isThere()) {
      RowGroup group = openRowGroup();
      int to = group.reach(slice, row);
      long more = more(group, slice, row, to);
      if (more > 0 && !memory.tryReserve(more)) {
        to = few(group, slice, row, to);
        more = more(group, slice, row, to);
        if (more > 0) {
          memory.cuttable(cuttableBytes());
          if (memory.reserve(more)) {
            held += more;
          }
          continue; // the row group may be another one
        }
      } else if (more > 0) {
        held += more;
      }
      return to;
    }
    return row;
  }

  /** Returns the end of so few rows that they need about what the smallest row group has. */
  private int few(RowGroup group, Slice slice, int row, int to) {
    int end = to;
    while (end > row + 1 && group.growth(slice, row, end) > leastCutBytes()) {
      end = row + (end - row) / 2;
    }
    return end;
  }

  private long more(RowGroup group, Slice slice, int row, int to) {
    return footers + group.allocated() + group.growth(slice, row, to) - held;
  }

  private void write(RowGroup group, Slice slice, int row, int to) throws IOException {
    if (!hasNested) {
      group.write(slice, row, to);
      return;
    }
    workspace.borrow(); // nested fields compress their pages on the way
    try {
      group.write(slice, row, to);
    } finally {
      workspace.giveBack();
    }
  }

  /** Gives back what is held beyond so many bytes. */
  private void release(long needed) {
    if (held > needed) {
      memory.release(held - needed);
      held = needed;
    }
  }

  /** Why a row group is written. */
  private enum Reason {
    FULL,
    CUT,
    LAST
  }

  /**
   * Writes the row group. Where there is no room for its bytes beside its pages, or none is wanted,
   * these are given up on the way.
   */
  private void writeRowGroup(RowGroup full, Reason reason) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while writing a Parquet row group");
    }
    long bytes = full.bytes();
    // The end of the file is written right after the last row group, into what that gave back.
    long footer = reason == Reason.LAST ? 0 : footer(bytes);
    boolean keepsPages =
        reason == Reason.FULL && memory.tryBeginWritingOut(bytes + bytes / 8 + footer);
    boolean isWithin = !keepsPages && memory.isWritingOut();
    if (!keepsPages && !isWithin) {
      memory.beginWritingOut();
    }
    if (!keepsPages) {
      dropPages(full, footer);
    } else {
      memory.reserveForOutput(footer);
      held += footer;
    }
    footers += footer;
    ParquetFileWriter file = output.start();
    workspace.borrow();
    try {
      if (keepsPages || reason == Reason.LAST) {
        full.writeTo(file, threads);
      } else {
        full.writeTo(file); // what is short of memory takes none for other threads
      }
    } finally {
      workspace.giveBack();
    }
    if (reason == Reason.LAST) {
      output.endLast(file);
    } else {
      output.end(file);
      settleFooters();
    }
    if (!keepsPages) {
      workspace.keepPages();
      rowGroup = null;
    }
    if (!isWithin) {
      memory.endWritingOut();
    }
  }

  /** Returns about what the end of the file takes for a row group. */
  private long footer(long bytes) {
    return columns * CHUNK_FOOTER_BYTES + bytes / PAGE_BYTES * PAGE_FOOTER_BYTES;
  }

  /** Holds what the end of the file takes, rather than what it was thought to take. */
  private void settleFooters() throws IOException {
    long more = output.footerBytes() - footers;
    if (more > 0) {
      memory.reserveForOutput(more);
    } else {
      memory.release(-more);
    }
    held += more;
    footers += more;
  }

  /** Lets the pages of a row group give up all that is held, but what is for the footer. */
  private void dropPages(RowGroup full, long footer) {
    long pages = Math.max(0, held - footers - footer);
    // Half of what Parquet's stores are counted for is what they have; that is written now.
    long written = Math.min(pages, full.nestedAllocated() / 2);
    memory.release(written);
    workspace.dropPages(pages - written);
    held -= pages;
  }

  @Override
  public void cut() throws IOException {
    if (encoding) {
      cutRowGroup();
    } else if (usable) {
      guard(this::cutRowGroup);
    }
  }

  private void cutRowGroup() throws IOException {
    RowGroup group = rowGroup;
    if (group == null) {
      return;
    }
    if (group.isEmpty()) {
      rowGroup = null;
      release(footers);
    } else if (isWorthCutting(group)) {
      writeRowGroup(group, Reason.CUT);
    }
  }

  @Override
  public long cuttableBytes() {
    RowGroup group = rowGroup;
    boolean isCuttable = group != null && (group.isEmpty() || isWorthCutting(group));
    return isCuttable ? held - footers : 0;
  }

  private boolean isWorthCutting(RowGroup group) {
    return group.bytes() >= leastCutBytes();
  }

  private long leastCutBytes() {
    return Math.max(LEAST_CUT_BYTES, columns * LEAST_CHUNK_BYTES);
  }

  @Override
  public void finish() throws IOException {
    guard(
        () -> {
          if (rowGroup != null && !rowGroup.isEmpty()) {
            writeRowGroup(rowGroup, Reason.LAST);
          }
          rowGroup = null;
          release(0);
          output.finish();
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
      throw output.failure(e);
    }
    usable = true;
  }

  /** Column and page buffers are on the heap, and the compressor is the run's. */
  @Override
  public void close() {
    usable = false;
    encoding = false;
    rowGroup = null;
  }
}
