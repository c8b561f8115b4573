package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.RunConflictException;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run is committed once. */
class RunConflictTest extends OnEveryEndpoint {

  private static final RunSpec RUN = run("first").build();
  private static final String MANIFEST = "_runs/first/_SUCCESS.json";

  @Test
  void committedRunIsNotOpenedAgain() throws IOException {
    publishAndClose(bucket.sink(), RUN, people("people"));

    try (Sink sink = bucket.sink()) {
      assertThatThrownBy(() -> sink.open(RUN))
          .isInstanceOf(RunConflictException.class)
          .hasMessageContaining("first")
          .hasMessageContaining(bucket.name());
    }
  }

  @Test
  void refusedOpenLeavesTheSinkReadyForAnotherRun() throws IOException {
    try (Sink sink = bucket.sink()) {
      publish(sink, RUN, people("people"));
      assertThatThrownBy(() -> sink.open(RUN)).isInstanceOf(RunConflictException.class);
      publish(sink, run("second").build(), people("people"));
    }

    assertThat(bucket.keys()).contains(MANIFEST, "_runs/second/_SUCCESS.json");
  }

  @Test
  void secondCommitterGetsAConflictAndTheManifestStays() throws IOException {
    try (Sink winner = bucket.sink();
        Sink loser = bucket.sink()) {
      winner.open(RUN);
      loser.open(RUN);
      winner.write(people("people"));
      loser.write(people("people"));
      winner.commit();
      byte[] manifest = bucket.bytes(MANIFEST);

      assertThatThrownBy(loser::commit)
          .isInstanceOf(RunConflictException.class)
          .hasMessageContaining("first");
      assertThat(bucket.bytes(MANIFEST)).isEqualTo(manifest);
    }
    assertThat(bucket.keys()).contains(MANIFEST);
  }

  @Test
  void manifestOfTheWinnerStillDescribesWhatTheBucketHolds() throws IOException {
    try (Sink winner = bucket.sink();
        Sink loser = bucket.sink()) {
      winner.open(RUN);
      loser.open(RUN);
      winner.write(people("people"));
      loser.write(texts("people", "something else"));
      winner.commit();
      assertThatThrownBy(loser::commit).isInstanceOf(RunConflictException.class);
    }

    Map<String, Object> entry = bucket.manifestEntries(MANIFEST).get(0);
    byte[] stored = bucket.bytes((String) entry.get("key"));
    assertThat(Stored.crc32c(stored)).isEqualTo(entry.get("crc32c"));
    assertThat(Json.records(stored)).hasSize(2);
  }

  @Test
  void loserCanOnlyAbortAndTakesNothingAway() throws IOException {
    try (Sink winner = bucket.sink();
        Sink loser = bucket.sink()) {
      winner.open(RUN);
      loser.open(RUN);
      winner.write(people("people"));
      loser.write(people("people"));
      winner.commit();
      assertThatThrownBy(loser::commit).isInstanceOf(RunConflictException.class);
      assertThatThrownBy(() -> loser.write(people("people")))
          .isInstanceOf(IllegalStateException.class);
      loser.abort();
    }

    assertThat(bucket.keys())
        .containsExactlyInAnyOrder(MANIFEST, "people/dt=2026-09-10/first.ndjson");
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void sameRunUnderAnotherPrefixIsAnotherRun() throws IOException {
    publishAndClose(bucket.sink("prefix", "a"), RUN, people("people"));
    publishAndClose(bucket.sink("prefix", "b"), RUN, people("people"));

    assertThat(bucket.keys()).contains("a/" + MANIFEST, "b/" + MANIFEST);
  }

  @Test
  void foreignManifestIsNeverOverwritten() throws IOException {
    try (Sink sink = bucket.sink()) {
      sink.open(RUN);
      sink.write(people("people"));
      bucket.put(MANIFEST, new byte[] {'x'});

      assertThatThrownBy(sink::commit).isInstanceOf(RunConflictException.class);
    }
    assertThat(bucket.bytes(MANIFEST)).containsExactly('x');
  }
}
