package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Work on another thread, with tools that are lent. They are given back once neither that thread
 * nor the one that has begun the work needs them: by whoever leaves last. So nobody waits for work
 * that is given up, and nobody gets tools that are still used.
 */
abstract class LentWork<T> implements Callable<T> {

  private enum State {
    WAITING,
    AT_WORK,
    DONE,
    LEFT
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  /** Does the work. */
  abstract T work() throws IOException;

  /** Gives the tools back. Called once, by any thread. */
  abstract void giveBack();

  @Override
  public final T call() throws IOException {
    if (!state.compareAndSet(State.WAITING, State.AT_WORK)) {
      throw new CancellationException("given up");
    }
    try {
      return work();
    } finally {
      if (!state.compareAndSet(State.AT_WORK, State.DONE)) {
        giveBack();
      }
    }
  }

  /** Says that the thread that has begun the work needs nothing of it any more. Idempotent. */
  final void leave() {
    State before = state.getAndSet(State.LEFT);
    if (before == State.WAITING || before == State.DONE) {
      giveBack();
    }
  }
}
