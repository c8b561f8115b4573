package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.s3.testing.ChecksumStore;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs at the bound of their memory. */
@Timeout(120)
class MemoryLimitTest {

  private static final long MIB = 1 << 20;
  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final int KIB_PART = 256 << 10;

  private final InMemoryObjectStore store = InMemoryObjectStore.withPartsOfAtLeast("lake", 1);

  @ParameterizedTest
  @CsvSource({"ndjson, none", "ndjson, gzip", "parquet, snappy", "parquet, zstd"})
  void twentyResourcesInTurnsStayWithin32Mebibytes(String format, String compression)
      throws IOException {
    ChecksumStore sums = new ChecksumStore();
    S3Sink sink =
        S3Sink.builder(config(format, compression, 32)).store(sums).partSizeBytes(KIB_PART).build();
    sink.open(run(20));
    List<Object[]> rows = rows(500);
    inThreads(
        4,
        thread -> {
          for (int batch = 0; batch < 40; batch++) {
            for (int i = thread; i < 20; i += 4) {
              sink.write(RecordBatch.ofRows("resource_" + i, SCHEMA, rows));
            }
          }
        });
    RunManifest manifest = sink.commit();

    assertThat(manifest.resources())
        .hasSize(20)
        .allSatisfy(entry -> assertThat(entry.rows()).isEqualTo(40 * 500));
    assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(32 * MIB);
    sink.close();
  }

  /** No part is ever full, so early ends of row groups are all that keeps this run going. */
  @Test
  void rowGroupsAreCutWhereNothingCanBeSent() throws IOException {
    ChecksumStore sums = new ChecksumStore();
    S3Sink sink = S3Sink.builder(config("parquet", "snappy", 12)).store(sums).build();
    sink.open(run(20));
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rows.add(new Object[] {(long) i, "a text that is there again and again"});
    }
    inThreads(
        4,
        thread -> {
          for (int batch = 0; batch < 30; batch++) {
            for (int i = thread; i < 20; i += 4) {
              sink.write(RecordBatch.ofRows("resource_" + i, SCHEMA, rows));
            }
          }
        });
    RunManifest manifest = sink.commit();

