package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
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

  /** How much is handed on at a time. */
  private static final int OUTPUT_BYTES = 8 << 10;

  private final OutputStream out;
  private final ZstdCompressCtx context;
  private final ByteBuffer compressed = ByteBuffer.allocate(OUTPUT_BYTES);

  private ZstdOutput(OutputStream out, ZstdCompressCtx context) {
    super(BLOCK_BYTES);
    this.out = out;
    this.context = context;
  }

  /**
   * Returns a stream of one thread's work, whose bytes depend on nothing but the input.
   *
   * @throws IOException if the native library can't be loaded
   */
  static ZstdOutput to(OutputStream out) throws IOException {
    return new ZstdOutput(
        out,
        NativeLibrary.ZSTD.load(() -> new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true)));
  }

  @Override
  byte[] compress(byte[] block, int count) throws IOException {
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
    feed(block, count);
    ByteBuffer nothing = ByteBuffer.allocate(0);
    boolean ended;
    do {
      ended = context.compressByteBufferStream(compressed, nothing, EndDirective.END);
      drain();
    } while (!ended);
  }

  @Override
  void free() {
    context.close();
  }

  private void drain() throws IOException {
    out.write(compressed.array(), 0, compressed.position());
    compressed.clear();
  }
}
