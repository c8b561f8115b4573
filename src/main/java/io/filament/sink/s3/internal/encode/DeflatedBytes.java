package io.filament.sink.s3.internal.encode;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Bytes in memory that are written once and read once, from the first to the last. What has become
 * many of them is kept compressed, for which the JDK's own codec is borrowed only as long as it
 * works. Used by one thread at a time.
 */
final class DeflatedBytes extends OutputStream {

  /** Few bytes are not worth a codec. */
  private static final int DEFLATE_BYTES = 64 << 10;

  private final List<byte[]> deflated = new ArrayList<>();
  private final PageBytes last = new PageBytes(DEFLATE_BYTES);
  private long deflatedBytes;

  /** Returns about how much memory it takes. */
  long allocated() {
    return deflatedBytes + last.array().length;
  }

  @Override
  public void write(int b) throws IOException {
    last.putByte(b);
    deflateMany();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    last.put(bytes, offset, length);
    deflateMany();
  }

  private void deflateMany() throws IOException {
    if (last.length() < DEFLATE_BYTES) {
      return;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(last.length() / 2);
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DeflaterOutputStream deflating = new DeflaterOutputStream(out, deflater)) {
      deflating.write(last.array(), 0, last.length());
    } finally {
      deflater.end();
    }
    byte[] bytes = out.toByteArray();
    deflated.add(bytes);
    deflatedBytes += bytes.length;
    last.clear();
  }

  /** Returns a stream of all bytes. Nothing is written after that. */
  InputStream read() {
    Stream<InputStream> whole =
        Stream.concat(
            deflated.stream()
                .map(piece -> new InflaterInputStream(new ByteArrayInputStream(piece))),
            Stream.of(new ByteArrayInputStream(last.array(), 0, last.length())));
    return new BufferedInputStream(new InTurn(whole.iterator()));
  }

  /** One stream after the other; the next is made when the one before has ended. */
  private static final class InTurn extends InputStream {

    private final Iterator<InputStream> streams;
    private InputStream current = InputStream.nullInputStream();

    InTurn(Iterator<InputStream> streams) {
      this.streams = streams;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      int read = current.read(target, offset, count);
      while (read < 0 && streams.hasNext()) {
        current.close();
        current = streams.next();
        read = current.read(target, offset, count);
      }
      return read;
    }
  }
}