    // 600,000 rows have 29 MB in pages, and 12 MiB is the limit.
    assertThat(manifest.resources().stream().mapToLong(RunManifest.Entry::rows).sum())
        .isEqualTo(600_000);
    assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(12 * MIB);
    sink.close();
  }

  /** Columns of one width grow at the same row, all at once, by more than all that is there. */
  @Test
  void aWideRowGroupIsCutRatherThanGrown() throws IOException {
    Schema.Builder wide = Schema.builder();
    for (int i = 0; i < 300; i++) {
      wide.required("c" + i, FieldType.INT64);
    }
    Schema schema = wide.build();
    Object[] row = new Object[300];
    Arrays.fill(row, 7L);
    S3Sink sink =
        S3Sink.builder(config("parquet", "snappy", 18)).store(new ChecksumStore()).build();
    sink.open(RunSpec.builder("r").resource("wide", schema).build());

    for (int batch = 0; batch < 15; batch++) {
      sink.write(RecordBatch.ofRows("wide", schema, Collections.nCopies(1_000, row)));
    }

    assertThat(sink.commit().resources().get(0).rows()).isEqualTo(15_000);
    assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(18 * MIB);
    sink.close();
  }

  @Test
  void sameInputGivesTheSameBytesBelowTheLimit() throws IOException {
    List<List<Byte>> contents = new ArrayList<>();
    for (int limit : new int[] {40, 4000}) {
      InMemoryObjectStore each = InMemoryObjectStore.withPartsOfAtLeast("lake", 1);
      S3Sink sink = S3Sink.builder(config("parquet", "snappy", limit)).store(each).build();
      sink.open(run(1));
      for (int i = 0; i < 10; i++) {
        sink.write(RecordBatch.ofRows("resource_0", SCHEMA, rows(2000)));
      }
      String key = sink.commit().resources().get(0).key();
      List<Byte> content = new ArrayList<>();
      for (byte b : each.content(key)) {
        content.add(b);
      }
      contents.add(content);
      sink.close();
    }

    assertThat(contents.get(0)).isEqualTo(contents.get(1));
  }

  @Test
  void openRefusesALimitThatIsTooLittleBeforeAnyRequest() throws IOException {
    S3Sink sink = S3Sink.builder(config("parquet", "snappy", 9)).store(store).build();

    AtomicReference<String> message = new AtomicReference<>();
    assertThatThrownBy(() -> sink.open(run(200)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "open: memory_limit_mib 9 is too little for 200 resources of format parquet;")
        .satisfies(refused -> message.set(refused.getMessage()));

    assertThat(store.calls()).isEmpty();
    int least = least(message.get());
    S3Sink enough = S3Sink.builder(config("parquet", "snappy", least)).store(store).build();
    enough.open(run(200));
    for (int i = 0; i < 200; i++) {
      enough.write(RecordBatch.ofRows("resource_" + i, SCHEMA, rows(3)));
    }
    assertThat(enough.commit().resources()).hasSize(200);
    assertThat(enough.memory().peakBytes()).isLessThanOrEqualTo(least * MIB);
    S3Sink tooLittle = S3Sink.builder(config("parquet", "snappy", least - 1)).store(store).build();
    assertThatThrownBy(() -> tooLittle.open(run(200)))
        .hasMessageContaining("the least that would do is " + least);
  }

  @ParameterizedTest
  @CsvSource({
    "parquet, snappy, 8",
    "parquet, none, 8",
    "ndjson, none, 4",
    "json, gzip, 5",
    "jsonl, zstd, 8",
  })
  void theLeastForARunThatDeclaresNothingIsEnoughForAResource(
      String format, String compression, int least) throws IOException {
    S3Sink tooLittle = S3Sink.builder(config(format, compression, least - 1)).store(store).build();
    assertThatThrownBy(() -> tooLittle.open(run(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "open: memory_limit_mib %d is too little for 1 resource of format %s; the least that would do is %d, for a few records of each; an object of any size takes 5 MiB more",
            least - 1, format, least);

    S3Sink enough = S3Sink.builder(config(format, compression, least)).store(store).build();
    enough.open(run(0));
    enough.write(RecordBatch.ofRows("accounts", SCHEMA, rows(3)));
    assertThat(enough.commit().resources()).hasSize(1);
    enough.close();
  }

  @Test
  void aResourceThatComesLaterIsRefusedAndTheRunGoesOn() throws IOException {
    S3Sink sink = S3Sink.builder(config("ndjson", "none", 4)).store(store).build();
    sink.open(run(1));
    int declared = 1;
    String refusal = null;
    while (refusal == null && declared < 10_000) {
      try {
        sink.write(RecordBatch.ofRows("later_" + declared, SCHEMA, List.of()));
        declared++;
      } catch (IllegalArgumentException e) {
        refusal = e.getMessage();
      }
    }

    assertThat(refusal)
        .startsWith("write of \"later_" + declared + "\": memory_limit_mib 4 is too little for ")
        .contains((declared + 1) + " resources of format ndjson;")
        .contains("the least that would do is 5");
    assertThat(sink.commit().resources()).hasSize(declared);
    sink.close();
  }

  @Test
  void aWriteThatCanNeverHaveItsMemoryFails() throws IOException {
    // Neither resource ever has the 5 MiB from which on a part may be sent.
    S3Sink sink = S3Sink.builder(config("ndjson", "none", 8)).store(store).build();
    sink.open(run(2));

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                sink.write(RecordBatch.ofRows("resource_" + i % 2, SCHEMA, rows(2000)));
              }
            })
        .isInstanceOf(SinkException.class)
        .hasMessageMatching(
            "resource \"(resource_[01])\" \\(s3://lake/p/\\1/dt=2026-09-10/r.ndjson\\) needs .*")
        .hasMessageContaining("memory_limit_mib 8 is reached")
        .hasMessageContaining("by 2 resources");
    assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(8 * MIB);
    sink.abort();
    sink.close();
  }

  @Test
  void aRecordLargerThanWhatIsLeftGoesThroughOnceOthersAreOut() throws IOException {
    S3Sink sink =
        S3Sink.builder(config("parquet", "snappy", 40))
            .store(store)
            .partSizeBytes(KIB_PART)
            .build();
    sink.open(run(4));
    for (int i = 0; i < 120; i++) {
      sink.write(RecordBatch.ofRows("resource_" + i % 4, SCHEMA, rows(500)));
    }
    long before = sink.memory().heldBytes();
    String large = "x".repeat(9 << 20);

    sink.write(RecordBatch.ofRows("resource_0", SCHEMA, List.<Object[]>of(row(1, large))));

    assertThat(before).isGreaterThan(12 * MIB);
    assertThat(sink.commit().resources().get(0).rows()).isEqualTo(30 * 500 + 1);
    assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(40 * MIB);
    sink.close();
  }

  @Test
  void theSourceWaitsWhileTheStoreDoes() throws Exception {
    Waiting waiting = new Waiting();
    CompletableFuture<Void> written = waiting.write();

    waiting.awaitMemory();
    assertThat(written).isNotDone();
    assertThat(waiting.sink.memory().heldBytes()).isGreaterThan(3 * MIB);
    waiting.release();

    written.join();
    waiting.sink.commit();
    assertThat(waiting.sink.memory().peakBytes()).isLessThanOrEqualTo(6 * MIB);
    assertThat(waiting.sink.memory().waitCount()).isPositive();
    waiting.sink.close();
  }

  @Test
  void abortWakesAWriteThatWaitsForMemory() throws Exception {
    Waiting waiting = new Waiting();
    CompletableFuture<Void> written = waiting.write();
    waiting.awaitMemory();

    waiting.sink.abort();

    assertThatThrownBy(written::join).hasStackTraceContaining("run \"r\" was aborted");
    assertThat(store.openUploads()).isEmpty();
    waiting.sink.close();
  }

  @Test
  void anInterruptWakesAWriteThatWaitsForMemory() throws Exception {
    Waiting waiting = new Waiting();
    CompletableFuture<Void> written = waiting.write();
    waiting.awaitMemory();

    waiting.writer.get().interrupt();

    assertThatThrownBy(written::join)
        .hasRootCauseInstanceOf(InterruptedIOException.class)
        .hasStackTraceContaining(
            "\"resource_0\" (s3://lake/p/resource_0/dt=2026-09-10/r.ndjson) waited for memory");
    assertThat(waiting.flagWasKept).isTrue();
    waiting.sink.abort();
    assertThat(store.openUploads()).isEmpty();
    waiting.sink.close();
  }

  @Test
  void defaultIsAQuarterOfTheHeapAndAtLeast64() {
    assertThat(S3SinkConfig.defaultMemoryLimitMib(24 * MIB)).isEqualTo(64);
    assertThat(S3SinkConfig.defaultMemoryLimitMib(256 * MIB)).isEqualTo(64);
    assertThat(S3SinkConfig.defaultMemoryLimitMib(4096 * MIB)).isEqualTo(1024);
    assertThat(S3SinkConfig.defaultMemoryLimitMib(Long.MAX_VALUE)).isEqualTo(1_048_576);
    assertThat(S3SinkConfig.fromMap(Map.of("bucket", "lake")).memoryLimitMib())
        .isEqualTo(S3SinkConfig.defaultMemoryLimitMib(Runtime.getRuntime().maxMemory()));
  }

  /** A run whose parts are all waiting for the store, more of them than memory holds. */
  private final class Waiting {

    private static final int HANGING = 32;

    final FaultyObjectStore hanging = new FaultyObjectStore(store);
    final List<FaultyObjectStore.Hang> hangs = new ArrayList<>();
    final AtomicReference<Thread> writer = new AtomicReference<>();
    final S3Sink sink;
    volatile boolean flagWasKept;

    Waiting() throws IOException {
      for (int i = 1; i <= HANGING; i++) {
        hangs.add(hanging.hang(Operation.PART, i));
      }
      Map<String, Object> config = new HashMap<>(config("ndjson", "none", 6).toMap());
      config.put("upload_concurrency", 32);
      sink =
          S3Sink.builder(S3SinkConfig.fromMap(config))
              .store(hanging)
              .partSizeBytes(KIB_PART)
              .build();
      sink.open(run(1));
    }

    CompletableFuture<Void> write() {
      return CompletableFuture.runAsync(
          () -> {
            writer.set(Thread.currentThread());
            try {
              for (int i = 0; i < 8; i++) {
                sink.write(RecordBatch.ofRows("resource_0", SCHEMA, rows(2000)));
              }
            } catch (IOException e) {
              flagWasKept = Thread.interrupted();
              throw new UncheckedIOException(e);
            }
          });
    }

    void awaitMemory() {
      while (sink.memory().waitCount() == 0) {
        Thread.onSpinWait();
      }
    }

    void release() {
      hangs.forEach(FaultyObjectStore.Hang::release);
    }
  }

  private static int least(String message) {
    Matcher matcher = Pattern.compile("the least that would do is (\\d+)").matcher(message);
    assertThat(matcher.find()).isTrue();
    return Integer.parseInt(matcher.group(1));
  }

  private static S3SinkConfig config(String format, String compression, int limitMib) {
    return S3SinkConfig.fromMap(
        Map.of(
            "bucket",
            "lake",
            "prefix",
            "p",
            "file_format",
            format,
            "compression",
            compression,
            "memory_limit_mib",
            limitMib));
  }

  private static RunSpec run(int resources) {
    RunSpec.Builder run = RunSpec.builder("r").startedAt(Instant.parse("2026-09-10T02:00:00Z"));
    for (int i = 0; i < resources; i++) {
      run.resource("resource_" + i, SCHEMA);
    }
    return run.build();
  }

  /** Returns rows of some 500 bytes that can hardly be compressed. */
  private static List<Object[]> rows(int count) {
    Random random = new Random(count);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] text = new byte[480];
      for (int j = 0; j < text.length; j++) {
        text[j] = (byte) (' ' + 1 + random.nextInt(90));
      }
      rows.add(row(i, new String(text, StandardCharsets.US_ASCII)));
    }
    return rows;
  }

  private static Object[] row(long id, String text) {
    return new Object[] {id, text};
  }

  private interface Writing {
    void write(int thread) throws IOException;
  }

  private static void inThreads(int count, Writing writing) {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int thread = i;
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    writing.write(thread);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                },
                threads));
      }
      all.forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }
  }
}
