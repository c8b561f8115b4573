package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EncodeThreadsTest {

  private final CountDownLatch release = new CountDownLatch(1);
  private final EncodeThreads threads = EncodeThreads.of(2);

  @AfterEach
  void end() {
    release.countDown();
    threads.end();
  }

  @Test
  void oneThreadIsTheCallers() throws SinkException {
    assertThat(EncodeThreads.of(1).tryBegin(() -> 1)).isNull();
    assertThat(EncodeThreads.of(1).tryBeginAhead(() -> 1)).isNull();
  }

  @Test
  void workIsDoneOnNamedDaemons() throws IOException {
    Thread thread = threads.tryBegin(Thread::currentThread).take();
    assertThat(thread.getName()).matches("filament-s3-encode-[12]");
    assertThat(thread.isDaemon()).isTrue();
  }

  @Test
  void whatIsGivenAwayIsBoundedUntilItIsTaken() throws IOException {
    List<Work<Integer>> begun = fill();
    assertThat(begun).hasSize(4);
    release.countDown();
    assertThat(begun.get(0).take()).isZero();
    Work<Integer> next = threads.tryBegin(() -> 5);
    assertThat(next).isNotNull();
    assertThat(threads.tryBegin(() -> 6)).isNull();
    for (int i = 1; i < begun.size(); i++) {
      assertThat(begun.get(i).take()).isEqualTo(i);
    }
    assertThat(next.take()).isEqualTo(5);
  }

  /** And only as much as there are threads. */
  @Test
  void workAheadTakesNoPlaceOfOtherWork() throws IOException {
    fill();
    Work<Integer> ahead = threads.tryBeginAhead(() -> 1);
    assertThat(ahead).isNotNull();
    assertThat(threads.tryBeginAhead(() -> 2)).isNotNull();
    assertThat(threads.tryBeginAhead(() -> 3)).isNull();
    assertThat(ahead.takeOrDo()).isEqualTo(1);
    assertThat(threads.tryBegin(() -> 4)).isNull();
    assertThat(threads.tryBeginAhead(() -> 5)).isNotNull();
  }

  @Test
  void droppedWorkGivesItsPlaceBackOnce() throws IOException {
    List<Work<Integer>> begun = fill();
    begun.get(3).drop();
    begun.get(3).drop();
    assertThat(threads.tryBegin(() -> 5)).isNotNull();
    assertThat(threads.tryBegin(() -> 6)).isNull();
  }

  @Test
  void aFailureBelongsToWhoTakesTheResult() throws IOException {
    IOException failure = new IOException("x");
    Work<Integer> failing =
        threads.tryBegin(
            () -> {
              throw failure;
            });
    assertThatThrownBy(failing::take).isSameAs(failure);
    Error error = new OutOfMemoryError("x");
    Work<Integer> dying =
        threads.tryBegin(
            () -> {
              throw error;
            });
    assertThatThrownBy(dying::take).isSameAs(error);
    assertThat(threads.tryBegin(() -> 1).take()).isEqualTo(1);
  }

  @Test
  void anInterruptEndsTheWaitForAResult() throws IOException {
    Work<Integer> work = threads.tryBegin(this::waiting);
    Thread.currentThread().interrupt();
    assertThatThrownBy(work::take)
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted while waiting for compressed bytes");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whoWaitsForAThreadDoesTheWorkItself() throws IOException {
    List<Work<Integer>> begun = fill(); // two threads are at it, and two pieces wait
    Work<Thread> mine = replaceLast(begun, Thread::currentThread);
    assertThat(mine.takeOrDo()).isSameAs(Thread.currentThread());
    assertThat(threads.tryBegin(() -> 1)).isNotNull();
  }

  @Test
  void anInterruptEndsTheWaitForWorkThatAThreadIsAt() throws Exception {
    CountDownLatch atIt = new CountDownLatch(1);
    Work<Integer> work =
        threads.tryBegin(
            () -> {
              atIt.countDown();
              return waiting();
            });
    atIt.await();
    Thread.currentThread().interrupt();
    assertThatThrownBy(work::takeOrDo).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void nobodyDoesWorkAfterTheEnd() throws Exception {
    List<Work<Integer>> begun = fill();
    Work<Integer> last = replaceLast(begun, () -> 7);
    threads.end();
    assertThatThrownBy(last::takeOrDo)
        .isInstanceOf(SinkException.class)
        .hasMessage("the run was aborted");
  }

  private <T> Work<T> replaceLast(List<Work<Integer>> begun, Callable<T> work)
      throws SinkException {
    begun.get(begun.size() - 1).drop();
    return threads.tryBegin(work);
  }

  @Test
  void theEndFreesWhoWaitsAndTakesNothingMore() throws IOException {
    List<Work<Integer>> begun = fill();
    threads.end();
    for (Work<Integer> work : begun) {
      assertThatThrownBy(work::take).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> begun.get(3).take())
        .isInstanceOf(SinkException.class)
        .hasMessage("the run was aborted");
    assertThatThrownBy(() -> threads.tryBegin(() -> 1))
        .isInstanceOf(SinkException.class)
        .hasMessage("the run was aborted");
    threads.end();
  }

  @Test
  void theEndKeepsAnInterruptForTheCaller() throws IOException {
    Thread worker = threads.tryBegin(Thread::currentThread).take();
    Thread.currentThread().interrupt();
    threads.end();
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() -> threads.tryBegin(() -> 1)).isInstanceOf(SinkException.class);
    assertThat(worker).isNotSameAs(Thread.currentThread());
  }

  /** Takes all places with work that waits. */
  private List<Work<Integer>> fill() throws SinkException {
    List<Work<Integer>> begun = new ArrayList<>();
    while (true) {
      int number = begun.size();
      Work<Integer> work =
          threads.tryBegin(
              () -> {
                release.await();
                return number;
              });
      if (work == null) {
        return begun;
      }
      begun.add(work);
    }
  }

  private int waiting() throws InterruptedException {
    release.await();
    return 0;
  }
}
