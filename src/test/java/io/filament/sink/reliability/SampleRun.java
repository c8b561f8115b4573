package io.filament.sink.reliability;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.testing.S3Endpoint;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A run that a seed decides: the same seed gives the same records, in whichever process.
 *
 * @param format the file format of all its resources
 * @param rows the number of records of each resource, at least one of them over a part of 5 MiB
 * @param seed decides the records' texts
 */
record SampleRun(String format, List<Integer> rows, long seed) {

  static final String ID = "killed-run";

  private static final Instant STARTED_AT = Instant.parse("2026-09-10T02:00:00Z");
  private static final int PART_MIB = 5;
  private static final int PART_BYTES = PART_MIB << 20;
  private static final int ROWS_OF_A_BATCH = 512;
  private static final int TEXT_LENGTH = 1000;

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).required("text", FieldType.STRING).build();

  static SampleRun of(long seed) {
    Random random = new Random(seed);
    String format = random.nextBoolean() ? "ndjson" : "parquet";
    List<Integer> rows = new ArrayList<>();
    rows.add(5_500 + random.nextInt(3_000));
    for (int more = random.nextInt(4); more > 0; more--) {
      rows.add(random.nextInt(5) == 0 ? 6_000 : random.nextInt(1_000));
    }
    return new SampleRun(format, rows, seed);
  }

  static String resource(int index) {
    return "r" + index;
  }

  /** Returns the number of records that a resource has. */
  int rowsOf(String resource) {
    return rows.get(Integer.parseInt(resource.substring(1)));
  }

  /**
   * Returns about how often a connection changes its direction while the run is published: twice a
   * request: four find out the store's checksums, four are the manifest's, and each object has its
   * own.
   */
  int turns() {
    int requests = 8;
    for (int count : rows) {
      int parts = (int) ((long) count * TEXT_LENGTH / PART_BYTES) + 1;
      requests += parts == 1 ? 2 : parts + 4;
    }
    return 2 * requests;
  }

  /** Writes and commits the run; batches of the resources take turns. */
  RunManifest publish(S3Endpoint endpoint, URI address, String bucket) throws IOException {
    try (Sink sink = S3Sink.create(settings(endpoint, address, bucket))) {
      RunSpec.Builder run = RunSpec.builder(ID).startedAt(STARTED_AT);
      for (int i = 0; i < rows.size(); i++) {
        run.resource(resource(i), SCHEMA);
      }
      sink.open(run.build());
      Random random = new Random(seed);
      for (int from = 0; from < Collections.max(rows); from += ROWS_OF_A_BATCH) {
        for (int i = 0; i < rows.size(); i++) {
          int to = Math.min(from + ROWS_OF_A_BATCH, rows.get(i));
          if (from < to) {
            sink.write(batch(resource(i), from, to, random));
          }
        }
      }
      return sink.commit();
    }
  }

  private static RecordBatch batch(String resource, int from, int to, Random random) {
    byte[] text = new byte[TEXT_LENGTH];
    List<Object[]> records = new ArrayList<>();
    for (int id = from; id < to; id++) {
      // 64 letters that JSON leaves as they are; random, so that Parquet's pages stay large.
      random.nextBytes(text);
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) ('0' + (text[i] & 63));
        text[i] = text[i] == '\\' ? (byte) 'z' : text[i];
      }
      records.add(new Object[] {(long) id, new String(text, StandardCharsets.US_ASCII)});
    }
    return RecordBatch.ofRows(resource, SCHEMA, records);
  }

  private Map<String, Object> settings(S3Endpoint endpoint, URI address, String bucket) {
    Map<String, Object> settings = new LinkedHashMap<>(Settings.of(endpoint, address, bucket));
    settings.put("file_format", format);
    settings.put("part_size_mib", PART_MIB);
    return settings;
  }
}
