package io.filament.sink.s3.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkEvent.ConcurrencyChanged;
import io.filament.sink.SinkException;
import io.filament.sink.s3.testing.RecordedEvents;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // the pool is what is watched
class RequestPoolTest {

  private final RequestPool pool = new RequestPool(2);

  @AfterEach
  void end() {
    pool.cancel();
  }

  @Test
  void neverMoreThanTheLimitAreInFlight() throws Exception {
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<Integer>> pending = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      int value = i;
      pending.add(
          pool.submit(
              () -> {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                inFlight.decrementAndGet();
                return value;
              }));
    }
    for (int i = 0; i < pending.size(); i++) {
      assertThat(RequestEnd.of(pending.get(i))).isEqualTo(i);
    }
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  void anInterruptLeavesARequestAMomentAndThenCancelsIt() throws Exception {
    Future<Boolean> request = pool.submit(() -> awaited(new CountDownLatch(1)));
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> pool.joinOrCancel(request, Duration.ZERO))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(InterruptedException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(pool.isCancelled()).isTrue();
  }

  @Test
  void whoAsksBeyondTheLimitWaitsUntilOneEnds() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    pool.submit(() -> awaited(release));
    pool.submit(() -> awaited(release));
    AtomicInteger begun = new AtomicInteger();
    Thread third = started(() -> pool.submit(begun::incrementAndGet));
    awaitWaiting(third);

    assertThat(begun).hasValue(0);

    release.countDown();
    third.join();
    pool.awaitIdle();
    assertThat(begun).hasValue(1);
  }

  @Test
  void cancelWakesWhoWaitsAndInterruptsWhatRuns() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Future<?> first = pool.submit(() -> awaited(never));
    pool.submit(() -> awaited(never));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread third =
        started(
            () -> {
              try {
                pool.submit(() -> 3);
              } catch (IOException e) {
                thrown.set(e);
              }
              return null;
            });
    awaitWaiting(third);

    pool.cancel();
    pool.awaitIdle();
    third.join();

    assertThat(thrown.get()).isInstanceOf(SinkException.class).hasMessage("the run was aborted");
    assertThatThrownBy(() -> RequestEnd.of(first))
        .hasRootCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> pool.submit(() -> 4)).hasMessage("the run was aborted");
  }

  @Test
  void anInterruptedCallerGetsItsFlagBack() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    pool.submit(() -> awaited(release));
    pool.submit(() -> awaited(release));
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> pool.submit(() -> 3)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    release.countDown();
  }

  @Test
  void whatARequestThrowsIsThrownAsItIs() {
    IOException failure = new IOException("refused");

    assertThatThrownBy(
            () ->
                pool.call(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThatThrownBy(
            () ->
                pool.call(
                    () -> {
                      throw new OutOfMemoryError("planned");
                    }))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void aStoreThatAsksToSlowDownGetsFewerRequests() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch slowed = new CountDownLatch(1);
    Future<Boolean> first =
        pool.submit(
            () -> {
              pool.slowDown();
              slowed.countDown();
              return awaited(release);
            });
    slowed.await();

    assertThat(pool.limit()).isEqualTo(1);
    Thread second = started(() -> pool.call(() -> 2));
    awaitWaiting(second);
    release.countDown();
    second.join();
    assertThat(first.get()).isTrue();
    assertThat(pool.limit()).isEqualTo(2);
  }

  @Test
  void anotherLimitIsToldWhenItChanges() throws Exception {
    RecordedEvents heard = new RecordedEvents();
    RequestPool told = new RequestPool(4, RunEvents.of(heard, System::nanoTime));
    told.call(
        () -> {
          told.slowDown(); // to 2
          told.slowDown(); // to 1
          told.slowDown(); // can't be less
          return true; // the round of one request that may be in flight
        });
    told.cancel();

    assertThat(heard.of(ConcurrencyChanged.class))
        .containsExactly(
            new ConcurrencyChanged(4, 2, 4),
            new ConcurrencyChanged(2, 1, 4),
            new ConcurrencyChanged(1, 2, 4));
  }

  private static boolean awaited(CountDownLatch latch) throws InterruptedException {
    latch.await();
    return true;
  }

  private static Thread started(java.util.concurrent.Callable<?> work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.call();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    return thread;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
