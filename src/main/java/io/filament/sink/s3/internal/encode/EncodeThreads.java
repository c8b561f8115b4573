package io.filament.sink.s3.internal.encode;

import io.filament.sink.SinkException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which the encoders of one run encode and compress. Any thread may call.
 *
 * <p>Work has one of a fixed number of places from its beginning until its result is taken, which
 * bounds the memory of all that is given away. Who finds no place free works on its own thread, so
 * nobody waits for another resource. It begins without threads, and ends idle ones. {@link #end}
 * ends it for good.
 */
public final class EncodeThreads {

  /** What waits for a thread or to be taken, beside what the threads work on. */
  private static final int WAITING = 2;

  private static final long IDLE_SECONDS = 5;

  private final int count;
  private final Semaphore places;
  private final Semaphore aheadPlaces;
  private final ThreadPoolExecutor threads;

  private EncodeThreads(int places, int count) {
    this.count = count;
    int ahead = places == 0 ? 0 : count;
    this.places = new Semaphore(places);
    this.aheadPlaces = new Semaphore(ahead);
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(Math.max(1, places + ahead)),
            task -> {
              Thread thread = new Thread(task, "filament-s3-encode-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Returns so many threads, none of them started. One is the caller's: all work is done there.
   *
   * @param count at least 1
   */
  public static EncodeThreads of(int count) {
    return new EncodeThreads(count == 1 ? 0 : count + WAITING, count);
  }

  /** Returns how many there are; with one, all work is done on the callers' threads. */
  int count() {
    return count;
  }

  /**
   * Begins some work on another thread, or returns null if no place is free.
   *
   * @throws SinkException if the threads have been ended
   */
  <T> @Nullable Work<T> tryBegin(Callable<T> work) throws SinkException {
    return tryBegin(work, places);
  }

  /**
   * Does the same with work whose result is taken late: it has places of its own, as many as there
   * are threads, so that no other work waits for one that is done.
   *
   * @throws SinkException if the threads have been ended
   */
  <T> @Nullable Work<T> tryBeginAhead(Callable<T> work) throws SinkException {
    return tryBegin(work, aheadPlaces);
  }

  private <T> @Nullable Work<T> tryBegin(Callable<T> work, Semaphore from) throws SinkException {
    if (!from.tryAcquire()) {
      return null;
    }
    Work<T> begun = new Work<>(work, from);
    try {
      threads.execute(begun.task);
    } catch (RejectedExecutionException e) {
      begun.drop();
      throw ended();
    } catch (RuntimeException | Error e) { // no thread could be started
      begun.drop();
      throw e;
    }
    return begun;
  }

  /**
   * Refuses what comes, gives up what has not begun, and waits for the end of the rest. An
   * interrupt doesn't end the wait; its flag is set again. Idempotent.
   */
  public void end() {
    for (Runnable waiting : threads.shutdownNow()) {
      ((FutureTask<?>) waiting).cancel(false);
    }
    boolean interrupted = false;
    boolean terminated = false;
    while (!terminated) {
      try {
        terminated = threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static SinkException ended() {
    return new SinkException("the run was aborted");
  }

  /** Work that was begun. Used by the thread that has begun it, or one at a time. */
  final class Work<T> {

    private final FutureTask<T> task;
    private final Semaphore from;
    private boolean hasPlace = true;

    private Work(Callable<T> work, Semaphore from) {
      this.task = new FutureTask<>(work);
      this.from = from;
    }

    /** Returns whether {@link #take} need not wait. */
    boolean isDone() {
      return task.isDone();
    }

    /**
     * Waits for the result and gives the place back.
     *
     * @throws SinkException if the threads were ended before
     * @throws InterruptedIOException if the caller is interrupted
     */
    T take() throws IOException {
      try {
        return task.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for compressed bytes");
      } catch (CancellationException e) {
        throw ended();
      } catch (ExecutionException e) {
        throw rethrown(e);
      } finally {
        drop();
      }
    }

    /**
     * Does the work here if no thread has begun it; else does as {@link #take}. So who waits does
     * so for work alone, and not for a thread.
     */
    T takeOrDo() throws IOException {
      if (threads.remove(task)) {
        task.run();
      }
      return take();
    }

    /** Gives the work up and its place back; idempotent. */
    void drop() {
      task.cancel(false);
      if (hasPlace) {
        hasPlace = false;
        threads.remove(task); // else it would wait in the queue without a place
        from.release();
      }
    }
  }

  private static IOException rethrown(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof IOException e) {
      return e;
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return new IOException(failed);
  }
}
