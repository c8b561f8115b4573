package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Sink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store does not answer, and a write waits for it. */
@Timeout(60)
class WaitingWriteTest extends WithRelay {

  private static final int CONCURRENCY = 2;

  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicBoolean drop = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private Sink sink;
  private Thread writer;

  @BeforeEach
  void writeUntilTheStoreIsWaitedFor() throws IOException {
    relay.rule(
        request -> {
          if (request.operation().equals("UploadPart")) {
            answered.await();
            return drop.get() ? Relay.Answer.NONE : null;
          }
          return null;
        });
    sink = relayedSink("upload_concurrency", CONCURRENCY);
    sink.open(run().build());
    writer =
        new Thread(
            () -> {
              try {
                writeMebibytes(sink, "a", 40);
              } catch (IOException | RuntimeException e) {
                failure.set(e);
              }
            },
            "writer");
    writer.start();
    await("parts in flight", () -> relay.requests("UploadPart").size() == CONCURRENCY);
    awaitWaiting(writer);
  }

  @AfterEach
  void letGo() throws IOException, InterruptedException {
    drop.set(true);
    answered.countDown();
    sink.close();
    writer.join();
  }

  @Test
  void noMoreRequestsAreSentThanAllowed() {
    assertThat(relay.requests("UploadPart")).hasSize(CONCURRENCY);
  }

  @Test
  void writeGoesOnWhenTheStoreAnswers() throws Exception {
    answered.countDown();
    writer.join();
    sink.commit();

    assertThat(failure.get()).isNull();
    assertThat(relay.mostInFlight()).isEqualTo(CONCURRENCY);
    assertThat(Json.records(bucket.bytes("a/dt=2026-09-10/" + Runs.RUN_ID + ".ndjson")))
        .hasSize(40);
  }

  @Test
  void abortFromAnotherThreadEndsTheWriteAndReturns() throws Exception {
    sink.abort();
    writer.join();

    assertThat(failure.get()).isInstanceOfAny(IOException.class, IllegalStateException.class);
    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void closeFromAnotherThreadEndsTheWriteAndReturns() throws Exception {
    sink.close();
    writer.join();

    assertThat(failure.get()).isInstanceOfAny(IOException.class, IllegalStateException.class);
    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void sinkTakesTheNextRunAfterSuchAnAbort() throws Exception {
    sink.abort();
    writer.join();
    drop.set(true);
    answered.countDown();
    publish(sink, run("next").build(), Runs.people("people"));

    assertThat(bucket.keys())
        .containsExactlyInAnyOrder("people/dt=2026-09-10/next.ndjson", "_runs/next/_SUCCESS.json");
  }

  @Test
  void interruptedWriteFailsTheRunAndKeepsTheFlag() throws Exception {
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread second =
        new Thread(
            () -> {
              assertThatThrownBy(() -> writeMebibytes(sink, "b", 40))
                  .isInstanceOf(InterruptedIOException.class);
              flag.set(Thread.currentThread().isInterrupted());
            },
            "second writer");
    second.start();
    awaitWaiting(second);
    second.interrupt();
    second.join();

    assertThat(flag.get()).isTrue();
    assertThatThrownBy(() -> sink.commit())
        .isInstanceOfAny(IllegalStateException.class, IOException.class);
    sink.abort();
    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }
}
