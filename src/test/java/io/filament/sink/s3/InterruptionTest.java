package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is interrupted hears which run or object it was at. */
@Timeout(60)
class InterruptionTest {

  private static final String A = "\"a\" (s3://lake/p/a/dt=2026-09-10/r.ndjson): ";
  private static final String OF_REQUEST = "interrupted while waiting for a request to S3";
  private static final Schema SCHEMA = Schema.builder().required("id", FieldType.STRING).build();

  private final FaultyObjectStore faulty =
      new FaultyObjectStore(InMemoryObjectStore.withPartsOfAtLeast("lake", 1));
  private final S3Sink sink =
      S3Sink.builder(
              S3SinkConfig.fromMap(
                  Map.of("bucket", "lake", "prefix", "p", "upload_concurrency", 1)))
          .store(faulty)
          .partSizeBytes(8)
          .build();

  @AfterEach
  void close() throws IOException {
    sink.close();
  }

  @Test
  void openNamesItsRun() throws Exception {
    assertThat(messageOf(Operation.HEAD, 1, this::open))
        .isEqualTo("open of run \"r\": " + OF_REQUEST);
  }

  @Test
  void writeNamesItsObject() throws Exception {
    open();

    assertThat(messageOf(Operation.PART, 1, () -> write("longer than one part")))
        .isEqualTo(A + OF_REQUEST);
  }

  @Test
  void commitNamesTheObjectWhosePartsItWaitsFor() throws Exception {
    open();
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    write("one"); // its part is full

    assertThat(messageOf(hang, sink::commit)).isEqualTo(A + OF_REQUEST);
  }

  @Test
  void commitNamesTheRunWhoseObjectsItWaitsFor() throws Exception {
    open();
    write("");

    assertThat(messageOf(Operation.COMPLETE, 1, sink::commit))
        .isEqualTo("commit of run \"r\": " + OF_REQUEST);
  }

  @Test
  void aBatchThatWaitsForAnotherNamesItsObject() throws Exception {
    open();
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    Thread first = new Thread(() -> messageOf(() -> write("longer than one part")));
    first.start();
    hang.awaitReached();
    AtomicReference<String> message = new AtomicReference<>();
    Thread second = new Thread(() -> message.set(messageOf(() -> write("waits"))));

    second.start();
    second.interrupt();
    second.join();

    assertThat(message.get())
        .isEqualTo(A + "interrupted while it waited for the batches before it");
    sink.abort();
    first.join();
  }

  private void open() throws IOException {
    Instant start = Instant.parse("2026-09-10T02:00:00Z");
    sink.open(RunSpec.builder("r").startedAt(start).build());
  }

  private void write(String text) throws IOException {
    sink.write(RecordBatch.ofRows("a", SCHEMA, List.<Object[]>of(new Object[] {text})));
  }

  private String messageOf(Operation operation, int number, Call call) throws Exception {
    return messageOf(faulty.hang(operation, number), call);
  }

  /** Interrupts a call while the store keeps it waiting, and returns what it throws. */
  private static String messageOf(FaultyObjectStore.Hang hang, Call call) throws Exception {
    AtomicReference<String> message = new AtomicReference<>();
    Thread thread = new Thread(() -> message.set(messageOf(call)));
    thread.start();
    hang.awaitReached();
    thread.interrupt();
    thread.join();
    return message.get();
  }

  private static String messageOf(Call call) {
    try {
      call.make();
      return "nothing is thrown";
    } catch (InterruptedIOException e) {
      return e.getMessage();
    } catch (Exception e) {
      return e.toString();
    }
  }

  private interface Call {
    void make() throws Exception;
  }
}
