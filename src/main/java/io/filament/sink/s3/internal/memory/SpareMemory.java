package io.filament.sink.s3.internal.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is held and kept for later though nobody needs it. Any thread may call. */
public final class SpareMemory {

  private final RunMemory run;
  private final List<Runnable> droppers = new CopyOnWriteArrayList<>();
  // Guarded by the run's memory.
  private long held;

  SpareMemory(RunMemory run) {
    this.run = run;
  }

  /** Keeps what {@link RunMemory#tryHold} has got; it may be dropped. */
  public void keep(long bytes) {
    synchronized (run) {
      add(bytes);
      run.workers().wake();
    }
  }

  /** Needs again what was kept, as if {@link RunMemory#tryHold} had got it. */
  public void use(long bytes) {
    synchronized (run) {
      add(-bytes);
    }
  }

  /** Says what gives up memory that is kept, and tells {@link #dropped}. There may be several. */
  public void onDrop(Runnable dropper) {
    droppers.add(dropper);
  }

  /** Gives back what was kept. */
  public void dropped(long bytes) {
    synchronized (run) {
      add(-bytes);
      run.letGo(bytes);
    }
  }

  void drop() {
    droppers.forEach(Runnable::run); // each takes the lock of who keeps it
  }

  // What follows is for who has the run's lock.

  void add(long bytes) {
    held += bytes;
  }

  boolean isThere() {
    return held > 0;
  }
}
