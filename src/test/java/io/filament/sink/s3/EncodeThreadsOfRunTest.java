package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that compress live no longer than their run. */
@Timeout(60)
class EncodeThreadsOfRunTest {

  private static final Schema SCHEMA = Schema.builder().required("text", FieldType.STRING).build();

  /** Some 5 MiB. */
  private static final int MANY_ROWS = 5 * 1024;

  private static final long END_MILLIS = 10_000;

  private S3Sink sink = sink(Map.of("compression", "gzip", "encode_threads", 3));

  private static S3Sink sink(Map<String, Object> settings) {
    Map<String, Object> config = new HashMap<>(settings);
    config.put("bucket", "lake");
    return S3Sink.builder(S3SinkConfig.fromMap(config))
        .store(InMemoryObjectStore.withFullSizeParts("lake"))
        .build();
  }

  @Test
  void aCommitEndsThem() throws Exception {
    List<Thread> seen = new ArrayList<>();
    inOwnGroup(
        () -> {
          open();
          write(MANY_ROWS);
          seen.addAll(encodeThreads());
          sink.commit();
        });
    assertEnded(seen);
  }

  @Test
  void anAbortEndsThem() throws Exception {
    List<Thread> seen = new ArrayList<>();
    inOwnGroup(
        () -> {
          open();
          write(MANY_ROWS);
          seen.addAll(encodeThreads());
          sink.abort();
        });
    assertEnded(seen);
  }

  @Test
  void theyEncodeParquetAndEndWithTheRun() throws Exception {
    List<Thread> seen = new ArrayList<>();
    List<String> checksums = new ArrayList<>();
    inOwnGroup(
        () -> {
          for (int threads : new int[] {1, 3}) {
            sink = sink(Map.of("file_format", "parquet", "encode_threads", threads));
            open();
            write(4 * MANY_ROWS); // more than a row group
            assertThat(encodeThreads().isEmpty()).isEqualTo(threads == 1);
            seen.addAll(encodeThreads());
            checksums.add(sink.commit().resources().get(0).crc32c());
          }
        });
    assertThat(checksums.get(1)).isEqualTo(checksums.get(0));
    assertEnded(seen);
  }

  @Test
  void theyCompressAZstandardFrameWhoseBytesAreThoseOfOneThread() throws Exception {
    List<Thread> seen = new ArrayList<>();
    List<String> checksums = new ArrayList<>();
    inOwnGroup(
        () -> {
          for (int threads = 1; threads <= 8; threads++) {
            sink = sink(Map.of("compression", "zstd", "encode_threads", threads));
            open();
            write(MANY_ROWS);
            assertThat(encodeThreads().isEmpty()).isEqualTo(threads == 1);
            seen.addAll(encodeThreads());
            checksums.add(sink.commit().resources().get(0).crc32c());
          }
        });
    assertThat(checksums).hasSize(8).containsOnly(checksums.get(0));
    assertEnded(seen);
  }

  @Test
  void smallObjectsStartNone() throws Exception {
    inOwnGroup(
        () -> {
          open();
          write(10);
          assertThat(encodeThreads()).isEmpty();
          sink.commit();
          assertThat(encodeThreads()).isEmpty();
        });
  }

  private void open() throws IOException {
    sink.open(RunSpec.builder("run").startedAt(Instant.EPOCH).build());
  }

  private void write(int rows) throws IOException {
    List<Object[]> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      values.add(new Object[] {Integer.toString(i).repeat(1024).substring(0, 1024)});
    }
    sink.write(RecordBatch.ofRows("things", SCHEMA, values));
  }

  private static void assertEnded(List<Thread> threads) throws InterruptedException {
    assertThat(threads).isNotEmpty();
    for (Thread thread : threads) {
      thread.join(END_MILLIS); // it may be in its last steps
      assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }
  }

  private static List<Thread> encodeThreads() {
    Thread[] all = new Thread[64];
    int count = Thread.currentThread().getThreadGroup().enumerate(all);
    return Arrays.stream(Arrays.copyOf(all, count))
        .filter(thread -> thread.getName().startsWith("filament-s3-encode-"))
        .toList();
  }

  private interface Body {

    void run() throws Exception;
  }

  /** Threads belong to the group of the one that starts them, so no other test's are seen. */
  private static void inOwnGroup(Body body) throws Exception {
    Throwable[] thrown = new Throwable[1];
    Thread thread =
        new Thread(
            new ThreadGroup("own"),
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                thrown[0] = e;
              }
            },
            "body");
    thread.start();
    thread.join();
    if (thrown[0] != null) {
      throw new AssertionError(thrown[0]);
    }
  }
}
