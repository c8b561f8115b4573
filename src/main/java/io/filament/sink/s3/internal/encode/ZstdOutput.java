package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** One Zstandard frame (RFC 8878) with the checksum of its content. */
final class ZstdOutput extends CompressedOutput {

  private static final int LEVEL = 3;

  private final OutputStream out;
  private final ZstdCompressCtx context;
  private final ByteBuffer compressed = ByteBuffer.allocate(OUTPUT_BYTES);

  private ZstdOutput(OutputStream out, ZstdCompressCtx context) {
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
  void compress(byte[] source, int count) throws IOException {
    ByteBuffer input = ByteBuffer.wrap(source, 0, count);
    while (input.hasRemaining()) {
      context.compressByteBufferStream(compressed, input, EndDirective.CONTINUE);
      drain();
    }
  }

  @Override
  void end() throws IOException {
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
