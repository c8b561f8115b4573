package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LentWorkTest {

  private final EncodeThreads threads = EncodeThreads.of(2);
  private final CountDownLatch atIt = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger givenBack = new AtomicInteger();

  @AfterEach
  void end() {
    release.countDown();
    threads.end();
  }

  @Test
  void toolsAreGivenBackOnceTheResultIsNotNeeded() throws IOException {
    release.countDown();
    Waiting work = new Waiting();
    assertThat(threads.tryBegin(work).take()).isEqualTo(1);
    assertThat(givenBack).hasValue(0);

    work.leave();
    work.leave();

    assertThat(givenBack).hasValue(1);
  }

  @Test
  void toolsOfWorkThatIsGivenUpAreGivenBackWhenItEnds() throws Exception {
    Waiting work = new Waiting();
    Work<Integer> begun = threads.tryBegin(work);
    atIt.await();

    begun.drop();
    work.leave();
    assertThat(givenBack).hasValue(0);
    release.countDown();
    threads.end();

    assertThat(givenBack).hasValue(1);
  }

  @Test
  void toolsOfWorkThatNobodyHasBegunAreGivenBackAtOnce() {
    Waiting work = new Waiting();

    work.leave();

    assertThat(givenBack).hasValue(1);
    assertThatThrownBy(work::call).isInstanceOf(CancellationException.class);
    assertThat(atIt.getCount()).isEqualTo(1);
    assertThat(givenBack).hasValue(1);
  }

  @Test
  void toolsOfFailedWorkAreGivenBackOnce() throws IOException {
    Error error = new OutOfMemoryError("x");
    LentWork<Integer> failing =
        new Waiting() {
          @Override
          Integer work() {
            throw error;
          }
        };
    Work<Integer> begun = threads.tryBegin(failing);

    assertThatThrownBy(begun::takeOrDo).isSameAs(error);
    failing.leave();

    assertThat(givenBack).hasValue(1);
  }

  private class Waiting extends LentWork<Integer> {

    @Override
    Integer work() {
      atIt.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the end of the threads, which the work outlasts
      }
      return 1;
    }

    @Override
    void giveBack() {
      givenBack.incrementAndGet();
    }
  }
}
