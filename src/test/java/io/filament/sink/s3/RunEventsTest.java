package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkEvent.BatchWritten;
import io.filament.sink.SinkEvent.InFlight;
import io.filament.sink.SinkEvent.ObjectCompleted;
import io.filament.sink.SinkEvent.PartFailed;
import io.filament.sink.SinkEvent.PartStarted;
import io.filament.sink.SinkEvent.PartUploaded;
import io.filament.sink.SinkEvent.ResourceDeclared;
import io.filament.sink.SinkEvent.RunAborted;
import io.filament.sink.SinkEvent.RunCommitted;
import io.filament.sink.SinkEvent.RunFailed;
import io.filament.sink.SinkEvent.RunTotals;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.SinkEvent.WriteWaited;
import io.filament.sink.SinkListener;
import io.filament.sink.StoreException;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import io.filament.sink.s3.testing.RecordedEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener hears of a run, with parts of 16 bytes and a clock that the test moves. */
@Timeout(60)
class RunEventsTest {

  private static final Schema SCHEMA = Schema.builder().required("t", FieldType.STRING).build();
  private static final int PART_BYTES = 16;

  private final InMemoryObjectStore store = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1);
  private final FaultyObjectStore faulty = new FaultyObjectStore(store);
  private final RecordedEvents heard = new RecordedEvents();
  private final AtomicLong clock = new AtomicLong();

  @Test
  void aCommittedRunTellsItsResourcesPartsObjectsAndTotals() throws IOException {
    RunManifest manifest;
    try (S3Sink sink = sink(2, this::ticking, heard)) {
      sink.open(run("a", "b"));
      sink.write(batch("a", 40));
      sink.write(batch("a", 5));
      sink.write(batch("b", 1));
      manifest = sink.commit();
    }

    assertThat(heard.opened()).isEqualTo(1);
    assertThat(heard.all().subList(0, 2))
        .containsExactly(declared("a"), declared("b"))
        .hasOnlyElementsOfType(ResourceDeclared.class);
    assertThat(heard.of(BatchWritten.class))
        .extracting(event -> event.receipt().rows())
        .containsExactly(1L, 1L, 1L);
    assertThat(heard.of(ObjectCompleted.class))
        .extracting(ObjectCompleted::entry)
        .containsExactlyInAnyOrderElementsOf(manifest.resources());
    assertThat(heard.of(ObjectCompleted.class))
        .extracting(event -> event.entry().name() + " " + event.parts())
        .containsExactlyInAnyOrder("a 4", "b 0");
    long bytes = manifest.resources().stream().mapToLong(RunManifest.Entry::bytes).sum();
    RunCommitted committed = (RunCommitted) heard.all().get(heard.all().size() - 1);
    assertThat(committed.manifest()).isEqualTo(manifest);
    RunTotals totals = committed.totals();
    assertThat(List.of(totals.rows(), totals.encodedBytes(), totals.parts(), totals.retries()))
        .containsExactly(3L, bytes, 4L, 0L);
    assertThat(committed.duration()).isPositive().isLessThan(totals.duration());
  }

  @Test
  void eachPartThatStartsEndsOnceAndIsTimed() throws IOException {
    try (S3Sink sink = sink(3, this::ticking, heard)) {
      sink.open(run("a"));
      sink.write(batch("a", 200));
      sink.commit();
    }

    List<PartStarted> started = heard.of(PartStarted.class);
    List<PartUploaded> uploaded = heard.of(PartUploaded.class);
    assertThat(started).hasSize(14);
    assertThat(uploaded)
        .extracting(PartUploaded::number)
        .containsExactlyInAnyOrderElementsOf(started.stream().map(PartStarted::number).toList());
    assertThat(uploaded).extracting(PartUploaded::duration).allMatch(time -> time.toNanos() > 0);
    assertThat(started)
        .extracting(event -> event.inFlight().parts())
        .allMatch(parts -> parts >= 1 && parts <= 3);
    assertThat(uploaded)
        .extracting(event -> event.inFlight().parts())
        .contains(0)
        .allMatch(parts -> parts >= 0 && parts <= 2);
  }

  @Test
  void partsInFlightAreCountedWithTheirBytes() throws Exception {
    FaultyObjectStore.Hang first = faulty.hang(Operation.PART, 1);
    FaultyObjectStore.Hang second = faulty.hang(Operation.PART, 2);
    try (S3Sink sink = sink(2, clock::get, heard)) {
      sink.open(run("a"));
      sink.write(batch("a", PART_BYTES));
      first.awaitReached();
      sink.write(batch("a", 2));
      second.awaitReached();
      first.release();
      second.release();
      sink.commit();
    }

    assertThat(heard.of(PartStarted.class))
        .extracting(PartStarted::inFlight)
        .startsWith(new InFlight(1, PART_BYTES), new InFlight(2, 2 * PART_BYTES));
    List<PartUploaded> uploaded = heard.of(PartUploaded.class);
    assertThat(uploaded.get(uploaded.size() - 1).inFlight()).isEqualTo(new InFlight(0, 0));
  }

  @Test
  void aWriteThatFindsNoPlaceTellsHowLongItWaited() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    try (S3Sink sink = sink(1, clock::get, heard)) {
      sink.open(run("a"));
      FutureTask<WriteReceipt> write = new FutureTask<>(() -> sink.write(batch("a", 40)));
      Thread writer = started(write);
      hang.awaitReached();
      awaitWaiting(writer);
      clock.addAndGet(Duration.ofSeconds(3).toNanos());
      hang.release();
      write.get();

      assertThat(heard.of(WriteWaited.class))
          .containsExactly(new WriteWaited("a", WaitReason.REQUESTS, Duration.ofSeconds(3)));
      assertThat(heard.of(BatchWritten.class))
          .extracting(BatchWritten::duration)
          .containsExactly(Duration.ofSeconds(3));
    }
  }

  @Test
  void aBatchBehindAnotherTellsThatItWaitedForThat() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    try (S3Sink sink = sink(1, clock::get, heard)) {
      sink.open(run("a"));
      FutureTask<WriteReceipt> earlier = new FutureTask<>(() -> sink.write(batch("a", 40)));
      awaitWaiting(startedAndReached(earlier, hang));
      FutureTask<WriteReceipt> later = new FutureTask<>(() -> sink.write(batch("a", 1)));
      awaitWaiting(started(later));
      clock.addAndGet(Duration.ofSeconds(3).toNanos());
      hang.release();
      earlier.get();
      later.get();

      assertThat(heard.of(WriteWaited.class))
          .containsExactlyInAnyOrder(
              new WriteWaited("a", WaitReason.REQUESTS, Duration.ofSeconds(3)),
              new WriteWaited("a", WaitReason.EARLIER_BATCH, Duration.ofSeconds(3)));
    }
  }

  @Test
  void aRunThatNeverWaitsTellsNoWait() throws IOException {
    try (S3Sink sink = sink(1, this::ticking, heard)) {
      sink.open(run("a"));
      sink.write(batch("a", 1));
      sink.write(batch("b", 1));
      sink.commit();
    }

    assertThat(heard.of(WriteWaited.class)).isEmpty();
    assertThat(heard.of(RunCommitted.class)).hasSize(1);
  }

  @Test
  void aReceiptTellsHowFarTheObjectMayGrow() throws IOException {
    try (S3Sink sink = sink(2, clock::get, heard)) {
      sink.open(run());
      WriteReceipt first = sink.write(batch("a", 40));
      WriteReceipt second = sink.write(batch("a", 40));

      assertThat(first.encodedBytes() + first.bytesLeft()).isEqualTo(10_000L * PART_BYTES);
      assertThat(second.encodedBytes() + second.bytesLeft()).isEqualTo(10_000L * PART_BYTES);
      assertThat(second.bytesLeft()).isLessThan(first.bytesLeft());
    }
    assertThat(heard.of(ResourceDeclared.class)).containsExactly(declared("a"));
  }

  @Test
  void aFailedRunTellsItOnceWithWhatTheCallThrows() throws IOException {
    faulty.failFrom(Operation.PART, 1);
    StoreException thrown;
    try (S3Sink sink = sink(1, clock::get, heard)) {
      sink.open(run("a"));
      thrown = catchThrowableOfType(StoreException.class, () -> writeTillItFails(sink));
      assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
      sink.abort();
    }

    assertThat(heard.of(PartFailed.class).get(0).cause()).isSameAs(thrown);
    assertThat(heard.of(PartFailed.class).get(0).inFlight()).isEqualTo(new InFlight(0, 0));
    assertThat(heard.of(RunFailed.class)).hasSize(1);
    assertThat(heard.of(RunFailed.class).get(0).cause()).isSameAs(thrown);
    assertThat(heard.of(RunCommitted.class)).isEmpty();
    assertThat(heard.all().get(heard.all().size() - 1)).isInstanceOf(RunAborted.class);
  }

  @Test
  void aCommitThatFailsTellsIt() throws IOException {
    faulty.failFrom(Operation.PUT, 1);
    StoreException thrown;
    try (S3Sink sink = sink(1, clock::get, heard)) {
      sink.open(run("a"));
      sink.write(batch("a", 1));
      thrown = catchThrowableOfType(StoreException.class, sink::commit);
    }

    assertThat(heard.of(RunFailed.class)).extracting(RunFailed::cause).containsExactly(thrown);
    assertThat(heard.of(RunAborted.class))
        .extracting(event -> event.totals().rows())
        .containsExactly(1L);
  }

  @Test
  void anAbortedRunTellsWhatWasWrittenInVain() throws IOException {
    try (S3Sink sink = sink(1, clock::get, heard)) {
      sink.open(run("a"));
      sink.write(batch("a", 1));
      sink.write(batch("a", 2));
      sink.abort();
    }

    assertThat(heard.of(RunFailed.class)).isEmpty();
    assertThat(heard.of(RunAborted.class)).hasSize(1);
    RunAborted aborted = heard.of(RunAborted.class).get(0);
    assertThat(aborted.runId()).isEqualTo("r");
    assertThat(aborted.totals().rows()).isEqualTo(2);
    assertThat(aborted.totals().encodedBytes()).isPositive();
  }

  @Test
  void aRunThatEndsWhileAPartIsOnItsWayTellsThatThePartFailed() throws Exception {
    FaultyObjectStore.Hang hang = faulty.hang(Operation.PART, 1);
    try (S3Sink sink = sink(1, clock::get, heard)) {
      sink.open(run("a"));
      sink.write(batch("a", PART_BYTES - 8));
      hang.awaitReached();
      sink.abort();
    }

    assertThat(heard.of(PartFailed.class)).hasSize(1);
    assertThat(heard.all().get(heard.all().size() - 1)).isInstanceOf(RunAborted.class);
  }

  /** A lock that is held while a listener is called would keep the other thread's batch out. */
  @Test
  void whatAWriteTellsIsToldUnderNoLock() throws IOException {
    AtomicReference<S3Sink> sink = new AtomicReference<>();
    RecordedEvents writing =
        new RecordedEvents() {
          @Override
          protected void heard(SinkEvent event) {
            boolean first = of(event.getClass()).isEmpty();
            super.heard(event);
            if (first && isOfWrite(event)) {
              CompletableFuture.runAsync(() -> written(sink.get(), batch("late", 0))).join();
            }
          }
        };
    sink.set(sink(1, this::ticking, writing));
    sink.get().open(run());
    sink.get().write(batch("late", 40));
    RunManifest manifest = sink.get().commit();
    sink.get().close();

    assertThat(writing.of(WriteWaited.class)).isNotEmpty();
    assertThat(manifest.resources())
        .extracting(RunManifest.Entry::rows)
        .containsExactly((long) writing.of(BatchWritten.class).size());
    assertThat(writing.of(BatchWritten.class)).hasSizeGreaterThan(3);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ResourceDeclared.class,
        BatchWritten.class,
        WriteWaited.class,
        PartStarted.class,
        PartUploaded.class,
        PartFailed.class,
        ObjectCompleted.class,
        RunFailed.class
      })
  void aListenerMayAbortAtAnyEvent(Class<?> type) throws Exception {
    if (type == PartFailed.class || type == RunFailed.class) {
      faulty.failFrom(Operation.PART, 2);
    }
    AtomicReference<S3Sink> sink = new AtomicReference<>();
    CountDownLatch over = new CountDownLatch(1);
    RecordedEvents aborting =
        new RecordedEvents() {
          @Override
          protected void heard(SinkEvent event) {
            super.heard(event);
            if (event instanceof RunAborted) {
              over.countDown();
            }
            if (type.isInstance(event)) {
              aborted(sink.get());
            }
          }
        };
    sink.set(sink(2, this::ticking, aborting));
    sink.get().open(run());

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 20; i++) {
                sink.get().write(batch("a", 40));
              }
              sink.get().commit();
            })
        .isInstanceOfAny(IOException.class, IllegalStateException.class);
    sink.get().close();
    over.await(); // the thread that aborts tells it, which may be another one
    assertThat(aborting.all()).hasAtLeastOneElementOfType(type);
    assertThat(aborting.of(RunAborted.class)).hasSize(1);
    assertThat(store.openUploads()).isEmpty();
    assertThat(store.keys()).noneMatch(key -> key.endsWith("_SUCCESS.json"));
  }

  @Test
  void eachListenerHearsAllWhateverTheOthersThrow() throws IOException {
    SinkListener thrower =
        new SinkListener() {
          @Override
          public void batchWritten(BatchWritten event) {
            throw new IllegalStateException("a listener's");
          }
        };
    RecordedEvents last = new RecordedEvents();
    try (S3Sink sink =
        S3Sink.builder(config(1))
            .store(faulty)
            .listener(heard)
            .listener(thrower)
            .listener(last)
            .build()) {
      sink.open(run("a"));
      sink.write(batch("a", 1));
      sink.commit();
    }

    assertThat(last.all()).isEqualTo(heard.all()).isNotEmpty();
  }

  @Test
  void noEventGoesPastTheContainment() {
    assertThat(ContainedListener.class.getDeclaredMethods())
        .extracting(method -> method.getName() + Arrays.toString(method.getParameterTypes()))
        .containsAll(
            Arrays.stream(SinkListener.class.getDeclaredMethods())
                .map(method -> method.getName() + Arrays.toString(method.getParameterTypes()))
                .toList());
  }

  private static boolean isOfWrite(SinkEvent event) {
    return event instanceof ResourceDeclared
        || event instanceof WriteWaited
        || event instanceof BatchWritten;
  }

  private static void aborted(S3Sink sink) {
    try {
      sink.abort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void written(S3Sink sink, RecordBatch batch) {
    try {
      sink.write(batch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeTillItFails(S3Sink sink) throws IOException {
    while (true) {
      sink.write(batch("a", PART_BYTES));
    }
  }

  private S3Sink sink(int concurrency, LongSupplier nanos, SinkListener listener) {
    return S3Sink.builder(config(concurrency))
        .store(faulty)
        .partSizeBytes(PART_BYTES)
        .clock(nanos)
        .listener(listener)
        .build();
  }

  private static S3SinkConfig config(int concurrency) {
    return S3SinkConfig.fromMap(
        Map.of("bucket", "bucket", "partition", "", "upload_concurrency", concurrency));
  }

  /** A clock that is a millisecond later each time. */
  private long ticking() {
    return clock.addAndGet(1_000_000);
  }

  private static RunSpec run(String... resources) {
    RunSpec.Builder run = RunSpec.builder("r").startedAt(Instant.parse("2026-09-10T02:00:00Z"));
    for (String resource : resources) {
      run.resource(resource, SCHEMA);
    }
    return run.build();
  }

  /** A batch of one record, which becomes {@code {"t":"x"}} and a line break with so many x. */
  private static RecordBatch batch(String resource, int length) {
    return RecordBatch.ofRows(
        resource, SCHEMA, List.<Object[]>of(new Object[] {"x".repeat(length)}));
  }

  private static ResourceDeclared declared(String resource) {
    return new ResourceDeclared(
        resource, "s3://bucket/" + resource + "/r.ndjson", 10_000L * PART_BYTES);
  }

  private static Thread startedAndReached(FutureTask<?> work, FaultyObjectStore.Hang hang)
      throws InterruptedException {
    Thread thread = started(work);
    hang.awaitReached();
    return thread;
  }

  private static Thread started(FutureTask<?> work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
