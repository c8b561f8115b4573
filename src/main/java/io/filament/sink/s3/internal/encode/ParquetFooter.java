package io.filament.sink.s3.internal.encode;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * What comes behind the row groups of a Parquet file: the page indexes and the footer.
 *
 * <p>parquet-java's file writer keeps that as objects, which for thousands of row groups are more
 * than a small heap. So each row group has a file writer of its own, and of what that puts at its
 * end the bytes are kept here, as they will be in the file; only positions and ordinals change.
 * Indexes stand together in front of the footer, as the format's authors advise, since some readers
 * fetch them all with one request.
 */
final class ParquetFooter {

  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** The length of the footer and the magic bytes, which end a file. */
  private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length;

  private final DeflatedBytes columnIndexes = new DeflatedBytes();
  private final DeflatedBytes offsetIndexes = new DeflatedBytes();

  /** A file's metadata for each row group alone. */
  private final DeflatedBytes rowGroups = new DeflatedBytes();

  /** All but the row groups. */
  private @Nullable FileMetaData file;

  private int rowGroupCount;
  private long rows;

  /** Returns whether it has no row group. */
  boolean isEmpty() {
    return rowGroupCount == 0;
  }

  /** Returns about how much memory it takes. */
  long allocated() {
    return columnIndexes.allocated() + offsetIndexes.allocated() + rowGroups.allocated();
  }

  /**
   * Adds what a file writer has put behind its one row group.
   *
   * @param end all of it
   */
  void add(byte[] end) throws IOException {
    int trailer = end.length - TRAILER_BYTES;
    int length =
        ByteBuffer.wrap(end, trailer, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
    int indexBytes = trailer - length;
    FileMetaData ended = Util.readFileMetaData(new ByteArrayInputStream(end, indexBytes, length));
    for (RowGroup rowGroup : ended.getRow_groups()) {
      int columnIndexBytes = 0;
      for (ColumnChunk column : rowGroup.getColumns()) {
        columnIndexBytes += column.getColumn_index_length();
      }
      columnIndexes.write(end, 0, columnIndexBytes);
      offsetIndexes.write(end, columnIndexBytes, indexBytes - columnIndexBytes);
      Util.writeFileMetaData(new FileMetaData(1, List.of(), 0, List.of(rowGroup)), rowGroups);
      rowGroupCount++;
    }
    rows += ended.getNum_rows();
    if (file == null) {
      ended.setRow_groups(List.of());
      file = ended;
    }
  }

  /** Writes it behind the last row group. */
  void writeTo(UnclosedOutput output) throws IOException {
    long columnIndex = output.getPos();
    columnIndexes.read().transferTo(output);
    long offsetIndex = output.getPos();
    offsetIndexes.read().transferTo(output);
    long start = output.getPos();
    FileMetaData whole = Objects.requireNonNull(file, "no file writer has ended");
    whole.setNum_rows(rows);
    whole.setRow_groups(new Placed(rowGroups.read(), rowGroupCount, columnIndex, offsetIndex));
    OutputStream buffered = new BufferedOutputStream(output); // Thrift writes byte by byte
    Util.writeFileMetaData(whole, buffered);
    buffered.flush();
    int length = Math.toIntExact(output.getPos() - start);
    ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    output.write(trailer.putInt(length).put(MAGIC).array(), 0, TRAILER_BYTES);
  }

  /** The row groups with their places in the file, made one by one while they are written. */
  private static final class Placed extends AbstractList<RowGroup> {

    private final InputStream rowGroups;
    private final int count;
    private long columnIndex;
    private long offsetIndex;

    Placed(InputStream rowGroups, int count, long columnIndex, long offsetIndex) {
      this.rowGroups = rowGroups;
      this.count = count;
      this.columnIndex = columnIndex;
      this.offsetIndex = offsetIndex;
    }

    @Override
    public int size() {
      return count;
    }

    /** Returns the next one: Thrift asks for each once, in order. */
    @Override
    public RowGroup get(int ordinal) {
      RowGroup rowGroup = next();
      rowGroup.setOrdinal((short) ordinal);
      for (ColumnChunk column : rowGroup.getColumns()) {
        if (column.isSetColumn_index_offset()) {
          column.setColumn_index_offset(columnIndex);
          columnIndex += column.getColumn_index_length();
        }
        if (column.isSetOffset_index_offset()) {
          column.setOffset_index_offset(offsetIndex);
          offsetIndex += column.getOffset_index_length();
        }
      }
      return rowGroup;
    }

    private RowGroup next() {
      try {
        return Util.readFileMetaData(rowGroups).getRow_groups().get(0);
      } catch (IOException e) {
        throw new UncheckedIOException("bytes in memory can't be read", e);
      }
    }
  }
}
