package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.IntegrityException;
import io.filament.sink.Sink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may happen while a run is committed. */
@Timeout(60)
class CommitTest extends WithRelay {

  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private Sink sink;

  @BeforeEach
  void openSink() throws IOException {
    sink = relayedSink();
    sink.open(run().build());
    sink.write(people("a"));
  }

  @AfterEach
  void closeSink() throws IOException {
    answered.countDown();
    sink.close();
  }

  /** Starts a commit in a thread of its own and returns when it waits for the store's answer. */
  private Thread commitThatWaits(String keyPart) {
    relay.rule(
        request -> {
          if (request.publishes() && request.key().contains(keyPart)) {
            answered.await();
            return Relay.Answer.NONE;
          }
          return null;
        });
    Thread committer =
        new Thread(
            () -> {
              try {
                sink.commit();
              } catch (IOException | RuntimeException e) {
                failure.set(e);
                interrupted.set(Thread.currentThread().isInterrupted());
              }
            },
            "committer");
    committer.start();
    await(
        "a request for " + keyPart,
        () ->
            relay.requests("PutObject").stream()
                .anyMatch(request -> request.key().contains(keyPart)));
    awaitWaiting(committer);
    return committer;
  }

  @Test
  void abortFromAnotherThreadEndsItAndNoManifestIsPut() throws Exception {
    Thread committer = commitThatWaits("a/");
    sink.abort();

    assertEndsWithoutManifest(committer);
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void closeFromAnotherThreadEndsItAndNoManifestIsPut() throws Exception {
    Thread committer = commitThatWaits("a/");
    sink.close();

    assertEndsWithoutManifest(committer);
  }

  private void assertEndsWithoutManifest(Thread committer) throws InterruptedException {
    committer.join();
    assertThat(failure.get()).isInstanceOfAny(IOException.class, IllegalStateException.class);
    assertThat(relay.requests("PutObject")).noneMatch(S3Request::isForManifest);
  }

  @Test
  void interruptEndsItAndPublishesNothing() throws Exception {
    Thread committer = commitThatWaits("a/");
    committer.interrupt();
    committer.join();

    assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(interrupted.get()).isTrue();
    assertThat(relay.requests("PutObject")).noneMatch(S3Request::isForManifest);
    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void writeBesideItIsRefused() throws Exception {
    Thread committer = commitThatWaits("a/");

    assertThatThrownBy(() -> sink.write(people("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sink.open(run("other").build()))
        .isInstanceOf(IllegalStateException.class);
    sink.abort();
    committer.join();
  }

  @Test
  void objectsAreSentSideBySide() throws IOException {
    CountDownLatch both = new CountDownLatch(2);
    relay.rule(
        request -> {
          if (request.publishes() && !request.isForManifest()) {
            both.countDown();
            assertThat(both.await(20, TimeUnit.SECONDS)).as("the other one comes").isTrue();
          }
          return null;
        });
    sink.write(people("b"));

    assertThat(sink.commit().resources()).hasSize(2);
    assertThat(both.getCount()).isZero();
  }

  @Test
  void objectThatTheStoreCutsShortFailsIt() {
    relay.rule(
        request -> {
          if (request.publishes() && request.key().startsWith("a/")) {
            bucket.put(request.key(), new byte[] {'{'});
            return new Relay.Answer(200, "");
          }
          return null;
        });

    assertThatThrownBy(sink::commit)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("a/dt=2026-09-10/" + RUN_ID + ".ndjson");
    assertThat(relay.requests("PutObject")).noneMatch(S3Request::isForManifest);
  }

  @Test
  void batchesOfOtherRunsAreNotMixedIn() throws IOException {
    sink.commit();
    publish(sink, run("second").build(), texts("a", "x"));

    assertThat(Json.records(bucket.bytes("a/dt=2026-09-10/second.ndjson"))).hasSize(1);
  }
}
