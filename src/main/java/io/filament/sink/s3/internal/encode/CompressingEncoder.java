package io.filament.sink.s3.internal.encode;

import java.io.IOException;

/**
 * An encoder whose bytes go through a compressor.
 *
 * @param inner writes to {@code compressor}
 */
record CompressingEncoder(Encoder inner, CompressedOutput compressor) implements Encoder {

  @Override
  public int encode(Slice slice) throws IOException {
    return inner.encode(slice);
  }

  @Override
  public boolean isWithinRecord() {
    return inner.isWithinRecord();
  }

  @Override
  public void settle() throws IOException {
    inner.settle();
  }

  @Override
  public void cut() throws IOException {
    inner.cut();
    compressor.cut();
  }

  @Override
  public long cuttableBytes() {
    return inner.cuttableBytes() + compressor.cuttableBytes();
  }

  @Override
  public void finish() throws IOException {
    inner.finish();
    compressor.finish();
  }

  @Override
  public void close() {
    inner.close();
    compressor.close();
  }
}
