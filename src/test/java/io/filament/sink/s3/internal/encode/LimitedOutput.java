package io.filament.sink.s3.internal.encode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Takes so many bytes and then fails; tells whether it was closed or flushed. */
final class LimitedOutput extends OutputStream {

  static final String FAILURE = "no room left";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final long limit;
  private boolean closed;

  LimitedOutput(long limit) {
    this.limit = limit;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int count) throws IOException {
    if (bytes.size() + (long) count > limit) {
      throw new IOException(FAILURE);
    }
    bytes.write(source, offset, count);
  }

  @Override
  public void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
