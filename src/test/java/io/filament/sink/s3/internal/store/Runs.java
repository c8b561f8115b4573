package io.filament.sink.s3.internal.store;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import java.time.Instant;
import java.util.Optional;

/** Runs for tests, and the layout of their keys. */
final class Runs {

  static final String RUN = "cc7332f3-7abc-5f37-984d-9815634f1d7f";
  static final Instant STARTED = Instant.parse("2026-09-10T02:00:00Z");
  static final ObjectFormat PARQUET = new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY);
  static final ObjectFormat NDJSON_GZIP = new ObjectFormat(FileFormat.NDJSON, Compression.GZIP);
  static final Schema SCHEMA = Schema.builder().required("id", FieldType.INT64).build();

  private Runs() {}

  static RunSpec.Builder run() {
    return RunSpec.builder(RUN).startedAt(STARTED);
  }

  static RunSpec.Resource resource(String name) {
    return new RunSpec.Resource(name, SCHEMA, name);
  }

  static KeyLayout layout(String prefix, String partition) {
    return KeyLayout.of("bucket", Optional.of(prefix), PartitionTemplate.parse(partition));
  }

  static void open(RunSpec.Builder run) {
    layout("p", "").forRun(run.build(), PARQUET);
  }
}
