package io.filament.sink.s3.internal.object;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The segments that full parts are made of, used again when a part is with the store. It keeps a
 * bounded number that nobody uses; the others are left to the garbage collector. Any thread may
 * call.
 */
final class SegmentPool {

  /** The size of a segment; smaller ones, which small objects begin with, are not kept. */
  static final int SEGMENT_BYTES = 64 * 1024;

  private final int mostKept;
  // Guarded by this.
  private final Deque<byte[]> kept = new ArrayDeque<>();

  /**
   * @param mostKept how many segments are kept at most
   */
  SegmentPool(int mostKept) {
    this.mostKept = mostKept;
  }

  /** Returns a segment, whose content is of no use. */
  byte[] take() {
    synchronized (this) {
      if (!kept.isEmpty()) {
        return kept.pop();
      }
    }
    return new byte[SEGMENT_BYTES];
  }

  /** Takes back what nobody reads or writes any more. */
  synchronized void giveBack(List<byte[]> segments) {
    for (byte[] segment : segments) {
      if (kept.size() < mostKept && segment.length == SEGMENT_BYTES) {
        kept.push(segment);
      }
    }
  }
}
