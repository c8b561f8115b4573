package io.filament.sink.s3.internal.encode;

import io.filament.sink.Compression;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
  private final Map<LentTools.Use, Deque<LentTools>> spare = new EnumMap<>(LentTools.Use.class);
  private int count;
  private int waiting;
  private boolean closed;

  /**
   * @param memory pays for all but the first
   */
  public Workspaces(RunMemory memory) {
    this.memory = memory;
    for (LentTools.Use use : LentTools.Use.values()) {
      spare.put(use, new ArrayDeque<>());
    }
    memory.spare().onDrop(this::dropSpare);
  }

  /** Returns workspaces without a bound. */
  static Workspaces unbounded() {
    return new Workspaces(RunMemory.unbounded());
  }

  /**
   * Returns a workspace that nobody else uses, for which it may wait. All have the compression that
   * was asked for first.
   *
   * @throws SinkException if they are closed
   * @throws IOException if the compressor's native library can't be loaded
   */
  synchronized ChunkTools borrow(Compression compression) throws IOException {
    while (!closed && idle.isEmpty() && count > 0 && !tryShareMore()) {
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
    if (closed) {
      throw new SinkException("the run was aborted");
    }
    if (!idle.isEmpty()) {
      return idle.pop();
    }
    ChunkTools made = ChunkTools.with(PageCompressor.of(compression));
    count++;
    return made;
  }

  /** Gives up what is only kept rather than let somebody wait. */
  private synchronized boolean tryShareMore() {
    if (memory.tryShare(BYTES)) {
      return true;
    }
    dropSpare();
    return memory.tryShare(BYTES);
  }

  synchronized void giveBack(ChunkTools tools) {
    boolean isSurplus = count > 1 && waiting == 0 && memory.isCrowded();
    if (closed || isSurplus) {
      end(tools);
    } else {
      idle.push(tools);
      notifyAll();
    }
  }

  private void end(ChunkTools tools) {
    tools.compressor().release();
    count--;
    if (count > 0) {
      memory.unshare(BYTES);
    }
  }

  /**
   * Returns tools for work on another thread, or null if there is no memory to spare.
   *
   * @param bytes how much memory they take, at least what is usual
   * @throws IOException if the compressor's native library can't be loaded
   */
  synchronized @Nullable LentTools tryLend(LentTools.Use use, Compression compression, long bytes)
      throws IOException {
    LentTools kept = bytes == use.usualBytes() ? spareOf(use).poll() : null;
    if (kept != null) {
      memory.spare().use(bytes);
      return kept;
    }
    if (!memory.tryHold(bytes)) {
      return null;
    }
    try {
      return new LentTools(use, ChunkTools.with(PageCompressor.of(compression)), bytes);
    } catch (IOException | RuntimeException | Error e) {
      memory.letGo(bytes);
      throw e;
    }
  }

  /** Takes lent tools back, from any thread. Some are kept, until memory is scarce. */
  synchronized void giveBack(LentTools lent) {
    if (closed || lent.areUnusual() || memory.isCrowded()) {
      lent.tools().compressor().release();
      memory.letGo(lent.held());
    } else {
      spareOf(lent.use()).push(lent);
      memory.spare().keep(lent.held());
    }
  }

  /** Holds memory for what other threads have made, if there is some to spare. */
  boolean tryHold(long bytes) {
    return memory.tryHold(bytes);
  }

  /** Gives back what {@link #tryHold} has got. */
  void letGo(long bytes) {
    memory.letGo(bytes);
  }

  private Deque<LentTools> spareOf(LentTools.Use use) {
    return Objects.requireNonNull(spare.get(use), "use");
  }

  private synchronized void dropSpare() {
    for (Deque<LentTools> kept : spare.values()) {
      for (LentTools lent : kept) {
        lent.tools().compressor().release();
        memory.spare().dropped(lent.held());
      }
      kept.clear();
    }
  }

  /** Frees native memory; of those in use when they are given back. Wakes who waits. Idempotent. */
  public synchronized void close() {
    closed = true;
    notifyAll();
    dropSpare();
    while (!idle.isEmpty()) {
      end(idle.pop());
    }
  }
}
