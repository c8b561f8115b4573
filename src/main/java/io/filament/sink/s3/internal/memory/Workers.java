package io.filament.sink.s3.internal.memory;

/**
 * The threads that are at work on a run's resources, and those of them that wait for memory.
 * Guarded by the run's memory, on which they wait.
 */
final class Workers {

  private final RunMemory run;
  private int working;
  private int waiting;
  private long wakes;
  private long waitCount;
  private long turnsGivenAway;

  Workers(RunMemory run) {
    this.run = run;
  }

  void begin() {
    working++;
  }

  void end() {
    working--;
  }

  /** Returns whether a thread is at work beside the one that asks. */
  boolean isAnotherAtWork() {
    return working > 1;
  }

  /** Waits for the next change. */
  @SuppressWarnings("WaitNotInLoop") // the caller's
  void await() throws InterruptedException {
    long before = wakes;
    working--;
    waiting++;
    try {
      run.wait();
    } finally {
      if (before == wakes) { // interrupted
        working++;
        waiting--;
      }
    }
  }

  /**
   * Wakes all that wait. They are at work from here on: who is short before they have looked must
   * not believe that nobody can go on.
   */
  void wake() {
    wakes++;
    working += waiting;
    waiting = 0;
    run.notifyAll();
  }

  /** Says that a resource's turn is given away, which a thread may have found taken. */
  void turnGivenAway() {
    turnsGivenAway++;
    wake();
  }

  long turnsGivenAway() {
    return turnsGivenAway;
  }

  void countWait() {
    waitCount++;
  }

  /** Returns how often a thread had to wait. */
  long waitCount() {
    return waitCount;
  }
}
