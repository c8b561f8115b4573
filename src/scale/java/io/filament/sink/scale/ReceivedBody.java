package io.filament.sink.scale;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What is kept of a body that was read and dropped.
 *
 * @param length its bytes
 * @param crc their CRC-32C
 * @param lines how many line feeds are among them
 * @param head the first four
 * @param tail the last four
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares bodies
record ReceivedBody(long length, int crc, long lines, byte[] head, byte[] tail) {

  private static final int EDGE = 4;

  /** Reads a body as fast as the pace allows. */
  static ReceivedBody read(InputStream in, long length, byte[] buffer, PaceOfBytes pace)
      throws IOException {
    CRC32C crc = new CRC32C();
    long lines = 0;
    byte[] head = new byte[0];
    byte[] tail = new byte[0];
    long left = length;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new IOException("a body ended " + left + " bytes early");
      }
      pace.pass(read);
      crc.update(buffer, 0, read);
      for (int i = 0; i < read; i++) {
        lines += buffer[i] == '\n' ? 1 : 0;
      }
      head = head.length < EDGE ? first(joined(head, buffer, read)) : head;
      tail = last(joined(tail, buffer, read));
      left -= read;
    }
    return new ReceivedBody(length, (int) crc.getValue(), lines, head, tail);
  }

  private static byte[] joined(byte[] start, byte[] buffer, int count) {
    byte[] joined = Arrays.copyOf(start, start.length + Math.min(count, 2 * EDGE));
    int kept = joined.length - start.length;
    int firstKept = Math.min(kept, EDGE);
    System.arraycopy(buffer, 0, joined, start.length, firstKept);
    System.arraycopy(
        buffer, count - (kept - firstKept), joined, start.length + firstKept, kept - firstKept);
    return joined;
  }

  private static byte[] first(byte[] bytes) {
    return Arrays.copyOf(bytes, Math.min(EDGE, bytes.length));
  }

  private static byte[] last(byte[] bytes) {
    return Arrays.copyOfRange(bytes, Math.max(0, bytes.length - EDGE), bytes.length);
  }
}
