package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Collects the bytes of one part. It grows in small segments, so that a part which never fills
 * costs little more than its bytes. Used by one thread at a time.
 */
final class PartBuffer {

  static final int FIRST_SEGMENT_BYTES = 4 * 1024;

  private final long capacity;
  private final SegmentPool pool;
  private final ResourceMemory memory;
  private final List<byte[]> segments = new ArrayList<>();
  private final CRC32C crc32c = new CRC32C();
  private long allocated;
  private long length;

  PartBuffer(long capacity, SegmentPool pool, ResourceMemory memory) {
    this.capacity = capacity;
    this.pool = pool;
    this.memory = memory;
  }

  long length() {
    return length;
  }

  /** Returns the memory that it has. */
  long allocated() {
    return allocated;
  }

  boolean isFull() {
    return length == capacity;
  }

  /** Returns whether the next byte needs more memory. */
  boolean mustGrow() {
    return length == allocated;
  }

  /** Returns by how much its memory can grow. */
  long room() {
    return capacity - allocated;
  }

  /** Takes as many bytes as fit into the memory that it has and returns their number. */
  int write(byte[] source, int offset, int count) {
    int free = (int) (allocated - length);
    int taken = Math.min(count, free);
    crc32c.update(source, offset, taken);
    if (taken > 0) {
      byte[] segment = segments.get(segments.size() - 1);
      System.arraycopy(source, offset, segment, segment.length - free, taken);
      length += taken;
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

  /** Passes the memory on to a request, at whose end {@link #release} gives it back. */
  void sent() {
    memory.sent(allocated);
  }

  /**
   * Gives the segments back once nobody reads the body any more; it must not be read again.
   * Idempotent.
   */
  void release() {
    pool.giveBack(segments, allocated);
    segments.clear();
    allocated = 0;
  }

  /** Takes as much more memory as is usual, if it is there. */
  boolean tryGrow() {
    int usual =
        segments.isEmpty()
            ? FIRST_SEGMENT_BYTES
            : Math.min(2 * segments.get(segments.size() - 1).length, SegmentPool.SEGMENT_BYTES);
    int size = (int) Math.min(usual, capacity - allocated);
    byte[] segment = size == SegmentPool.SEGMENT_BYTES ? pool.take(memory) : null;
    if (segment == null) {
      if (!memory.tryReserve(size)) {
        return false;
      }
      segment = new byte[size];
    }
    add(segment);
    return true;
  }

  /** Takes memory that was reserved. */
  void grow(int reserved) {
    add(new byte[reserved]);
  }

  private void add(byte[] segment) {
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

    /** Writes the rest as it stands in memory, a segment at a time. */
    @Override
    public long transferTo(OutputStream out) throws IOException {
      long before = left;
      while (left > 0) {
        byte[] current = segments.get(segment);
        int count = (int) Math.min(current.length - position, left);
        out.write(current, position, count);
        left -= count;
        position = 0;
        segment++;
      }
      return before;
    }

    @Override
    public int available() {
      return (int) Math.min(left, Integer.MAX_VALUE);
    }
  }
}
