package io.filament.sink.s3.internal.encode;

import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Gzip members (RFC 1952), one for each {@value #BLOCK_BYTES} bytes, compressed on several threads
 * and written in their order: where they are cut, and so the bytes, depends on the input alone. Not
 * the JDK's GZIPOutputStream, whose header depends on its release and whose close writes.
 */
final class GzipOutput extends CompressedOutput {

  /** A member begins without history, which makes the whole about 0.4 % larger at this size. */
  static final int BLOCK_BYTES = 1 << 20;

  /** Magic, deflate, no flags, no time stamp, no extra flags, unknown operating system. */
  private static final byte[] HEADER = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 0xFF};

  private static final int TRAILER_BYTES = 8;
  private static final int LEVEL = 6;

  /** What is written at a time where a block is compressed on its own thread. */
  private static final int PIECE_BYTES = 8 << 10;

  /** What a block takes on another thread: the next one, and what this one becomes. */
  private static final int BEGUN_BYTES = BLOCK_BYTES + BLOCK_BYTES / 2;

  private final OutputStream out;
  private final EncodeThreads threads;
  private final ResourceMemory memory;
  private final Queue<Work<Compressed>> begun = new ArrayDeque<>();
  private boolean empty = true;

  GzipOutput(OutputStream out, EncodeThreads threads, ResourceMemory memory) {
    super(out, BLOCK_BYTES, memory);
    this.out = out;
    this.threads = threads;
    this.memory = memory;
  }

  @Override
  byte[] compress(byte[] block, int count) throws IOException {
    empty = false;
    writeDone();
    Work<Compressed> work = tryBegin(block, count);
    while (work == null && !begun.isEmpty()) {
      writeOldest();
      work = tryBegin(block, count);
    }
    if (work == null) {
      write(block, count);
      return block;
    }
    begun.add(work);
    return new byte[BLOCK_BYTES];
  }

  /** Returns null if no thread or no memory is free. */
  private @Nullable Work<Compressed> tryBegin(byte[] block, int count) throws IOException {
    if (!memory.tryReserve(BEGUN_BYTES)) {
      return null;
    }
    Work<Compressed> work = threads.tryBegin(() -> member(block, count));
    if (work == null) {
      memory.release(BEGUN_BYTES);
    }
    return work;
  }

  @Override
  boolean mayBeCut() {
    return true;
  }

  @Override
  void compressAlone(byte[] block, int count) throws IOException {
    empty = false;
    writeBegun();
    write(block, count);
  }

  /** Compresses the rest on this thread, so that a small object needs no other. */
  @Override
  void end(byte[] block, int count) throws IOException {
    writeBegun();
    if (count > 0 || empty) {
      write(block, count);
    }
  }

  @Override
  long begunBytes() {
    return (long) BEGUN_BYTES * begun.size();
  }

  @Override
  void writeBegun() throws IOException {
    while (!begun.isEmpty()) {
      writeOldest();
    }
  }

  private void writeOldest() throws IOException {
    writeInItsPlace(begun.remove().take(), BEGUN_BYTES);
  }

  @Override
  void free() {
    begun.forEach(Work::drop);
    begun.clear();
  }

  private void writeDone() throws IOException {
    Work<Compressed> oldest = begun.peek();
    while (oldest != null && oldest.isDone()) {
      writeOldest();
      oldest = begun.peek();
    }
  }

  /** Compresses on this thread and writes piece by piece, so that no member is there whole. */
  private void write(byte[] block, int count) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(block, 0, count);
    out.write(HEADER);
    Deflater deflater = new Deflater(LEVEL, true);
    byte[] piece = new byte[PIECE_BYTES];
    try {
      deflater.setInput(block, 0, count);
      deflater.finish();
      while (!deflater.finished()) {
        out.write(piece, 0, deflater.deflate(piece));
      }
    } finally {
      deflater.end();
    }
    out.write(trailer(crc, count));
  }

  private static byte[] trailer(CRC32 crc, int count) {
    return ByteBuffer.allocate(TRAILER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) crc.getValue())
        .putInt(count)
        .array();
  }

  /** Returns a whole member of the first {@code count} bytes. */
  private static Compressed member(byte[] block, int count) {
    CRC32 crc = new CRC32();
    crc.update(block, 0, count);
    byte[] bytes = Arrays.copyOf(HEADER, HEADER.length + TRAILER_BYTES + count / 3 + 64);
    int length = HEADER.length;
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      deflater.setInput(block, 0, count);
      deflater.finish();
      while (!deflater.finished()) {
        if (length + TRAILER_BYTES == bytes.length) {
          bytes = Arrays.copyOf(bytes, Vector.grown(bytes.length, bytes.length + 1L));
        }
        length += deflater.deflate(bytes, length, bytes.length - TRAILER_BYTES - length);
      }
    } finally {
      deflater.end();
    }
    System.arraycopy(trailer(crc, count), 0, bytes, length, TRAILER_BYTES);
    return new Compressed(bytes, length + TRAILER_BYTES);
  }
}
