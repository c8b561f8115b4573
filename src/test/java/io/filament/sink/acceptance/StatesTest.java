package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.TEXT;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What may be called when. */
class StatesTest extends WithBucket {

  private static final RunSpec RUN = run("first").build();
  private static final String OBJECT = "people/dt=2026-09-10/first.ndjson";
  private static final String MANIFEST = "_runs/first/_SUCCESS.json";

  private Sink sink;

  @BeforeEach
  void createSink() {
    sink = bucket.sink("part_size_mib", 5);
  }

  @AfterEach
  void closeSink() throws IOException {
    sink.close();
  }

  @Test
  void writeBeforeOpenIsRefused() {
    assertThatThrownBy(() -> sink.write(people("people")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("open");
  }

  @Test
  void commitBeforeOpenIsRefused() {
    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void abortBeforeOpenDoesNothing() {
    assertThatCode(sink::abort).doesNotThrowAnyException();
  }

  @Test
  void openAfterAnEarlyAbortWorks() throws IOException {
    sink.abort();
    publish(sink, RUN, people("people"));

    assertThat(bucket.keys()).containsExactlyInAnyOrder(OBJECT, MANIFEST);
  }

  @Test
  void secondOpenIsRefusedAndTheRunGoesOn() throws IOException {
    sink.open(RUN);
    sink.write(people("people"));
    assertThatThrownBy(() -> sink.open(run("second").build()))
        .isInstanceOf(IllegalStateException.class);
    sink.write(people("people"));
    sink.commit();

    assertThat(Json.records(bucket.bytes(OBJECT))).hasSize(4);
  }

  @Test
  void writeAfterCommitIsRefused() throws IOException {
    publish(sink, RUN, people("people"));
    byte[] before = bucket.bytes(OBJECT);

    assertThatThrownBy(() -> sink.write(people("people")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(bucket.bytes(OBJECT)).isEqualTo(before);
  }

  @Test
  void secondCommitIsRefused() throws IOException {
    publish(sink, RUN, people("people"));
    byte[] before = bucket.bytes(MANIFEST);

    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
    assertThat(bucket.bytes(MANIFEST)).isEqualTo(before);
  }

  @Test
  void abortAfterCommitDoesNothing() throws IOException {
    publish(sink, RUN, people("people"));
    sink.abort();
    sink.abort();

    assertThat(bucket.keys()).containsExactlyInAnyOrder(OBJECT, MANIFEST);
  }

  @Test
  void writeAndCommitAfterAbortAreRefused() throws IOException {
    sink.open(RUN);
    sink.write(people("people"));
    sink.abort();

    assertThatThrownBy(() -> sink.write(people("people")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void abortLeavesNothing() throws IOException {
    sink.open(RUN);
    sink.write(people("people"));
    writeMoreThanAPart("large");
    sink.abort();
    sink.abort();

    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void closeWithoutCommitLeavesNothing() throws IOException {
    sink.open(RUN);
    sink.write(people("people"));
    writeMoreThanAPart("large");
    sink.close();
    sink.close();

    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void closeAfterCommitLeavesTheRun() throws IOException {
    publish(sink, RUN, people("people"));
    sink.close();
    sink.close();

    assertThat(bucket.keys()).containsExactlyInAnyOrder(OBJECT, MANIFEST);
  }

  @Test
  void closedSinkTakesNoRun() throws IOException {
    sink.close();

    assertThatThrownBy(() -> sink.open(RUN)).isInstanceOf(IllegalStateException.class);
    assertThatCode(sink::abort).doesNotThrowAnyException();
    assertThatCode(sink::spec).doesNotThrowAnyException();
  }

  @Test
  void abortLeavesForeignUploadsAlone() throws IOException {
    bucket.startForeignUpload("large/dt=2026-09-10/somebody-else.ndjson");
    bucket.startForeignUpload("large/dt=2026-09-10/first.ndjson.other");
    sink.open(RUN);
    writeMoreThanAPart("large");
    sink.abort();

    assertThat(bucket.uploads())
        .containsExactlyInAnyOrder(
            "large/dt=2026-09-10/somebody-else.ndjson", "large/dt=2026-09-10/first.ndjson.other");
  }

  @Test
  void sinkTakesTheNextRunAfterACommit() throws IOException {
    publish(sink, RUN, people("people"));
    RunManifest second = publish(sink, run("second").build(), texts("people", "other schema"));

    assertThat(second.run()).isEqualTo("second");
    assertThat(second.resources()).hasSize(1);
    assertThat(second.resources().get(0).rows()).isEqualTo(1);
    assertThat(bucket.keys()).contains(OBJECT, "people/dt=2026-09-10/second.ndjson");
  }

  @Test
  void sinkTakesTheSameRunAgainAfterAnAbort() throws IOException {
    sink.open(RUN);
    sink.write(people("dropped"));
    writeMoreThanAPart("people");
    sink.abort();
    RunManifest manifest = publish(sink, RUN, people("people"));

    assertThat(manifest.resources()).extracting(RunManifest.Entry::name).containsExactly("people");
    assertThat(bucket.keys()).containsExactlyInAnyOrder(OBJECT, MANIFEST);
    assertThat(Json.records(bucket.bytes(OBJECT))).hasSize(2);
  }

  @Test
  void batchWithAnotherSchemaIsRefusedAndTheRunGoesOn() throws IOException {
    sink.open(run("first").resource("people", PEOPLE).build());
    sink.write(people("people"));
    assertThatThrownBy(() -> sink.write(texts("people", "other")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("people");
    sink.write(people("people"));
    sink.commit();

    assertThat(Json.records(bucket.bytes(OBJECT))).hasSize(4);
  }

  @Test
  void undeclaredResourceIsDeclaredByItsFirstBatch() throws IOException {
    sink.open(run("first").resource("people", PEOPLE).build());
    sink.write(texts("notes", "one"));
    assertThatThrownBy(() -> sink.write(people("notes")))
        .isInstanceOf(IllegalArgumentException.class);
    RunManifest manifest = sink.commit();

    assertThat(manifest.resources())
        .extracting(RunManifest.Entry::name, RunManifest.Entry::rows)
        .containsExactly(tuple("notes", 1L), tuple("people", 0L));
  }

  @Test
  void batchWithoutRowsDeclaresItsResource() throws IOException {
    RunManifest manifest = publish(sink, RUN, texts("notes"));

    assertThat(manifest.resources()).extracting(RunManifest.Entry::name).containsExactly("notes");
    assertThat(bucket.bytes("notes/dt=2026-09-10/first.ndjson")).isEmpty();
  }

  @Test
  void nullsAreRefusedAndTheRunGoesOn() throws IOException {
    assertThatThrownBy(() -> sink.open(null)).isInstanceOf(NullPointerException.class);
    sink.open(RUN);
    assertThatThrownBy(() -> sink.write(null)).isInstanceOf(NullPointerException.class);
    sink.write(people("people"));
    sink.commit();

    assertThat(Json.records(bucket.bytes(OBJECT))).hasSize(2);
  }

  @Test
  void resourceWithoutFieldsIsRefused() throws IOException {
    RunSpec run = run("first").resource("nothing", Schema.builder().build()).build();

    assertThatThrownBy(() -> sink.open(run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing");
  }

  private void writeMoreThanAPart(String resource) throws IOException {
    for (int i = 0; i < 6; i++) {
      sink.write(Runs.batch(resource, TEXT, Runs.row("x".repeat(1 << 20))));
    }
  }
}
