package io.filament.sink.s3;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkListener;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Publishes a run and aborts another whose part never gets an answer, with the HTTP client that the
 * configuration leaves open. Takes the store's URL.
 */
final class CrtMain {

  static final int ROWS = 7_000;

  private static final String TEXT = "x".repeat(1024);
  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).required("text", FieldType.STRING).build();

  private CrtMain() {}

  public static void main(String[] arguments) throws Exception {
    publish(arguments[0]);
    System.out.println("committed");
    abort(arguments[0]);
    System.out.println("aborted");
  }

  private static void publish(String url) throws IOException {
    try (Sink sink = new Sink(url, "run-1", new SinkListener() {})) {
      sink.write();
      sink.sink.commit();
    }
  }

  private static void abort(String url) throws Exception {
    CountDownLatch sending = new CountDownLatch(1);
    SinkListener listener =
        new SinkListener() {
          @Override
          public void partStarted(SinkEvent.PartStarted event) {
            sending.countDown();
          }
        };
    try (Sink sink = new Sink(url, "run-2", listener)) {
      sink.write();
      sending.await();
      sink.sink.abort();
    }
  }

  /** A sink with one open run. */
  private record Sink(S3Sink sink) implements AutoCloseable {

    Sink(String url, String runId, SinkListener listener) throws IOException {
      this(
          S3Sink.builder(
                  S3SinkConfig.fromMap(
                      Map.of(
                          "bucket",
                          "bucket",
                          "endpoint",
                          url,
                          "auth_method",
                          "iam_credentials",
                          "access_key_id",
                          "id",
                          "secret_access_key",
                          "secret",
                          "prefix",
                          "p",
                          "part_size_mib",
                          5)))
              .listener(listener)
              .build());
      sink.open(RunSpec.builder(runId).startedAt(Instant.parse("2026-09-10T02:00:00Z")).build());
    }

    /** Some 7 MiB: a part, and a bit. */
    void write() throws IOException {
      List<Object[]> rows = new ArrayList<>();
      for (long id = 0; id < ROWS; id++) {
        rows.add(new Object[] {id, TEXT});
      }
      sink.write(RecordBatch.ofRows("orders", SCHEMA, rows));
    }

    @Override
    public void close() throws IOException {
      sink.close();
    }
  }
}
