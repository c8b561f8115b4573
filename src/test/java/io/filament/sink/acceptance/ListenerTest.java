package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import io.filament.sink.SinkListener;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a host's listener hears, and what it can't break. */
class ListenerTest extends WithBucket {

  private final List<String> heard = new CopyOnWriteArrayList<>();

  private Sink sink(SinkListener listener) {
    S3SinkConfig config = S3SinkConfig.fromMap(bucket.settings("part_size_mib", 5));
    return S3Sink.builder(config).listener(listener).build();
  }

  private final class Recorder implements SinkListener {

    @Override
    public void runOpened(RunSpec run) {
      heard.add("opened " + run.runId());
    }

    @Override
    public void batchWritten(WriteReceipt receipt) {
      heard.add("written " + receipt.rows() + " of " + receipt.resource());
    }

    @Override
    public void partUploaded(String resource, int partNumber, long bytes) {
      heard.add("part " + partNumber + " of " + resource);
    }

    @Override
    public void objectCompleted(RunManifest.Entry entry) {
      heard.add("completed " + entry.name());
    }

    @Override
    public void runCommitted(RunManifest manifest) {
      heard.add("committed " + manifest.run());
    }

    @Override
    public void runAborted(String runId) {
      heard.add("aborted " + runId);
    }
  }

  @Test
  void hearsACommittedRun() throws IOException {
    try (Sink sink = sink(new Recorder())) {
      publish(sink, run().build(), people("people"));
    }

    assertThat(heard)
        .containsExactly(
            "opened " + RUN_ID, "written 2 of people", "completed people", "committed " + RUN_ID);
  }

  @Test
  void hearsEachPart() throws IOException {
    try (Sink sink = sink(new Recorder())) {
      sink.open(run().build());
      for (int i = 0; i < 6; i++) {
        sink.write(texts("large", "x".repeat(1 << 20)));
      }
      sink.commit();
    }

    assertThat(heard).contains("part 1 of large", "part 2 of large");
    assertThat(heard.indexOf("completed large")).isGreaterThan(heard.indexOf("part 2 of large"));
  }

  @Test
  void hearsAnAbortedRunOnce() throws IOException {
    try (Sink sink = sink(new Recorder())) {
      sink.open(run().build());
      sink.write(people("people"));
      sink.abort();
      sink.abort();
    }

    assertThat(heard)
        .filteredOn(event -> event.startsWith("aborted"))
        .containsExactly("aborted " + RUN_ID);
    assertThat(heard).noneMatch(event -> event.startsWith("committed"));
  }

  @Test
  void cannotBreakARunByThrowing() throws IOException {
    cannotBreakARunByThrowing(new IllegalStateException("a listener's"));
  }

  @Test
  void cannotBreakARunByAFailedAssertion() throws IOException {
    cannotBreakARunByThrowing(new AssertionError("a listener's"));
  }

  @Test
  void cannotBreakARunByACheckedExceptionThatNoSignatureShows() throws IOException {
    cannotBreakARunByThrowing(new SQLException("a listener's"));
  }

  private void cannotBreakARunByThrowing(Throwable thrown) throws IOException {
    SinkListener thrower =
        new SinkListener() {
          @Override
          public void runOpened(RunSpec run) {
            Sneaky.throwing(thrown);
          }

          @Override
          public void batchWritten(WriteReceipt receipt) {
            Sneaky.throwing(thrown);
          }

          @Override
          public void partUploaded(String resource, int partNumber, long bytes) {
            Sneaky.throwing(thrown);
          }

          @Override
          public void objectCompleted(RunManifest.Entry entry) {
            Sneaky.throwing(thrown);
          }

          @Override
          public void runCommitted(RunManifest manifest) {
            Sneaky.throwing(thrown);
          }

          @Override
          public void runAborted(String runId) {
            Sneaky.throwing(thrown);
          }
        };
    try (Sink sink = sink(thrower)) {
      sink.open(run().build());
      for (int i = 0; i < 6; i++) {
        sink.write(texts("large", "x".repeat(1 << 20)));
      }
      assertThat(sink.commit().resources()).hasSize(1);
      sink.open(run("second").build());
      sink.write(people("people"));
      sink.abort();
    }

    assertThat(bucket.keys())
        .containsExactlyInAnyOrder(
            "large/dt=2026-09-10/" + RUN_ID + ".ndjson", "_runs/" + RUN_ID + "/_SUCCESS.json");
  }

  /** Throws whatever it is given, as languages without checked exceptions do. */
  private static final class Sneaky {

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> void thrown(Throwable throwable) throws X {
      throw (X) throwable;
    }

    static void throwing(Throwable throwable) {
      Sneaky.<RuntimeException>thrown(throwable);
    }
  }
}
