package io.filament.sink.reliability;

import com.sun.management.UnixOperatingSystemMXBean;
import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunConflictException;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import io.filament.sink.StoreException;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.testing.S3Endpoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The process that writes run after run, and prints what it holds after every {@value #STEP}.
 *
 * <p>The runs go through all formats. Some sinks are kept from run to run, the others live for one.
 * Of seven runs, three end otherwise than by a commit.
 */
final class SoakRuns {

  static final int STEP = 20;

  private static final long ENDING_MILLIS = 2_000;

  private static final List<String> FORMATS =
      List.of(
          "ndjson none",
          "json gzip",
          "parquet snappy",
          "ndjson zstd",
          "ndjson gzip",
          "jsonl none",
          "json none",
          "json zstd",
          "parquet zstd",
          "parquet gzip",
          "parquet none");

  /** Sinks of the first formats are kept. */
  private static final int KEPT = 4;

  private static final int RESOURCES = 3;
  private static final int ROWS = 50;

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();

  private final S3Endpoint endpoint;
  private final String bucket;
  private final List<Sink> kept = new ArrayList<>();

  private SoakRuns(S3Endpoint endpoint, String bucket) {
    this.endpoint = endpoint;
    this.bucket = bucket;
    for (int i = 0; i < KEPT; i++) {
      kept.add(sink(i, bucket));
    }
  }

  /** Takes the endpoint, the bucket and the number of runs. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    SoakRuns runs = new SoakRuns(Settings.endpoint(arguments), arguments[4]);
    for (int run = 1; run <= Integer.parseInt(arguments[5]); run++) {
      runs.write(run);
      if (run % STEP == 0) {
        System.out.println(held(run));
      }
    }
    for (Sink sink : runs.kept) {
      sink.close();
    }
  }

  /** Returns the number of the run, of threads and of open files, and the bytes of live objects. */
  private static String held(int run) throws InterruptedException {
    // No run is open, so the threads of the last one are on their way out. A thread that stays is
    // counted.
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("filament-s3-")) {
        thread.join(ENDING_MILLIS);
      }
    }
    // Again: what cleaners let go after the first is collected by the second.
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return String.format(
        "%d %d %d %d",
        run,
        ManagementFactory.getThreadMXBean().getThreadCount(),
        openFiles(),
        runtime.totalMemory() - runtime.freeMemory());
  }

  /** Counts open files where the system tells, which Windows does not. */
  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private Sink sink(int format, String inBucket) {
    String[] words = FORMATS.get(format).split(" ", 2);
    Map<String, Object> settings =
        new LinkedHashMap<>(Settings.of(endpoint, endpoint.uri(), inBucket));
    settings.put("file_format", words[0]);
    settings.put("compression", words[1]);
    return S3Sink.create(settings);
  }

  private void write(int run) throws IOException {
    int format = run % FORMATS.size();
    if (format < KEPT) {
      write(kept.get(format), run);
    } else {
      try (Sink sink = sink(format, bucket)) {
        write(sink, run);
      }
    }
  }

  private void write(Sink sink, int run) throws IOException {
    sink.open(spec(run));
    switch (run % 7) {
      case 1 -> { // given up in the middle
        writeBatches(sink, run);
        sink.abort();
      }
      case 3 -> { // a record that its schema forbids
        writeBatches(sink, run);
        refuseRecord(sink);
        sink.abort();
      }
      case 5 -> { // a store that refuses, then a run that is there already
        writeBatches(sink, run);
        sink.commit();
        refuseRun(sink, run);
        refuseBucket(run);
      }
      default -> {
        writeBatches(sink, run);
        sink.commit();
      }
    }
  }

  private static RunSpec spec(int run) {
    return RunSpec.builder("run-" + run).startedAt(Instant.EPOCH).build();
  }

  private static void writeBatches(Sink sink, int run) throws IOException {
    for (int batch = 0; batch < 2; batch++) {
      for (int resource = 0; resource < RESOURCES; resource++) {
        List<Object[]> rows = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
          rows.add(new Object[] {(long) row, row % 3 == 0 ? null : "run " + run + " row " + row});
        }
        sink.write(RecordBatch.ofRows("r" + resource, SCHEMA, rows));
      }
    }
  }

  private static void refuseRecord(Sink sink) throws IOException {
    List<Object[]> rows = Arrays.asList(new Object[] {1L, "a"}, new Object[] {null, "b"});
    try {
      sink.write(RecordBatch.ofRows("r0", SCHEMA, rows));
    } catch (InvalidRecordException e) {
      return;
    }
    throw new IllegalStateException("null is written into a required field");
  }

  private static void refuseRun(Sink sink, int run) throws IOException {
    try {
      sink.open(spec(run));
    } catch (RunConflictException e) {
      return;
    }
    throw new IllegalStateException("run " + run + " is opened again");
  }

  private void refuseBucket(int run) throws IOException {
    try (Sink sink = sink(run % FORMATS.size(), "no-such-bucket")) {
      sink.open(spec(run));
      writeBatches(sink, run);
      sink.commit();
    } catch (StoreException e) {
      return;
    }
    throw new IllegalStateException("run " + run + " is written into no bucket");
  }
}
