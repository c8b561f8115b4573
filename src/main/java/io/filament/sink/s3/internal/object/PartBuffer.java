package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Collects the bytes of one part. It grows in small segments, so that a part which never fills
 * costs little more than its bytes. Used by one thread at a time.
 */
final class PartBuffer {

  private static final int FIRST_SEGMENT_BYTES = 4 * 1024;

  private final long capacity;
  private final SegmentPool pool;
  private final List<byte[]> segments = new ArrayList<>();
  private final CRC32C crc32c = new CRC32C();
  private long allocated;
  private long length;

  PartBuffer(long capacity, SegmentPool pool) {
    this.capacity = capacity;
    this.pool = pool;
  }

  long length() {
    return length;
  }

  boolean isFull() {
    return length == capacity;
  }

  /** Takes as many bytes as there is room for and returns their number. */
  int write(byte[] source, int offset, int count) {
    int taken = (int) Math.min(count, capacity - length);
    crc32c.update(source, offset, taken);
    int left = taken;
    while (left > 0) {
      if (length == allocated) {
        grow();
      }
      byte[] segment = segments.get(segments.size() - 1);
      int free = (int) (allocated - length);
      int copied = Math.min(left, free);
      System.arraycopy(source, offset + taken - left, segment, segment.length - free, copied);
      length += copied;
      left -= copied;
    }
    return taken;
  }

  /** Returns the bytes as a request's body; nothing may be written after that. */
  Body body() {
    List<byte[]> filled = List.copyOf(segments);
    long size = length;
    return new Body(() -> new Content(filled, size), size, Crc32c.of(crc32c));
  }

  Crc32c crc32c() {
    return Crc32c.of(crc32c);
  }

  /** Gives the segments back once nobody reads the body any more; it must not be read again. */
  void release() {
    pool.giveBack(segments);
    segments.clear();
  }

  private void grow() {
    int size =
        segments.isEmpty()
            ? FIRST_SEGMENT_BYTES
            : Math.min(2 * segments.get(segments.size() - 1).length, SegmentPool.SEGMENT_BYTES);
    long room = Math.min(size, capacity - allocated);
    byte[] segment = room == SegmentPool.SEGMENT_BYTES ? pool.take() : new byte[(int) room];
    segments.add(segment);
    allocated += segment.length;
  }

  /** Reads the segments one after the other. */
  private static final class Content extends InputStream {

    private final List<byte[]> segments;
    private long left;
    private int segment;
    private int position;

    Content(List<byte[]> segments, long length) {
      this.segments = segments;
      this.left = length;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      if (count == 0) {
        return 0;
      }
      if (left == 0) {
        return -1;
      }
      byte[] current = segments.get(segment);
      int copied = (int) Math.min(Math.min(count, current.length - position), left);
      System.arraycopy(current, position, target, offset, copied);
      position += copied;
      left -= copied;
      if (position == current.length) {
        segment++;
        position = 0;
      }
      return copied;
    }

    @Override
    public int available() {
      return (int) Math.min(left, Integer.MAX_VALUE);
    }
  }
}
