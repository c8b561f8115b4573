package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * One gzip member (RFC 1952). Not the JDK's GZIPOutputStream, whose header depends on its release
 * and whose close writes.
 */
final class GzipOutput extends CompressedOutput {

  /** Magic, deflate, no flags, no time stamp, no extra flags, unknown operating system. */
  private static final byte[] HEADER = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 0xFF};

  private static final int LEVEL = 6;

  private final OutputStream out;
  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private final byte[] compressed = new byte[OUTPUT_BYTES];
  private long size;
  private boolean begun;

  GzipOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  void compress(byte[] source, int count) throws IOException {
    begin();
    crc.update(source, 0, count);
    size += count;
    deflater.setInput(source, 0, count);
    while (!deflater.needsInput()) {
      drain();
    }
  }

  @Override
  void end() throws IOException {
    deflater.finish();
    while (!deflater.finished()) {
      drain();
    }
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt((int) crc.getValue()).putInt((int) size);
    out.write(trailer.array());
  }

  @Override
  void free() {
    deflater.end();
  }

  /** Writes the header with the first bytes: making an encoder writes nothing. */
  private void begin() throws IOException {
    if (!begun) {
      begun = true;
      out.write(HEADER);
    }
  }

  private void drain() throws IOException {
    int count = deflater.deflate(compressed, 0, compressed.length);
    out.write(compressed, 0, count);
  }
}
