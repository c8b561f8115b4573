package io.filament.sink.s3.internal.encode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes that Parquet writes to a stream, and stands between the two where Parquet does
 * too much: it flushes and closes the stream, also when the footer fails, and it may wrap the
 * stream's failure in one that quotes the whole footer, values of records included.
 */
final class UnclosedOutput extends PositionOutputStream implements OutputFile {

  private final OutputStream out;
  private long position;
  private @Nullable IOException failure;

  /** What is put aside, or null while everything goes to the stream. */
  private @Nullable ByteArrayOutputStream aside;

  UnclosedOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public long getPos() {
    return position;
  }

  /** Returns how the stream failed, or null if it has not. */
  @Nullable IOException failure() {
    return failure;
  }

  /** Puts aside what comes, instead of writing it; positions go on. */
  void putAside() {
    aside = new ByteArrayOutputStream();
  }

  /** Returns what was put aside, and goes on where that began. */
  byte[] takeAside() {
    byte[] bytes = Objects.requireNonNull(aside, "aside").toByteArray();
    aside = null;
    position -= bytes.length;
    return bytes;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      (aside == null ? out : aside).write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    position += length;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return this;
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return this;
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
