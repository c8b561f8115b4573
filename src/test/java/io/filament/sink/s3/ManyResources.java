package io.filament.sink.s3;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.testing.ChecksumStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A run of many resources, whose batches come in turns from several threads, in a process whose
 * heap the test chooses. It prints what the run has held, and what is still on the heap before the
 * commit.
 */
final class ManyResources {

  /**
   * @param format of the objects
   * @param compression of the objects
   * @param resources how many are declared
   * @param columns how many fields each has, of two types
   * @param batches how many each gets
   * @param rows how many each batch has
   * @param threads how many write
   */
  record Plan(
      String format,
      String compression,
      int resources,
      int columns,
      int batches,
      int rows,
      int threads) {

    static Plan of(String[] arguments) {
      return new Plan(
          arguments[0],
          arguments[1],
          Integer.parseInt(arguments[2]),
          Integer.parseInt(arguments[3]),
          Integer.parseInt(arguments[4]),
          Integer.parseInt(arguments[5]),
          Integer.parseInt(arguments[6]));
    }

    Schema schema() {
      Schema.Builder builder = Schema.builder();
      for (int i = 0; i < columns; i++) {
        builder.nullable("c" + i, i % 2 == 0 ? FieldType.INT64 : FieldType.STRING);
      }
      return builder.build();
    }
  }

  private final Plan plan;
  private final Schema schema;
  private final ChecksumStore store = new ChecksumStore();
  private final AtomicLong turn = new AtomicLong();

  private ManyResources(Plan plan) {
    this.plan = plan;
    this.schema = plan.schema();
  }

  /** Takes a plan's components, and a limit in MiB if there is one. */
  public static void main(String[] arguments) throws IOException {
    ManyResources many = new ManyResources(Plan.of(arguments));
    Map<String, Object> config = new HashMap<>();
    config.put("bucket", "lake");
    config.put("prefix", "p");
    config.put("part_size_mib", 5);
    config.put("file_format", many.plan.format());
    config.put("compression", many.plan.compression());
    if (arguments.length > 7) {
      config.put("memory_limit_mib", Integer.parseInt(arguments[7]));
    }
    try (S3Sink sink = S3Sink.builder(S3SinkConfig.fromMap(config)).store(many.store).build()) {
      many.run(sink);
    }
  }

  private void run(S3Sink sink) throws IOException {
    RunSpec.Builder run = RunSpec.builder("r").startedAt(Instant.parse("2026-09-10T02:00:00Z"));
    for (int i = 0; i < plan.resources(); i++) {
      run.resource("resource_" + i, schema);
    }
    RunSpec spec = run.build();
    long before = usedBytes();
    sink.open(spec);
    writeAll(sink);
    long after = usedBytes();
    System.out.printf(
        "held %,d of %,d, at most %,d, waits %,d; heap of a resource %,d%n",
        sink.memory().heldBytes(),
        sink.memory().limitBytes(),
        sink.memory().peakBytes(),
        sink.memory().waitCount(),
        (after - before) / plan.resources());
    RunManifest manifest = sink.commit();
    long rows = manifest.resources().stream().mapToLong(RunManifest.Entry::rows).sum();
    System.out.printf(
        "%d objects, %d rows, %,d bytes; done%n", manifest.resources().size(), rows, store.bytes());
  }

  private void writeAll(S3Sink sink) {
    ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
    try {
      List<CompletableFuture<Void>> writing = new ArrayList<>();
      for (int i = 0; i < plan.threads(); i++) {
        writing.add(CompletableFuture.runAsync(() -> writeSome(sink), threads));
      }
      writing.forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }
  }

  /** Writes the next resource's next batch until all are written. */
  private void writeSome(S3Sink sink) {
    long end = (long) plan.resources() * plan.batches();
    for (long i = turn.getAndIncrement(); i < end; i = turn.getAndIncrement()) {
      try {
        sink.write(
            RecordBatch.ofRows("resource_" + i % plan.resources(), schema, rows(i * plan.rows())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private List<Object[]> rows(long first) {
    List<Object[]> rows = new ArrayList<>(plan.rows());
    for (long row = first; row < first + plan.rows(); row++) {
      Object[] values = new Object[plan.columns()];
      for (int i = 0; i < values.length; i++) {
        long value = (row + 1) * 0x9E3779B97F4A7C15L * (i + 1);
        values[i] = i % 2 == 0 ? (Object) value : "text " + (value >>> 32);
      }
      rows.add(values);
    }
    return rows;
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
