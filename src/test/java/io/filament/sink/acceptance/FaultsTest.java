package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.filament.sink.CommitStateUnknownException;
import io.filament.sink.RunManifest;
import io.filament.sink.Sink;
import io.filament.sink.StoreException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store refuses, or its answer is lost: what the host is told and what the bucket holds. */
@Timeout(60)
class FaultsTest extends WithRelay {

  private static final Relay.Answer DENIED = new Relay.Answer(403, "AccessDenied");
  private static final String MANIFEST = "_runs/" + RUN_ID + "/_SUCCESS.json";

  private static String key(String resource) {
    return resource + "/dt=2026-09-10/" + RUN_ID + ".ndjson";
  }

  private void refuse(String operation, String keyPart) {
    relay.rule(
        request ->
            request.operation().equals(operation) && request.key().contains(keyPart)
                ? DENIED
                : null);
  }

  private static Throwable failureOfARun(Sink sink, int mebibytes) {
    return catchThrowable(
        () -> {
          sink.open(run().build());
          writeMebibytes(sink, "a", mebibytes);
          sink.commit();
        });
  }

  private void assertNothingIsLeft() {
    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void refusedPartFailsTheRunAndAbortLeavesNothing() throws IOException {
    refuse("UploadPart", "a/");
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 20))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> {
                assertThat(e.operation()).isEqualTo("UploadPart");
                assertThat(e.bucket()).isEqualTo(bucket.name());
                assertThat(e.key()).isEqualTo(key("a"));
                assertThat(e.statusCode()).isEqualTo(403);
                assertThat(e.errorCode()).isEqualTo("AccessDenied");
              })
          .hasMessageContaining(bucket.name())
          .hasMessageContaining(key("a"));
      assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
      sink.abort();
    }
    assertNothingIsLeft();
  }

  @Test
  void partRefusedWhileNobodyWritesFailsTheCommit() throws IOException {
    refuse("UploadPart", "a/");
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);
      await("the part is refused", () -> relay.events().contains("< UploadPart " + key("a")));

      assertThatThrownBy(sink::commit).isInstanceOf(StoreException.class);
    }
    assertNothingIsLeft();
  }

  @Test
  void refusedStartOfAnUploadFailsTheRun() throws IOException {
    refuse("CreateMultipartUpload", "a/");
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 6)).isInstanceOf(StoreException.class);
    }
    assertNothingIsLeft();
  }

  @Test
  void refusedPutFailsTheCommit() throws IOException {
    refuse("PutObject", "a/");
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 1)).isInstanceOf(StoreException.class);
    }
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void refusedCompletionOfOneObjectLeavesNoManifest() throws IOException {
    refuse("CompleteMultipartUpload", "b/");
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      for (String resource : new String[] {"a", "b", "c"}) {
        writeMebibytes(sink, resource, 6);
      }
      assertThatThrownBy(sink::commit)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.key()).isEqualTo(key("b")));
      sink.abort();
    }

    assertThat(bucket.keys()).isSubsetOf(key("a"), key("c"));
    assertThat(bucket.uploads()).isEmpty();
    assertThat(relay.requests("PutObject")).noneMatch(S3Request::isForManifest);
  }

  @Test
  void refusedManifestLeavesObjectsAndNoRun() throws IOException {
    refuse("PutObject", "_SUCCESS");
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 1)).isInstanceOf(StoreException.class);
    }
    assertThat(bucket.keys()).containsExactly(key("a"));
  }

  @Test
  void runThatFailedIsWrittenAgainUnderItsId() throws IOException {
    refuse("PutObject", "_SUCCESS");
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 1)).isInstanceOf(StoreException.class);
      sink.abort();
      relay.passEverythingOn();
      publish(sink, run().build(), people("a"));
    }

    assertThat(Json.records(bucket.bytes(key("a")))).hasSize(2);
    assertThat(bucket.manifestEntries(MANIFEST).get(0).get("crc32c"))
        .isEqualTo(Stored.crc32c(bucket.bytes(key("a"))));
  }

  @Test
  void partThatFailsOnceIsSentAgainUnchanged() throws IOException {
    failOnce("UploadPart", new Relay.Answer(500, "InternalError"));
    RunManifest manifest;
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);
      manifest = sink.commit();
    }

    assertThat(relay.requests("UploadPart")).hasSize(3);
    assertThat(manifest.resources().get(0).crc32c())
        .isEqualTo(Stored.crc32c(bucket.bytes(key("a"))));
  }

  @Test
  void completionThatAnswersWithAnErrorIsNoSuccess() throws IOException {
    Relay.Answer errorIn200 = new Relay.Answer(200, "AccessDenied");
    relay.rule(
        request -> request.operation().equals("CompleteMultipartUpload") ? errorIn200 : null);
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 6)).isInstanceOf(IOException.class);
    }
    assertNothingIsLeft();
  }

  @Test
  void lostAnswerToACompletionIsFoundOutAndTheRunCommits() throws IOException {
    loseAnswerOnce("CompleteMultipartUpload", "a/");
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);
      sink.commit();
    }

    assertThat(Json.records(bucket.bytes(key("a")))).hasSize(6);
    assertThat(bucket.keys()).containsExactlyInAnyOrder(key("a"), MANIFEST);
  }

  @Test
  void lostAnswerToTheManifestIsFoundOutAndTheRunCommits() throws IOException {
    loseAnswerOnce("PutObject", "_SUCCESS");
    try (Sink sink = relayedSink()) {
      RunManifest manifest = publish(sink, run().build(), texts("a", "text"));

      assertThat(bucket.manifestEntries(MANIFEST).get(0).get("crc32c"))
          .isEqualTo(manifest.resources().get(0).crc32c());
    }
  }

  @Test
  void unknownFateOfTheManifestIsSaidAndNothingIsDeleted() throws IOException {
    loseAnswerOnce("PutObject", "_SUCCESS");
    relay.rule(
        request -> {
          boolean mayBePut =
              relay.requests("PutObject").stream().anyMatch(S3Request::isForManifest);
          boolean reads = request.method().equals("HEAD") || request.method().equals("GET");
          return request.isForManifest() && mayBePut && reads ? DENIED : null;
        });
    try (Sink sink = relayedSink()) {
      assertThat(failureOfARun(sink, 1)).isInstanceOf(CommitStateUnknownException.class);
    }
    assertThat(bucket.keys()).containsExactlyInAnyOrder(key("a"), MANIFEST);
    assertThat(relay.requests("DeleteObject")).isEmpty();
  }

  private void failOnce(String operation, Relay.Answer answer) {
    AtomicInteger calls = new AtomicInteger();
    relay.rule(
        request ->
            request.operation().equals(operation) && calls.getAndIncrement() == 0 ? answer : null);
  }

  /** The server does what it is asked the first time, but its answer does not arrive. */
  private void loseAnswerOnce(String operation, String keyPart) {
    AtomicInteger calls = new AtomicInteger();
    relay.loseAnswers(
        request ->
            request.operation().equals(operation)
                && request.key().contains(keyPart)
                && calls.getAndIncrement() == 0);
  }

  @Test
  void abortNamesWhatItCouldNotCleanUp() throws IOException {
    refuse("AbortMultipartUpload", "a/");
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);

      assertThatThrownBy(sink::abort)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(bucket.name())
          .hasMessageContaining(key("a"));
      relay.passEverythingOn();
      publish(sink, run("next").build(), people("people"));
    }
    assertThat(bucket.keys()).hasSize(2);
  }

  @Test
  void abortThatFailsTwiceIsTriedAThirdTime() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    Relay.Answer busy = new Relay.Answer(503, "SlowDown");
    relay.rule(
        request ->
            request.operation().equals("AbortMultipartUpload") && calls.getAndIncrement() < 2
                ? busy
                : null);
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);
      sink.abort();
    }
    assertNothingIsLeft();
  }

  @Test
  void storeThatRefusesOpenLeavesTheSinkWithoutARun() throws IOException {
    relay.rule(request -> new Relay.Answer(400, "InvalidRequest"));
    try (Sink sink = relayedSink()) {
      assertThatThrownBy(() -> sink.open(run().build())).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> sink.write(people("a"))).isInstanceOf(IllegalStateException.class);
      relay.passEverythingOn();
      publish(sink, run().build(), people("a"));
    }
    assertThat(bucket.keys()).hasSize(2);
  }
}
