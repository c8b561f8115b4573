package io.filament.sink.s3.internal.object;

import io.filament.sink.SinkEvent.ConcurrencyChanged;
import io.filament.sink.SinkEvent.RequestRetried;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.RequestObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the S3 requests of one run on threads of its own, never more than a limit at a time; who
 * asks for one more waits. Any thread may call.
 *
 * <p>It begins without threads, and ends idle ones. {@link #cancel} ends it for good.
 */
public final class RequestPool implements RequestObserver {

  private static final Logger LOG = LoggerFactory.getLogger(RequestPool.class);
  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor threads;
  private final RunEvents events;
  private final Pace pace;
  // The three below are guarded by this.
  private final Set<Thread> working = new HashSet<>();
  private int inFlight;
  private boolean cancelled;

  /**
   * @param limit the most requests in flight, at least 1
   */
  public RequestPool(int limit) {
    this(limit, RunEvents.none());
  }

  /**
   * @param limit the most requests in flight, at least 1
   * @param events told what the requests go through
   */
  public RequestPool(int limit, RunEvents events) {
    this.events = events;
    this.pace = new Pace(limit);
    AtomicInteger count = new AtomicInteger();
    // The queue never fills: a request enters it only after it got one of `limit` places, and a
    // thread that gave its place back may need a moment before it takes the next one.
    this.threads =
        new ThreadPoolExecutor(
            limit,
            limit,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limit),
            task -> {
              Thread thread = new Thread(task, "filament-s3-request-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Begins a request, after waiting until one is allowed.
   *
   * @throws SinkException if the pool is cancelled
   * @throws InterruptedIOException if the caller is interrupted while it waits
   */
  public <T> Future<T> submit(Callable<T> call) throws IOException {
    return submit(call, new Waits());
  }

  /** As {@link #submit(Callable)}, and adds to the waits if it had to wait. */
  <T> Future<T> submit(Callable<T> call, Waits waits) throws IOException {
    long since = events.nanos();
    if (acquire()) {
      waits.add(WaitReason.REQUESTS, events.nanos() - since);
    }
    return begun(call);
  }

  private <T> Future<T> begun(Callable<T> call) throws IOException {
    Request<T> request = new Request<>(call);
    try {
      threads.execute(request);
    } catch (RejectedExecutionException e) { // cancelled since
      release();
      throw refused();
    }
    return request.result;
  }

  /** Makes a request and waits for its end; {@link #submit} and {@link RequestEnd#of} in one. */
  public <T> T call(Callable<T> call) throws IOException {
    return RequestEnd.of(submit(call));
  }

  /**
   * Waits for the end of a request as {@link RequestEnd#uninterruptibly} does, but after an
   * interrupt the request has this long to end by itself; then everything is cancelled, and what
   * became of it is waited for.
   */
  public <T> T joinOrCancel(Future<T> request, Duration moment) throws IOException {
    try {
      return request.get();
    } catch (ExecutionException e) {
      throw RequestEnd.thrown(e);
    } catch (InterruptedException e) {
      try {
        return request.get(moment.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException failed) {
        throw RequestEnd.thrown(failed);
      } catch (InterruptedException | TimeoutException late) {
        cancel();
        return RequestEnd.uninterruptibly(request);
      } finally {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Lets fewer requests begin for a while. Called on the thread of a request whose store asks to
   * slow down, or that got no connection; the others go on.
   */
  @Override
  public void slowDown() {
    changePace(() -> pace.slowDown(Thread.currentThread()));
  }

  /** Lets no more requests begin than can have a connection: the others would fail waiting. */
  @Override
  public void connections(int count) {
    int before;
    synchronized (this) {
      before = pace.most();
      pace.cap(count);
    }
    if (count < before) {
      LOG.info(
          "the client has {} connections, so no more requests are in flight at a time than that,"
              + " instead of {} (upload_concurrency)",
          count,
          before);
    }
  }

  /** Returns the most requests in flight. */
  public synchronized int most() {
    return pace.most();
  }

  @Override
  public void retried(RequestRetried event) {
    events.requestRetried(event);
  }

  /** Tells of another limit when the lock is given away. */
  private void changePace(Runnable change) {
    int before;
    int now;
    int most;
    synchronized (this) {
      before = pace.limit();
      change.run();
      now = pace.limit();
      most = pace.most();
    }
    if (now != before) {
      events.listener().concurrencyChanged(new ConcurrencyChanged(before, now, most));
    }
  }

  /** Returns how many requests may be in flight at present. */
  synchronized int limit() {
    return pace.limit();
  }

  /** Interrupts what is in flight, refuses what comes, and wakes who waits. Idempotent. */
  public void cancel() {
    synchronized (this) {
      cancelled = true;
      notifyAll();
    }
    for (Runnable queued : threads.shutdownNow()) {
      ((Request<?>) queued).refuse();
    }
  }

  /** Returns whether it was cancelled. */
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Returns whether the calling thread is making one of these requests, as a listener's does. */
  public synchronized boolean isMakingRequest() {
    return working.contains(Thread.currentThread());
  }

  /**
   * Waits until nothing is in flight but the request that the caller is in, if it is in one. An
   * interrupt doesn't end the wait; its flag is set again.
   */
  public void awaitIdle() {
    boolean interrupted = false;
    synchronized (this) {
      int own = isMakingRequest() ? 1 : 0;
      while (inFlight > own) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether it had to wait. */
  private synchronized boolean acquire() throws IOException {
    boolean waited = false;
    while (inFlight >= pace.limit() && !cancelled) {
      waited = true;
      try {
        wait();
      } catch (InterruptedException e) {
        throw RequestEnd.interrupted();
      }
    }
    if (cancelled) {
      throw refused();
    }
    inFlight++;
    return waited;
  }

  private synchronized void begin() {
    working.add(Thread.currentThread());
    pace.begin(Thread.currentThread());
  }

  private void end() {
    changePace(() -> pace.end(Thread.currentThread())); // told while the request still counts
    synchronized (this) {
      working.remove(Thread.currentThread());
      release();
    }
  }

  private synchronized void release() {
    inFlight--;
    notifyAll();
  }

  private static SinkException refused() {
    return new SinkException("the run was aborted");
  }

  private final class Request<T> implements Runnable {

    private final Callable<T> call;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Request(Callable<T> call) {
      this.call = call;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // whatever a request throws belongs to who waits for it
    public void run() {
      begin();
      T value;
      try {
        value = call.call();
      } catch (Throwable e) {
        end();
        result.completeExceptionally(e);
        return;
      }
      end();
      result.complete(value);
    }

    void refuse() {
      release();
      result.completeExceptionally(refused());
    }
  }
}
