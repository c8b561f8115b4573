package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Column;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunConflictException;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.Operation;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3Endpoints;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What each failure leaves behind, on a real server whose answers are spoilt on the way. */
@Timeout(60)
class RunFailureTest {

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final String MANIFEST = "p/_runs/r/_SUCCESS.json";
  // More than one part of 5 MiB.
  private static final int MANY_ROWS = 6 * 1024;
  private static final String WIDE = "x".repeat(1024);

  private final S3Endpoint endpoint = S3Endpoints.all().get(0);
  private final S3Client client = endpoint.client();
  private final String bucket = S3Endpoint.createBucket(client);
  private final FaultyObjectStore faulty = new FaultyObjectStore(SdkObjectStore.of(client, bucket));
  private final S3Sink sink = sink(faulty);

  @BeforeEach
  void openRun() throws IOException {
    sink.open(run());
  }

  @AfterEach
  void end() {
    client.close();
  }

  @Test
  void aFailedRecordLeavesNothingAfterAbort() throws IOException {
    sink.write(batch("a", MANY_ROWS));
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {1L, "x"});
    rows.add(new Object[] {null, "x"});

    assertThatThrownBy(() -> sink.write(RecordBatch.ofRows("a", SCHEMA, rows)))
        .isInstanceOfSatisfying(
            InvalidRecordException.class,
            e -> {
              assertThat(e.resource()).isEqualTo("a");
              assertThat(e.row()).isEqualTo(MANY_ROWS + 1);
              assertThat(e.field()).isEqualTo("id");
            });
    assertThatThrownBy(() -> sink.write(batch("a", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("write: run \"r\" is failed; abort it")
        .hasCauseInstanceOf(InvalidRecordException.class);
    assertThatThrownBy(sink::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(InvalidRecordException.class);

    sink.abort();

    assertBucketHolds();
  }

  @Test
  void aFailedPartFailsTheNextWriteAndLeavesNothingAfterAbort() throws IOException {
    faulty.fail(Operation.PART, 1);
    sink.write(batch("a", MANY_ROWS));
    StoreException failure = failureOfNextWrite();

    assertThat(failure.operation()).isEqualTo("UploadPart");
    assertThat(failure.bucket()).isEqualTo(bucket);
    assertThat(failure.key()).isEqualTo("p/a/dt=2026-09-10/r.ndjson");
    assertThatThrownBy(() -> sink.write(batch("a", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasCause(failure);

    sink.abort();

    assertBucketHolds();
  }

  @Test
  void aPartThatFailsWhileNobodyWritesFailsTheCommit() throws IOException {
    faulty.fail(Operation.PART, 1);
    sink.write(batch("a", MANY_ROWS));

    assertThatThrownBy(sink::commit)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("UploadPart s3://" + bucket + "/p/a/dt=2026-09-10/r.ndjson");
    sink.close();
    assertBucketHolds();
  }

  @Test
  void aFailedStartFailsTheWriteThatNeedsIt() throws IOException {
    faulty.fail(Operation.START, 1);

    assertThatThrownBy(() -> sink.write(batch("a", MANY_ROWS)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CreateMultipartUpload");
    sink.abort();
    assertBucketHolds();
  }

  @Test
  void aFailedCompleteLeavesTheOtherObjectsAndNoManifest() throws IOException {
    faulty.failKey(Operation.COMPLETE, "/b/");
    for (String resource : List.of("a", "b", "c")) {
      sink.write(batch(resource, MANY_ROWS));
    }

    assertThatThrownBy(sink::commit)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CompleteMultipartUpload")
        .hasMessageContaining("/p/b/");
    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
    sink.abort();

    assertBucketHolds("p/a/dt=2026-09-10/r.ndjson", "p/c/dt=2026-09-10/r.ndjson");
  }

  @Test
  void aFailedPutOfASmallObjectLeavesNoManifest() throws IOException {
    faulty.failFrom(Operation.PUT, 1);
    sink.write(batch("a", 1));

    assertThatThrownBy(sink::commit)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("PutObject");
    sink.abort();
    assertBucketHolds();
  }

  @Test
  void aLostAnswerToCompleteIsSettled() throws IOException {
    faulty.loseAnswer(Operation.COMPLETE, 1);
    sink.write(batch("a", MANY_ROWS));

    RunManifest manifest = sink.commit();

    assertThat(manifest.resources())
        .singleElement()
        .extracting(RunManifest.Entry::rows)
        .isEqualTo((long) MANY_ROWS);
    assertBucketHolds("p/_runs/r/_SUCCESS.json", "p/a/dt=2026-09-10/r.ndjson");
  }

  @Test
  void aFailedManifestLeavesObjectsAndAnInvalidRun() throws IOException {
    faulty.failFrom(Operation.PUT_MANIFEST, 1);
    sink.write(batch("a", 1));

    assertThatThrownBy(sink::commit)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(MANIFEST);
    sink.abort();
    assertBucketHolds("p/a/dt=2026-09-10/r.ndjson");
  }

  @Test
  void theSameRunIsWrittenToAGoodEndAfterAFailure() throws IOException {
    faulty.failKey(Operation.COMPLETE, "/b/");
    sink.write(batch("b", MANY_ROWS));
    assertThatThrownBy(sink::commit).isInstanceOf(StoreException.class);
    sink.abort();

    S3Sink again = sink(new FaultyObjectStore(SdkObjectStore.of(client, bucket)));
    again.open(run());
    again.write(batch("b", MANY_ROWS));
    again.commit();

    assertBucketHolds(MANIFEST, "p/b/dt=2026-09-10/r.ndjson");
  }

  @Test
  void theLoserOfTwoCommittersChangesNothing() throws IOException {
    S3Sink other = sink(new FaultyObjectStore(SdkObjectStore.of(client, bucket)));
    other.open(run());
    sink.commit();

    assertThatThrownBy(other::commit).isInstanceOf(RunConflictException.class);
    assertThatThrownBy(() -> sink.open(run())).isInstanceOf(RunConflictException.class);
  }

  @Test
  void anUploadThatCanNotBeAbortedIsNamedAndTriedThreeTimes() throws IOException {
    faulty.failFrom(Operation.ABORT, 1);
    sink.write(batch("a", MANY_ROWS));

    assertThatThrownBy(sink::abort)
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("AbortMultipartUpload s3://" + bucket)
        .hasMessageContaining("1 of 1 uploads may still be there")
        .hasMessageContaining("key \"p/a/dt=2026-09-10/r.ndjson\", upload id ");
    assertThat(faulty.count(Operation.ABORT)).isEqualTo(3);
    sink.abort();
    sink.close();
  }

  @Test
  void theThirdTryOfAnAbortIsEnough() throws IOException {
    faulty.fail(Operation.ABORT, 1).fail(Operation.ABORT, 2);
    sink.write(batch("a", MANY_ROWS));

    sink.abort();

    assertBucketHolds();
  }

  @Test
  void abortEndsAWriteThatWaits() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    S3Sink narrow = narrowSink();
    narrow.open(run("narrow"));
    Thread writer =
        new Thread(
            () -> {
              try {
                narrow.write(batch("a", 3 * MANY_ROWS));
              } catch (IOException e) {
                thrown.set(e);
              }
            });
    writer.start();
    hang.awaitReached();

    narrow.abort();
    writer.join();

    assertThat(thrown.get())
        .isInstanceOf(SinkException.class)
        .hasMessage("run \"narrow\" was aborted");
    assertBucketHolds();
  }

  @Test
  void anInterruptedWriteFailsTheRunAndKeepsTheFlag() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    S3Sink narrow = narrowSink();
    narrow.open(run("narrow"));
    Thread writer =
        new Thread(
            () -> {
              try {
                narrow.write(batch("a", 3 * MANY_ROWS));
              } catch (IOException e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
              }
            });
    writer.start();
    hang.awaitReached();
    writer.interrupt();
    writer.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(flag.get()).isTrue();
    assertThatThrownBy(narrow::commit).isInstanceOf(IllegalStateException.class);
    narrow.close();
    assertBucketHolds();
  }

  @Test
  void whatTheHostsRowsThrowFailsTheRun() throws IOException {
    List<Object[]> rows = new BreakingRows();

    assertThatThrownBy(() -> sink.write(RecordBatch.ofRows("a", SCHEMA, rows)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("source broke");
    assertThatThrownBy(sink::commit).hasCauseInstanceOf(IllegalStateException.class);
    sink.close();
    assertBucketHolds();
  }

  @Test
  void aCheckedExceptionThatNoSignatureShowsFailsTheRunToo() throws IOException {
    SQLException broken = new SQLException("source broke");
    Column.Boxed ids =
        row -> {
          throw RunFailureTest.<RuntimeException>unchecked(broken);
        };
    RecordBatch batch =
        RecordBatch.ofColumns("a", SCHEMA, 1, List.of(ids, Column.ofObjects(new Object[] {"x"})));

    assertThatThrownBy(() -> sink.write(batch)).isInstanceOf(SinkException.class).hasCause(broken);
    assertThatThrownBy(() -> sink.write(batch("b", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasCause(broken);
    sink.close();
    assertBucketHolds();
  }

  @Test
  void aRefusedBatchDeclaresNoResource() throws IOException {
    RecordBatch wrongKind =
        RecordBatch.ofColumns(
            "a",
            SCHEMA,
            1,
            List.of(
                Column.ofDoubles(new double[] {1}, null), Column.ofObjects(new Object[] {"x"})));

    assertThatThrownBy(() -> sink.write(wrongKind)).isInstanceOf(IllegalArgumentException.class);

    assertThat(sink.commit().resources()).isEmpty();
    assertBucketHolds(MANIFEST);
  }

  @Test
  void aBatchOfAnotherSchemaIsToldWhereItDiffers() throws IOException {
    sink.write(batch("a", 1));
    Field first = SCHEMA.fields().get(0);
    Schema shorter = Schema.of(List.of(first));
    Schema other = Schema.of(List.of(first, new Field("other", FieldType.DATE, true)));

    assertThatThrownBy(() -> sink.write(RecordBatch.ofRows("a", shorter, List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "resource \"a\": the batch has 1 fields, the resource was declared with 2; the first of"
                + " those that only one has is "
                + SCHEMA.fields().get(1));
    assertThatThrownBy(() -> sink.write(RecordBatch.ofRows("a", other, List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "resource \"a\": field 1 of the batch is %s, the resource was declared with %s"
                .formatted(other.fields().get(1), SCHEMA.fields().get(1)));

    assertThat(sink.commit().resources()).hasSize(1);
  }

  @Test
  void aLateWriteIsRefusedWhileTheRunIsCommitted() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PUT, 1);
    sink.write(batch("a", 2));
    AtomicReference<RunManifest> manifest = new AtomicReference<>();
    Thread committer =
        new Thread(
            () -> {
              try {
                manifest.set(sink.commit());
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    committer.start();
    hang.awaitReached();

    assertThatThrownBy(() -> sink.write(batch("a", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("write: run \"r\" is being committed");

    hang.release();
    committer.join();
    assertThat(manifest.get().resources().get(0).rows()).isEqualTo(2);
  }

  @Test
  void aForeignUploadUnderThePrefixIsLeftAlone() throws IOException {
    String foreign =
        client
            .createMultipartUpload(u -> u.bucket(bucket).key("p/a/dt=2026-09-10/r.ndjson"))
            .uploadId();
    sink.write(batch("a", MANY_ROWS));

    sink.abort();

    assertThat(client.listMultipartUploads(l -> l.bucket(bucket)).uploads())
        .extracting(upload -> upload.uploadId())
        .containsExactly(foreign);
  }

  /** Throws what it is given, as languages without checked exceptions do. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X unchecked(Throwable throwable) throws X {
    throw (X) throwable;
  }

  private StoreException failureOfNextWrite() {
    // The failed part's request may still be on its way out of the pool.
    while (true) {
      try {
        sink.write(batch("a", 1));
      } catch (StoreException e) {
        return e;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void assertBucketHolds(String... keys) {
    assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents())
        .extracting(S3Object::key)
        .containsExactly(keys);
    assertThat(client.listMultipartUploads(l -> l.bucket(bucket)).uploads()).isEmpty();
  }

  private S3Sink sink(FaultyObjectStore store) {
    return S3Sink.builder(config(4)).store(store).build();
  }

  private S3Sink narrowSink() {
    return S3Sink.builder(config(1)).store(faulty).build();
  }

  private S3SinkConfig config(int concurrency) {
    return S3SinkConfig.fromMap(
        Map.of(
            "bucket",
            bucket,
            "prefix",
            "p",
            "part_size_mib",
            5,
            "upload_concurrency",
            concurrency));
  }

  private static RunSpec run() {
    return run("r");
  }

  private static RunSpec run(String id) {
    return RunSpec.builder(id).startedAt(Instant.parse("2026-09-10T02:00:00Z")).build();
  }

  private static RecordBatch batch(String resource, int rows) {
    List<Object[]> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      values.add(new Object[] {(long) i, WIDE});
    }
    return RecordBatch.ofRows(resource, SCHEMA, values);
  }

  /** Rows whose source breaks before the sixth. */
  private static final class BreakingRows extends AbstractList<Object[]> implements RandomAccess {

    @Override
    public Object[] get(int index) {
      if (index == 5) {
        throw new IllegalStateException("source broke");
      }
      return new Object[] {1L, "x"};
    }

    @Override
    public int size() {
      return 10;
    }
  }
}
