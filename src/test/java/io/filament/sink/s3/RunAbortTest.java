package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Column;
import io.filament.sink.CommitStateUnknownException;
import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.SinkListener;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.Operation;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.s3.S3Client;

/** Ends of a run that come from where a host does not expect to have to take care. */
@Timeout(60)
class RunAbortTest {

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final String WIDE = "x".repeat(1024);
  // Some 11 MiB: two full parts of 5 MiB, and a bit.
  private static final int MANY_ROWS = 11 * 1024;

  private final S3Endpoint endpoint = S3ProxyServer.shared();
  private final S3Client client = endpoint.client();
  private final String bucket = S3Endpoint.createBucket(client);
  private final FaultyObjectStore faulty = new FaultyObjectStore(SdkObjectStore.of(client, bucket));
  private final AtomicReference<S3Sink> sink = new AtomicReference<>();

  @AfterEach
  void end() {
    client.close();
  }

  @Test
  void aListenerMayAbortAtAPart() throws IOException {
    sink.set(
        sink(
            new SinkListener() {
              @Override
              public void partUploaded(String resource, int partNumber, long bytes) {
                unchecked(() -> sink.get().abort());
              }
            }));
    sink.get().open(run());

    assertThatThrownBy(this::writeAndCommit)
        .isInstanceOfAny(SinkException.class, IllegalStateException.class)
        .hasMessageContaining("aborted");
    sink.get().close();
    assertNothingIsLeft();
  }

  @Test
  void aListenerMayCloseAtAPart() throws IOException {
    sink.set(
        sink(
            new SinkListener() {
              @Override
              public void partUploaded(String resource, int partNumber, long bytes) {
                unchecked(() -> sink.get().close());
              }
            }));
    sink.get().open(run());

    assertThatThrownBy(this::writeAndCommit)
        .isInstanceOfAny(SinkException.class, IllegalStateException.class)
        .hasMessageMatching(".*(aborted|closed)");
    sink.get().close();
    assertNothingIsLeft();
  }

  @Test
  void aListenerMayAbortAtAnObject() throws IOException {
    sink.set(
        sink(
            new SinkListener() {
              @Override
              public void objectCompleted(RunManifest.Entry entry) {
                unchecked(() -> sink.get().abort());
              }
            }));
    sink.get().open(run());

    assertThatThrownBy(this::writeAndCommit)
        .isInstanceOf(SinkException.class)
        .hasMessage("run \"r\" was aborted");
    assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents())
        .noneMatch(object -> object.key().endsWith("_SUCCESS.json"));
  }

  @Test
  void aWriteThatBeginsAfterAnAbortIsACallInTheWrongState() throws IOException {
    sink.set(sink(new SinkListener() {}));
    sink.get().open(run());
    sink.get().abort();

    assertThatThrownBy(this::writeAndCommit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("write: run \"r\" is aborted");
    sink.get().close();
    assertThatThrownBy(this::writeAndCommit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("write: the sink is closed");
  }

  @Test
  void writeThatAnAbortOvertakesSaysSoEvenBeforeItHasItsResource() throws IOException {
    sink.set(sink(new SinkListener() {}));
    sink.get().open(RunSpec.builder("r").resource("r0", SCHEMA).build());
    RecordBatch rows = RecordBatch.ofRows("r0", SCHEMA, List.<Object[]>of(new Object[] {1L, "a"}));
    RecordBatch aborting =
        new RecordBatch() {
          @Override
          public String resource() {
            unchecked(() -> sink.get().abort());
            return rows.resource();
          }

          @Override
          public Schema schema() {
            return rows.schema();
          }

          @Override
          public int rowCount() {
            return rows.rowCount();
          }

          @Override
          public Column column(int field) {
            return rows.column(field);
          }
        };

    assertThatThrownBy(() -> sink.get().write(aborting))
        .isInstanceOf(SinkException.class)
        .hasMessage("run \"r\" was aborted");
  }

  @Test
  void abortEndsAnOpenThatWaits() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.HEAD, 1);
    S3Sink waiting = sink(new SinkListener() {});
    CompletableFuture<Void> open =
        CompletableFuture.runAsync(() -> unchecked(() -> waiting.open(run())));
    hang.awaitReached();

    waiting.abort();

    assertThatThrownBy(open::join)
        .isInstanceOf(CompletionException.class)
        .rootCause()
        .isInstanceOf(InterruptedException.class);
    assertThatThrownBy(open::join)
        .hasStackTraceContaining("open: run \"r\" was aborted while it was opened");
    assertThatThrownBy(waiting::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("commit: no run is open");
    waiting.open(run());
    assertThat(waiting.commit().run()).isEqualTo("r");
    waiting.close();
  }

  @Test
  void closeEndsAnOpenThatWaits() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.HEAD, 1);
    S3Sink waiting = sink(new SinkListener() {});
    CompletableFuture<Void> open =
        CompletableFuture.runAsync(() -> unchecked(() -> waiting.open(run())));
    hang.awaitReached();

    waiting.close();

    assertThatThrownBy(open::join)
        .hasStackTraceContaining("open: run \"r\" was aborted while it was opened");
    assertThatThrownBy(() -> waiting.open(run()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("open: the sink is closed");
  }

  @Test
  void abortEndsTheTriesOfAManifestThatIsOnItsWay() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PUT_MANIFEST, 1);
    S3Sink waiting = sink(new SinkListener() {});
    waiting.open(run());
    CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> unchecked(waiting::commit));
    hang.awaitReached();

    waiting.abort();

    assertThatThrownBy(commit::join).hasRootCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(commit::join)
        .hasStackTraceContaining(CommitStateUnknownException.class.getName());
    waiting.close();
    assertNothingIsLeft();
  }

  @Test
  void abortLetsAManifestStandThatTheStoreHasTaken() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hangAnswer(Operation.PUT_MANIFEST, 1);
    S3Sink waiting = sink(new SinkListener() {});
    waiting.open(run());
    CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> unchecked(waiting::commit));
    hang.awaitReached();

    waiting.abort();

    commit.join();
    waiting.close();
    assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents())
        .singleElement()
        .satisfies(object -> assertThat(object.key()).endsWith("_SUCCESS.json"));
  }

  private void writeAndCommit() throws IOException {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < MANY_ROWS; i++) {
      rows.add(new Object[] {(long) i, WIDE});
    }
    sink.get().write(RecordBatch.ofRows("a", SCHEMA, rows));
    sink.get().commit();
  }

  private void assertNothingIsLeft() {
    assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents()).isEmpty();
    assertThat(client.listMultipartUploads(l -> l.bucket(bucket)).uploads()).isEmpty();
  }

  private S3Sink sink(SinkListener listener) {
    S3SinkConfig config =
        S3SinkConfig.fromMap(Map.of("bucket", bucket, "prefix", "p", "part_size_mib", 5));
    return S3Sink.builder(config).store(faulty).listener(listener).build();
  }

  private static RunSpec run() {
    return RunSpec.builder("r").startedAt(Instant.parse("2026-09-10T02:00:00Z")).build();
  }

  private static void unchecked(Call call) {
    try {
      call.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Call {
    void run() throws IOException;
  }
}
