package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Resources that are written at the same time, with room for the records of one of them: all that
 * their objects become is there until commit, since no part is ever full.
 */
class WritersAtTheLimitTest {

  private static final int ROUNDS = Integer.getInteger("memory.rounds", 5);
  private static final long KIB = 1 << 10;
  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final List<List<Object[]>> BATCHES = batches();

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "ndjson, none, 1",
    "ndjson, gzip, 1",
    "ndjson, gzip, 2",
    "parquet, none, 1",
    "parquet, snappy, 2"
  })
  @Timeout(300)
  void writersTakeTurnsWhereThereIsRoomForOne(String format, String compression, int encodeThreads)
      throws Exception {
    S3SinkConfig config =
        S3SinkConfig.fromMap(
            Map.of(
                "bucket", "lake",
                "file_format", format,
                "compression", compression,
                "encode_threads", encodeThreads));
    long alone = run(config, 1, Long.MAX_VALUE / 8);
    for (int round = 0; round < ROUNDS; round++) {
      int writers = 4 + round % 5;
      run(config, writers, limit(config.objectFormat(), writers, alone));
    }
  }

  /** What one writer after the other needs, the last segment of each object, and a little more. */
  private static long limit(ObjectFormat format, int resources, long objectBytes) {
    long each =
        ObjectWriter.leastBytes(SCHEMA, format)
            + objectBytes
            + 64 * KIB
            + (format.format() == FileFormat.PARQUET ? 3 * 16 * KIB : 64 * KIB);
    return ObjectWriter.sharedBytes(format)
        + ObjectWriter.MARGIN_BYTES
        + ObjectWriter.ROOM_BYTES
        + 256 * KIB
        + resources * each;
  }

  /** Checks a run, and returns the bytes of its largest object. */
  private long run(S3SinkConfig config, int writers, long limit) throws Exception {
    InMemoryObjectStore store = InMemoryObjectStore.withPartsOfAtLeast("lake", 1);
    RunSpec.Builder spec = RunSpec.builder("r").startedAt(Instant.EPOCH);
    for (int i = 0; i < writers; i++) {
      spec.resource("resource_" + i, SCHEMA);
    }
    try (S3Sink sink =
        S3Sink.builder(config)
            .store(store)
            .partSizeBytes(64 << 20)
            .memoryLimitBytes(limit)
            .build()) {
      sink.open(spec.build());
      writeAll(sink, writers);
      RunManifest manifest = sink.commit();
      assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(limit);
      check(config, manifest, store);
      return manifest.resources().stream().mapToLong(RunManifest.Entry::bytes).max().orElse(0);
    }
  }

  private void check(S3SinkConfig config, RunManifest manifest, InMemoryObjectStore store)
      throws Exception {
    List<ChaosRows.Row> expected = new ArrayList<>();
    for (List<Object[]> batch : BATCHES) {
      batch.forEach(row -> expected.add(new ChaosRows.Row((long) row[0], (String) row[1])));
    }
    ObjectFormat format = config.objectFormat();
    try (ChaosDecoder decoder = new ChaosDecoder(directory)) {
      for (RunManifest.Entry entry : manifest.resources()) {
        List<ChaosRows.Row> rows =
            decoder.rows(
                format.format().name().toLowerCase(Locale.ROOT),
                format.compression().name().toLowerCase(Locale.ROOT),
                store.content(entry.key()));
        assertThat(rows.equals(expected)).as(entry.name()).isTrue();
      }
    }
  }

  private static void writeAll(S3Sink sink, int writers) throws Exception {
    CyclicBarrier start = new CyclicBarrier(writers);
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      CompletionService<Void> writing = new ExecutorCompletionService<>(pool);
      for (int i = 0; i < writers; i++) {
        String resource = "resource_" + i;
        writing.submit(
            () -> {
              for (List<Object[]> batch : BATCHES) {
                start.await();
                sink.write(RecordBatch.ofRows(resource, SCHEMA, batch));
              }
              return null;
            });
      }
      for (int i = 0; i < writers; i++) {
        writing.take().get();
      }
    } finally {
      pool.shutdownNow(); // who fails leaves the others at the barrier
    }
  }

  /** Returns batches of a slice each, which can't be compressed by much. */
  private static List<List<Object[]>> batches() {
    Random random = new Random(7);
    List<List<Object[]>> batches = new ArrayList<>();
    for (int batch = 0; batch < 4; batch++) {
      List<Object[]> rows = new ArrayList<>();
      for (long i = 0; i < 1000; i++) {
        byte[] text = new byte[760];
        random.nextBytes(text);
        rows.add(new Object[] {i, Base64.getEncoder().encodeToString(text)});
      }
      batches.add(rows);
    }
    return batches;
  }
}
