package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * One Zstandard frame (RFC 8878) with the checksum of its content, made on the caller's thread. Not
 * several frames as gzip has members: some readers stop at the end of the first, as the one of
 * Python's zstandard does unless told otherwise, and say nothing.
 */
final class ZstdOutput extends CompressedOutput {

  static final int BLOCK_BYTES = 64 << 10;

  private static final int LEVEL = 3;

  /** The native memory of a context at this level: window, tables and a block, from above. */
  static final long CONTEXT_BYTES = 4 << 20;

  /** How much is handed on at a time. */
  private static final int OUTPUT_BYTES = 8 << 10;

  private final OutputStream out;
  private final ResourceMemory memory;

  /** What is reserved for the context, which takes its memory with the first block. */
  private long contextHeld;

  private final ZstdCompressCtx context;
  private final ByteBuffer compressed = ByteBuffer.allocate(OUTPUT_BYTES);

  private ZstdOutput(OutputStream out, ResourceMemory memory, ZstdCompressCtx context) {
    super(BLOCK_BYTES, memory);
    this.memory = memory;
    this.out = out;
    this.context = context;
  }

  /**
   * Returns a stream of one thread's work, whose bytes depend on nothing but the input.
   *
   * @throws IOException if the native library can't be loaded
   */
  static ZstdOutput to(OutputStream out, ResourceMemory memory) throws IOException {
    return new ZstdOutput(
        out,
        memory,
        NativeLibrary.ZSTD.load(() -> new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true)));
  }

  @Override
  byte[] compress(byte[] block, int count) throws IOException {
    if (contextHeld == 0) {
      memory.reserveForOutput(CONTEXT_BYTES);
      contextHeld = CONTEXT_BYTES;
    }
    feed(block, count);
    return block;
  }

  private void feed(byte[] block, int count) throws IOException {
    ByteBuffer input = ByteBuffer.wrap(block, 0, count);
    while (input.hasRemaining()) {
      context.compressByteBufferStream(compressed, input, EndDirective.CONTINUE);
      drain();
    }
  }

  @Override
  void end(byte[] block, int count) throws IOException {
    memory.release(contextHeld); // what it still holds back takes its place
    contextHeld = 0;
    feed(block, count);
    ByteBuffer nothing = ByteBuffer.allocate(0);
    boolean ended;
    do {
      ended = context.compressByteBufferStream(compressed, nothing, EndDirective.END);
      drain();
    } while (!ended);
  }

  /** A frame is never cut: what it refers to would be lost. */
  @Override
  boolean mayBeCut() {
    return false;
  }

  @Override
  void compressAlone(byte[] block, int count) throws IOException {
    feed(block, count);
  }

  @Override
  void free() {
    memory.release(contextHeld);
    contextHeld = 0;
    context.close();
  }

  private void drain() throws IOException {
    out.write(compressed.array(), 0, compressed.position());
    compressed.clear();
  }
}
