package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;

/**
 * A Parquet file on its way to a stream: each row group through a file writer of its own, of which
 * only the bytes are kept that belong at the file's end ({@link ParquetFooter}).
 */
final class ParquetOutput {

  private final UnclosedOutput out;
  private final MessageType type;
  private final ParquetProperties properties;
  private final long rowGroupBytes;
  private final ParquetFooter footer = new ParquetFooter();

  ParquetOutput(
      OutputStream out, MessageType type, ParquetProperties properties, long rowGroupBytes) {
    this.out = new UnclosedOutput(out);
    this.type = type;
    this.properties = properties;
    this.rowGroupBytes = rowGroupBytes;
  }

  /**
   * Returns a writer for the next row group. The magic bytes are written before the first one: a
   * file without a row group that has begun has no byte.
   */
  ParquetFileWriter start() throws IOException {
    ParquetFileWriter file =
        new ParquetFileWriter(
            out, type, ParquetFileWriter.Mode.CREATE, rowGroupBytes, 0, null, properties);
    if (out.getPos() == 0) {
      file.start();
    } else {
      out.putAside();
      file.start();
      out.takeAside();
    }
    return file;
  }

  /** Keeps what belongs at the end of the file. */
  void end(ParquetFileWriter file) throws IOException {
    out.putAside();
    file.end(Map.of());
    footer.add(out.takeAside());
  }

  /** Ends the last row group of the file. */
  void endLast(ParquetFileWriter file) throws IOException {
    if (footer.isEmpty()) {
      file.end(Map.of()); // the only one: most objects of many are so small
    } else {
      end(file);
    }
  }

  /** Writes the end of the file, unless that of the only row group was it. */
  void finish() throws IOException {
    if (out.getPos() == 0) {
      start().end(Map.of());
    } else if (!footer.isEmpty()) {
      footer.writeTo(out);
    }
  }

  /** Returns about how much memory that takes which is kept for the end of the file. */
  long footerBytes() {
    return footer.allocated();
  }

  /** Returns what the caller is to hear of a failure. */
  IOException failure(Exception e) {
    IOException cause = out.failure();
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
}
