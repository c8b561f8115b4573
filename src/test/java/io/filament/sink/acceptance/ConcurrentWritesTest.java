package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.row;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads write into one run. */
@Timeout(60)
class ConcurrentWritesTest extends WithBucket {

  private static final int THREADS = 4;
  private static final int BATCHES = 60;
  private static final int ROWS = 5;
  private static final Schema SCHEMA =
      Schema.builder()
          .required("thread", FieldType.INT32)
          .required("sequence", FieldType.INT32)
          .required("filler", FieldType.STRING)
          .build();

  /** Writes numbered rows in each thread; gives the resource's name for a thread. */
  private RunManifest publish(String resourcePattern, Object... settings) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Sink sink = bucket.sink(settings)) {
      sink.open(run("r").build());
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        writers.add(
            threads.submit(
                () -> {
                  write(sink, resourcePattern.formatted(number), number);
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get(50, TimeUnit.SECONDS);
      }
      return sink.commit();
    } finally {
      threads.shutdownNow();
    }
  }

  private static void write(Sink sink, String resource, int thread) throws IOException {
    String filler = "x".repeat(10_000);
    for (int batch = 0; batch < BATCHES; batch++) {
      Object[][] rows = new Object[ROWS][];
      for (int i = 0; i < ROWS; i++) {
        rows[i] = row(thread, batch * ROWS + i, filler);
      }
      sink.write(Runs.batch(resource, SCHEMA, rows));
    }
  }

  /** Every row once, those of a thread in the order in which it wrote them, batches whole. */
  private static void assertAllRowsInOrder(List<Map<String, Object>> records, int threads) {
    assertThat(records).hasSize(threads * BATCHES * ROWS);
    Map<Object, Integer> next = new HashMap<>();
    for (Map<String, Object> record : records) {
      int expected = next.merge(record.get("thread"), 1, Integer::sum) - 1;
      assertThat(record.get("sequence")).isEqualTo(new BigDecimal(expected));
    }
    assertThat(next).hasSize(threads);
    for (int start = 0; start < records.size(); start += ROWS) {
      assertThat(records.subList(start, start + ROWS))
          .extracting(record -> record.get("thread"))
          .containsOnly(records.get(start).get("thread"));
    }
  }

  @Test
  void threadsOfOneResourceLoseAndMixNothing() throws Exception {
    RunManifest manifest = publish("all", "part_size_mib", 5);

    assertThat(manifest.resources()).hasSize(1);
    assertThat(manifest.resources().get(0).rows()).isEqualTo((long) THREADS * BATCHES * ROWS);
    byte[] stored = bucket.bytes(manifest.resources().get(0).key());
    assertThat(stored.length).isGreaterThan(2 * (5 << 20));
    assertThat(manifest.resources().get(0).crc32c()).isEqualTo(Stored.crc32c(stored));
    assertAllRowsInOrder(Json.records(stored), THREADS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void threadsOfSeveralResourcesEachFillTheirOwn(int concurrency) throws Exception {
    RunManifest manifest = publish("r%d", "part_size_mib", 5, "upload_concurrency", concurrency);

    assertThat(manifest.resources()).hasSize(THREADS);
    for (RunManifest.Entry entry : manifest.resources()) {
      assertAllRowsInOrder(Json.records(bucket.bytes(entry.key())), 1);
    }
  }

  @Test
  void writeBesideACommitIsWhollyInOrRefused() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Sink sink = bucket.sink()) {
      sink.open(run("r").build());
      CountDownLatch writing = new CountDownLatch(10);
      Future<Integer> written = threads.submit(() -> writeUntilRefused(sink, writing));
      writing.await();
      RunManifest manifest = sink.commit();

      int batches = written.get(50, TimeUnit.SECONDS);
      assertThat(manifest.resources().get(0).rows()).isEqualTo((long) batches * ROWS);
      List<Map<String, Object>> records =
          Json.records(bucket.bytes(manifest.resources().get(0).key()));
      assertThat(records).hasSize(batches * ROWS);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns how many batches were taken. */
  private static int writeUntilRefused(Sink sink, CountDownLatch writing) throws IOException {
    Object[][] rows = new Object[ROWS][];
    Arrays.setAll(rows, i -> row(0, i, "x".repeat(1_000)));
    RecordBatch batch = Runs.batch("r", SCHEMA, rows);
    for (int batches = 0; ; batches++) {
      try {
        sink.write(batch);
      } catch (IllegalStateException e) {
        return batches;
      }
      writing.countDown();
    }
  }

  @Test
  void compressedResourceKeepsTheRowsOfAllThreads() throws Exception {
    RunManifest manifest = publish("all", "compression", "gzip");

    byte[] stored = bucket.bytes(manifest.resources().get(0).key());
    assertAllRowsInOrder(Json.records(Stored.decode("gzip", stored)), THREADS);
  }
}
