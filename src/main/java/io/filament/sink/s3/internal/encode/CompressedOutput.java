package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Compresses what is written as one stream. Compressors get blocks of one size, however the bytes
 * come, so that the same bytes in make the same bytes out.
 *
 * <p>{@link #finish} ends the stream; {@link #close} frees native memory and never writes.
 */
abstract class CompressedOutput extends OutputStream {

  /** Small, since a resource may wait long for its first record. */
  private static final int FIRST_BYTES = 1 << 10;

  private final int blockBytes;
  private byte[] block = new byte[FIRST_BYTES];
  private int length;
  private boolean ended;

  /**
   * @param blockBytes what a compressor gets at a time
   */
  CompressedOutput(int blockBytes) {
    this.blockBytes = blockBytes;
  }

  @Override
  public final void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public final void write(byte[] source, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, source.length);
    requireOpen();
    int from = offset;
    int end = offset + count;
    while (from < end) {
      if (length == blockBytes) {
        block = compress(block, length);
        length = 0;
      } else if (length == block.length) {
        block = Arrays.copyOf(block, Math.min(2 * length, blockBytes));
      }
      int moved = Math.min(end - from, block.length - length);
      System.arraycopy(source, from, block, length, moved);
      length += moved;
      from += moved;
    }
  }

  /** Does nothing: a flushed compressor gives a larger stream, and who reads waits for its end. */
  @Override
  public final void flush() {}

  /** Writes what is left and the end of the stream. Nothing can be written after it. */
  final void finish() throws IOException {
    requireOpen();
    ended = true;
    end(block, length);
  }

  /** Frees native memory; idempotent. */
  @Override
  public final void close() {
    ended = true;
    free();
  }

  private void requireOpen() throws IOException {
    if (ended) {
      throw new IOException("the compressed stream has ended");
    }
  }

  /** Compresses a whole block, and returns an array for the next one: the same or another. */
  abstract byte[] compress(byte[] block, int count) throws IOException;

  /** Compresses the first {@code count} bytes, at most a block, perhaps none; ends the stream. */
  abstract void end(byte[] block, int count) throws IOException;

  /** Frees native memory; may be called again. */
  abstract void free();
}
