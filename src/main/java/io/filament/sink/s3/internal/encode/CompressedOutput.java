package io.filament.sink.s3.internal.encode;

import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * Compresses what is written as one stream. Compressors get blocks of one size, however the bytes
 * come, so that the same bytes in make the same bytes out. They may compress whole blocks on other
 * threads, for memory that is there beside that of the next block.
 *
 * <p>{@link #finish} ends the stream; {@link #close} frees native memory and never writes.
 */
abstract class CompressedOutput extends OutputStream {

  /** Small, since a resource may wait long for its first record. */
  private static final int FIRST_BYTES = 1 << 10;

  /** Below that, a cut would cost more bytes than it frees. */
  private static final int LEAST_CUT_BYTES = 16 << 10;

  /** By which share, as its divisor, a block that can't be compressed grows at most. */
  private static final int MOST_GROWTH_SHARE = 64;

  private final OutputStream out;
  private final int blockBytes;
  private final ResourceMemory memory;
  private byte[] block = new byte[FIRST_BYTES];

  /** What is reserved for the block. */
  private long held;

  private int length;
  private boolean ended;

  /**
   * @param out is never closed
   * @param blockBytes what a compressor gets at a time
   */
  CompressedOutput(OutputStream out, int blockBytes, ResourceMemory memory) {
    this.out = out;
    this.blockBytes = blockBytes;
    this.memory = memory;
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
        compressFull();
      } else if (length == block.length) {
        grow();
      }
      int moved = Math.min(end - from, block.length - length);
      System.arraycopy(source, from, block, length, moved);
      length += moved;
      from += moved;
    }
  }

  /** Takes a larger block, or gives up the one that there is, where that pays. */
  private void grow() throws IOException {
    int size = Math.min(2 * length, blockBytes);
    if (isWorthCutting()) {
      if (!memory.tryReserveInTime(size - held)) {
        giveUp();
        return;
      }
    } else {
      memory.reserveForOutput(size - held);
    }
    held = size;
    block = Arrays.copyOf(block, size);
  }

  /** Compresses a whole block, which is given up if what it becomes has no room beside it. */
  private void compressFull() throws IOException {
    int bound = length + length / MOST_GROWTH_SHARE;
    boolean isWithin = memory.isWritingOut();
    if (mayBeCut() && !memory.tryBeginWritingOut(bound)) {
      giveUp();
      return;
    }
    block = compress(block, length);
    length = 0;
    if (mayBeCut() && !isWithin) {
      memory.endWritingOut();
    }
  }

  /**
   * Writes what other threads compress, and compresses what is there, if that is enough to pay and
   * the stream may be cut here. If not, it keeps no more room than it needs.
   */
  final void cut() throws IOException {
    writeBegun();
    if (isWorthCutting()) {
      giveUp();
    } else if (held > leastHeld()) {
      memory.release(held - leastHeld());
      held = leastHeld();
      block = Arrays.copyOf(block, Math.max(FIRST_BYTES, length));
    }
  }

  /** Returns what must be reserved for the bytes that are there. */
  private long leastHeld() {
    return length <= FIRST_BYTES ? 0 : length;
  }

  private boolean isWorthCutting() {
    return mayBeCut() && length >= LEAST_CUT_BYTES;
  }

  /** Compresses what is there, and lets what it becomes take its place. */
  private void giveUp() throws IOException {
    boolean isWithin = memory.isWritingOut();
    if (!isWithin) {
      memory.beginWritingOut();
    }
    memory.release(held);
    held = 0;
    compressAlone(block, length);
    length = 0;
    block = new byte[FIRST_BYTES];
    if (!isWithin) {
      memory.endWritingOut();
    }
  }

  /** Returns what {@link #cut} would free. */
  final long cuttableBytes() {
    return begunBytes() + (isWorthCutting() ? held : held - leastHeld());
  }

  /**
   * Writes what a whole block has become on another thread, and gives back the memory of both: the
   * block is gone, and what is written takes its place.
   *
   * @param bothBytes what was reserved for them
   */
  final void writeInItsPlace(Compressed compressed, long bothBytes) throws IOException {
    boolean isWithin = memory.isWritingOut();
    if (!isWithin) {
      memory.beginWritingOut();
    }
    memory.release(blockBytes);
    out.write(compressed.bytes, 0, compressed.length);
    memory.release(bothBytes - blockBytes);
    if (!isWithin) {
      memory.endWritingOut();
    }
  }

  /** Does nothing: a flushed compressor gives a larger stream, and who reads waits for its end. */
  @Override
  public final void flush() {}

  /** Writes what is left and the end of the stream. Nothing can be written after it. */
  final void finish() throws IOException {
    requireOpen();
    ended = true;
    memory.release(held); // what it becomes takes its place
    held = 0;
    end(block, length);
  }

  /** Frees all memory; idempotent. */
  @Override
  public final void close() {
    ended = true;
    memory.release(held);
    held = 0;
    free();
  }

  private void requireOpen() throws IOException {
    if (ended) {
      throw new IOException("the compressed stream has ended");
    }
  }

  /** Returns whether the stream may be cut at any byte. */
  abstract boolean mayBeCut();

  /** Compresses less than a block on this thread, after which the next one begins. */
  abstract void compressAlone(byte[] block, int count) throws IOException;

  /** Compresses a whole block, and returns an array for the next one: the same or another. */
  abstract byte[] compress(byte[] block, int count) throws IOException;

  /**
   * What a whole block has become.
   *
   * @param bytes its bytes, and more
   * @param length the number of its bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Compressed(byte[] bytes, int length) {}

  /** Returns what is reserved for blocks that were given to other threads. */
  abstract long begunBytes();

  /** Waits for the blocks that were given to other threads, and writes what they have become. */
  abstract void writeBegun() throws IOException;

  /** Compresses the first {@code count} bytes, at most a block, perhaps none; ends the stream. */
  abstract void end(byte[] block, int count) throws IOException;

  /** Frees native memory; may be called again. */
  abstract void free();
}
