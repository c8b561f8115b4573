package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The segments that full parts are made of, used again when a part is with the store. It keeps a
 * bounded number that nobody uses; the others are left to the garbage collector. Any thread may
 * call.
 */
final class SegmentPool {

  /** The size of a segment; smaller ones, which small objects begin with, are not kept. */
  static final int SEGMENT_BYTES = 64 * 1024;

  private final int mostKept;
  private final RunMemory memory;
  // Guarded by this.
  private final Deque<byte[]> kept = new ArrayDeque<>();

  /**
   * @param mostKept how many segments are kept at most
   * @param memory counts what is kept, and may want it back
   */
  SegmentPool(int mostKept, RunMemory memory) {
    this.mostKept = mostKept;
    this.memory = memory;
    memory.spare().onDrop(this::drop);
  }

  /** Returns a segment that was kept, whose content is of no use, or null if there is none. */
  synchronized byte @Nullable [] take(ResourceMemory taker) {
    if (kept.isEmpty()) {
      return null;
    }
    taker.takeSpare(SEGMENT_BYTES);
    return kept.pop();
  }

  /**
   * Takes back what nobody reads or writes any more.
   *
   * @param bytes how large the segments are together
   */
  synchronized void giveBack(List<byte[]> segments, long bytes) {
    int before = kept.size();
    if (!memory.isCrowded()) {
      for (byte[] segment : segments) {
        if (kept.size() < mostKept && segment.length == SEGMENT_BYTES) {
          kept.push(segment);
        }
      }
    }
    memory.landed(bytes, (kept.size() - before) * (long) SEGMENT_BYTES);
  }

  private synchronized void drop() {
    memory.spare().dropped(kept.size() * (long) SEGMENT_BYTES);
    kept.clear();
  }
}
