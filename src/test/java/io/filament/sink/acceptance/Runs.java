package io.filament.sink.acceptance;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Small runs to write. */
final class Runs {

  static final String RUN_ID = "cc7332f3-7abc-5f37-984d-9815634f1d7f";
  static final Instant STARTED_AT = Instant.parse("2026-09-10T02:00:00Z");

  static final Schema PEOPLE =
      Schema.builder().required("id", FieldType.INT64).nullable("name", FieldType.STRING).build();

  static final Schema TEXT = Schema.builder().required("text", FieldType.STRING).build();

  private Runs() {}

  /** Returns the description of a run that began on 2026-09-10 at two o'clock, UTC. */
  static RunSpec.Builder run() {
    return run(RUN_ID);
  }

  static RunSpec.Builder run(String runId) {
    return RunSpec.builder(runId).startedAt(STARTED_AT);
  }

  static Object[] row(Object... values) {
    return values;
  }

  static RecordBatch batch(String resource, Schema schema, Object[]... rows) {
    return RecordBatch.ofRows(resource, schema, Arrays.asList(rows));
  }

  /** Returns two people, the second without a name. */
  static RecordBatch people(String resource) {
    return batch(resource, PEOPLE, row(1L, "Ada"), row(2L, null));
  }

  static RecordBatch texts(String resource, String... texts) {
    List<Object[]> rows = Arrays.stream(texts).map(text -> new Object[] {text}).toList();
    return RecordBatch.ofRows(resource, TEXT, rows);
  }

  /** Opens the run, writes the batches in their order and commits. */
  static RunManifest publish(Sink sink, RunSpec run, RecordBatch... batches) throws IOException {
    sink.open(run);
    for (RecordBatch batch : batches) {
      sink.write(batch);
    }
    return sink.commit();
  }

  /** Opens, writes, commits and closes with a sink of its own. */
  static RunManifest publishAndClose(Sink sink, RunSpec run, RecordBatch... batches)
      throws IOException {
    try (sink) {
      return publish(sink, run, batches);
    }
  }
}
