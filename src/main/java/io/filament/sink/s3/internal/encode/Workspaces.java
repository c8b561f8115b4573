package io.filament.sink.s3.internal.encode;

import io.filament.sink.Compression;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The workspaces in which the Parquet files of one run are put together: as many as threads work at
 * once, and not one for each file. Any thread may call.
 *
 * <p>The first is paid for by the run; there are more as far as memory goes. Who has one does not
 * wait for who waits for one.
 */
public final class Workspaces {

  /** What one takes in use: a dictionary with its codes, a page, a compressed page. */
  static final long BYTES = 4 << 20;

  private final RunMemory memory;
  // All below are guarded by this.
  private final Deque<ChunkTools> idle = new ArrayDeque<>();
  private int count;
  private int waiting;
  private boolean closed;

  /**
   * @param memory pays for all but the first
   */
  public Workspaces(RunMemory memory) {
    this.memory = memory;
  }

  /** Returns workspaces without a bound. */
  static Workspaces unbounded() {
    return new Workspaces(RunMemory.unbounded());
  }

  /**
   * Returns a workspace that nobody else uses, for which it may wait. All have the compression that
   * was asked for first.
   *
   * @throws IOException if the compressor's native library can't be loaded
   */
  synchronized ChunkTools borrow(Compression compression) throws IOException {
    while (idle.isEmpty() && count > 0 && !memory.tryShare(BYTES)) {
      waiting++;
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting to write a Parquet row group");
      } finally {
        waiting--;
      }
    }
    if (!idle.isEmpty()) {
      return idle.pop();
    }
    ChunkTools made = ChunkTools.with(PageCompressor.of(compression));
    count++;
    return made;
  }

  synchronized void giveBack(ChunkTools tools) {
    boolean isSurplus = count > 1 && waiting == 0 && memory.isCrowded();
    if (closed || isSurplus) {
      tools.compressor().release();
      count--;
      if (count > 0) {
        memory.unshare(BYTES);
      }
    } else {
      idle.push(tools);
      notifyAll();
    }
  }

  /** Frees native memory; of those in use when they are given back. Idempotent. */
  public synchronized void close() {
    closed = true;
    while (!idle.isEmpty()) {
      idle.pop().compressor().release();
      count--;
    }
  }
}
