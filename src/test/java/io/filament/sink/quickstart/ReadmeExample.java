package io.filament.sink.quickstart;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The code page of README.md; {@link ReadmeTest} runs it and compares the two. */
final class ReadmeExample {

  private ReadmeExample() {}

  static Map<String, Object> config() {
    // snippet: config
    Map<String, Object> config =
        Map.of(
            "bucket", "lake",
            "region", "eu-central-1",
            "file_format", "parquet");
    // end of snippet
    return config;
  }

  static RunManifest run(Map<String, Object> config, Instant startedAt) throws IOException {
    // snippet: run
    Schema accounts =
        Schema.builder()
            .required("id", FieldType.INT64)
            .nullable("name", FieldType.STRING)
            .nullable("balance", FieldType.decimal(18, 2))
            .build();
    Schema orders =
        Schema.builder()
            .required("id", FieldType.INT64)
            .required("placed_at", FieldType.TIMESTAMPTZ)
            .nullable("tags", FieldType.list(FieldType.STRING))
            .build();
    RunSpec run =
        RunSpec.builder("cc7332f3-7abc-5f37-984d-9815634f1d7f") // the host's id of this run
            .startedAt(startedAt)
            .sourceName("Local PG")
            .resource("accounts", accounts)
            .resource("orders", orders)
            .build();

    try (Sink sink = S3Sink.create(config)) {
      sink.open(run);
      sink.write(
          RecordBatch.ofRows(
              "accounts",
              accounts,
              List.of(
                  new Object[] {1L, "Ada", new BigDecimal("12.50")},
                  new Object[] {2L, null, null})));
      sink.write(
          RecordBatch.ofMaps(
              "orders",
              orders,
              List.of(
                  Map.of(
                      "id", 7L,
                      "placed_at", Instant.parse("2026-09-10T01:59:00Z"),
                      "tags", List.of("gift", "express")))));
      return sink.commit(); // nothing is valid before this returns
    }
    // end of snippet
  }

  static void failingRun(Map<String, Object> config) throws IOException {
    Schema accounts =
        Schema.builder()
            .required("id", FieldType.INT64)
            .nullable("name", FieldType.STRING)
            .nullable("balance", FieldType.decimal(18, 2))
            .build();
    try (Sink sink = S3Sink.create(config)) {
      sink.open(RunSpec.builder("failing").sourceName("Local PG").build());
      // snippet: failure
      sink.write(
          RecordBatch.ofRows(
              "accounts",
              accounts,
              List.<Object[]>of(new Object[] {3L, "Bob", new BigDecimal("12.505")})));
      // end of snippet
      sink.commit();
    }
  }
}
