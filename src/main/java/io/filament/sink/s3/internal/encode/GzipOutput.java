package io.filament.sink.s3.internal.encode;

import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

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

  private final OutputStream out;
  private final EncodeThreads threads;
  private final Queue<Work<Member>> begun = new ArrayDeque<>();
  private boolean empty = true;

  GzipOutput(OutputStream out, EncodeThreads threads) {
    super(BLOCK_BYTES);
    this.out = out;
    this.threads = threads;
  }

  @Override
  byte[] compress(byte[] block, int count) throws IOException {
    empty = false;
    writeDone();
    Work<Member> work = threads.tryBegin(() -> member(block, count));
    while (work == null && !begun.isEmpty()) {
      write(begun.remove().take());
      work = threads.tryBegin(() -> member(block, count));
    }
    if (work == null) {
      write(member(block, count));
      return block;
    }
    begun.add(work);
    return new byte[BLOCK_BYTES];
  }

  /** Compresses the rest on this thread, so that a small object needs no other. */
  @Override
  void end(byte[] block, int count) throws IOException {
    Member last = member(block, count);
    while (!begun.isEmpty()) {
      write(begun.remove().take());
    }
    if (count > 0 || empty) {
      write(last);
    }
  }

  @Override
  void free() {
    begun.forEach(Work::drop);
    begun.clear();
  }

  private void writeDone() throws IOException {
    Work<Member> oldest = begun.peek();
    while (oldest != null && oldest.isDone()) {
      begun.remove();
      write(oldest.take());
      oldest = begun.peek();
    }
  }

  private void write(Member member) throws IOException {
    out.write(member.bytes, 0, member.length);
  }

  /**
   * A member that is whole.
   *
   * @param bytes its bytes, and more
   * @param length the number of its bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Member(byte[] bytes, int length) {}

  /** Returns a whole member of the first {@code count} bytes. */
  private static Member member(byte[] block, int count) {
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
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(length)
        .putInt((int) crc.getValue())
        .putInt(count);
    return new Member(bytes, length + TRAILER_BYTES);
  }
}
