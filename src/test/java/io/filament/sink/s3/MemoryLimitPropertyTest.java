package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.testing.ChecksumStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs whose limit is about the least that the documentation promises to be enough. */
class MemoryLimitPropertyTest {

  private static final int RUNS = Integer.getInteger("memory.runs", 10);
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final List<List<String>> FORMATS =
      List.of(
          List.of("ndjson", "none"),
          List.of("ndjson", "gzip"),
          List.of("json", "gzip"),
          List.of("json", "zstd"),
          List.of("parquet", "none"),
          List.of("parquet", "snappy"));

  @Test
  @Timeout(300)
  void aLimitThatIsEnoughIsKeptAndFailsNoRun() throws Exception {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      Plan plan = Plan.draw(seed);
      try {
        plan.check();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("-Dseed=" + seed + ": " + plan, e);
      }
    }
  }

  private record Plan(
      long seed,
      List<String> format,
      int resources,
      int threads,
      int encodeThreads,
      int partSize,
      int textSize,
      boolean finishes) {

    static Plan draw(long seed) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      return new Plan(
          seed,
          FORMATS.get(random.nextInt(FORMATS.size())),
          1 + random.nextInt(8),
          1 + random.nextInt(8),
          1 + random.nextInt(3),
          (64 << 10) << random.nextInt(4),
          4 << random.nextInt(12),
          random.nextBoolean());
    }

    /** What the documentation says, and segments of parts and buffers of text beside it. */
    long limitBytes(ObjectFormat objectFormat) {
      long each = ObjectWriter.leastBytes(SCHEMA, objectFormat) + partSize + 64 * KIB;
      if (format.get(0).equals("parquet")) {
        each += 3 * 16 * KIB;
      } else if (format.get(1).equals("zstd")) {
        each += 4 * MIB;
      }
      return ObjectWriter.sharedBytes(objectFormat)
          + ObjectWriter.MARGIN_BYTES
          + ObjectWriter.ROOM_BYTES
          + resources * each;
    }

    void check() throws Exception {
      S3SinkConfig config =
          S3SinkConfig.fromMap(
              Map.of(
                  "bucket",
                  "lake",
                  "file_format",
                  format.get(0),
                  "compression",
                  format.get(1),
                  "encode_threads",
                  encodeThreads));
      long limit = limitBytes(config.objectFormat());
      RunSpec.Builder run = RunSpec.builder("r").startedAt(Instant.EPOCH);
      for (int i = 0; i < resources; i++) {
        run.resource("resource_" + i, SCHEMA);
      }
      try (S3Sink sink =
          S3Sink.builder(config)
              .store(new ChecksumStore())
              .partSizeBytes(partSize)
              .memoryLimitBytes(limit)
              .build()) {
        sink.open(run.build());
        AtomicLongArray rows = writeAll(sink, limit + limit / 2);
        RunManifest manifest = sink.commit();
        for (int i = 0; i < resources; i++) {
          assertThat(manifest.resources().get(i).rows()).isEqualTo(rows.get(i));
        }
        assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(limit);
      }
    }

    private AtomicLongArray writeAll(S3Sink sink, long bytes) throws Exception {
      AtomicLongArray rows = new AtomicLongArray(resources);
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        List<Future<?>> writing = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          Random random = new Random(seed + i);
          writing.add(
              pool.submit(
                  () -> {
                    write(sink, random, bytes / threads, rows);
                    return null;
                  }));
        }
        await(writing);
        if (finishes) {
          finishAll(sink, pool);
        }
      } finally {
        pool.shutdown();
      }
      return rows;
    }

    private void finishAll(S3Sink sink, ExecutorService pool) throws Exception {
      List<Future<?>> finishing = new ArrayList<>();
      for (int i = 0; i < resources; i++) {
        String resource = "resource_" + i;
        finishing.add(
            pool.submit(
                () -> {
                  sink.finish(resource);
                  return null;
                }));
      }
      await(finishing);
    }

    private static void await(List<Future<?>> threads) throws Exception {
      for (Future<?> thread : threads) {
        thread.get();
      }
    }

    private void write(S3Sink sink, Random random, long bytes, AtomicLongArray rows)
        throws IOException {
      long left = bytes;
      while (left > 0) {
        int resource = random.nextInt(resources);
        List<Object[]> batch = new ArrayList<>();
        int count = 1 + random.nextInt(1500);
        int large = random.nextInt(count + 1);
        for (int i = 0; i < count; i++) {
          StringBuilder text = new StringBuilder();
          for (int j = random.nextInt(i < large ? 4 : textSize); j >= 0; j--) {
            text.append((char) (' ' + random.nextInt(90)));
          }
          batch.add(new Object[] {random.nextLong(), text.toString()});
          left -= Long.BYTES + text.length();
        }
        sink.write(RecordBatch.ofRows("resource_" + resource, SCHEMA, batch));
        rows.addAndGet(resource, count);
      }
    }
  }
}
