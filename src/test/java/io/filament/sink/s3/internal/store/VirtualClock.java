package io.filament.sink.s3.internal.store;

import java.time.Duration;

/** Time that passes when somebody sleeps, and only then. */
final class VirtualClock implements Retries.Clock {

  private Duration now = Duration.ZERO;

  /** Returns how long was slept in all. */
  synchronized Duration slept() {
    return now;
  }

  @Override
  public synchronized long nanos() {
    return now.toNanos();
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    synchronized (this) {
      now = now.plus(time);
    }
  }
}
