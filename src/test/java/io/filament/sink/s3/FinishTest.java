package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resources that a host says are complete before it commits. */
@Timeout(60)
class FinishTest {

  private static final long MIB = 1 << 20;
  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();

  private final InMemoryObjectStore store = InMemoryObjectStore.withPartsOfAtLeast("lake", 1);

  @ParameterizedTest
  @CsvSource({
    "ndjson, none",
    "ndjson, gzip",
    "json, zstd",
    "json, none",
    "parquet, snappy",
    "parquet, gzip"
  })
  void aFinishedResourceHasTheBytesThatCommitGivesIt(String format, String compression)
      throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (boolean early : new boolean[] {true, false}) {
      InMemoryObjectStore each = InMemoryObjectStore.withPartsOfAtLeast("lake", 1);
      try (S3Sink sink = sink(each, format, compression, 64 * MIB)) {
        sink.open(run("accounts", "orders", "nothing"));
        for (String resource : List.of("accounts", "orders")) {
          sink.write(batch(resource, 700));
          sink.write(batch(resource, 300));
          if (early) {
            sink.finish(resource);
          }
        }
        if (early) {
          sink.finish("nothing");
        }
        RunManifest manifest = sink.commit();
        assertThat(manifest.resources())
            .extracting(RunManifest.Entry::rows)
            .containsExactly(1000L, 0L, 1000L);
        manifest.resources().forEach(entry -> contents.add(each.content(entry.key())));
      }
    }

    assertThat(contents.subList(0, 3)).usingRecursiveComparison().isEqualTo(contents.subList(3, 6));
  }

  @Test
  void nothingIsVisibleBeforeTheCommit() throws IOException {
    try (S3Sink sink = sink(store, "ndjson", "none", 64 * MIB)) {
      sink.open(run("accounts"));
      sink.write(batch("accounts", 10));
      sink.finish("accounts");

      assertThat(store.keys()).isEmpty();
      assertThat(sink.commit().resources()).hasSize(1);
    }
  }

  @Test
  void aFinishedResourceTakesNoMoreBatchesAndTheRunGoesOn() throws IOException {
    try (S3Sink sink = sink(store, "ndjson", "none", 64 * MIB)) {
      sink.open(run("accounts"));
      sink.write(batch("accounts", 10));
      sink.finish("accounts");

      assertThatThrownBy(() -> sink.write(batch("accounts", 1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("\"accounts\"")
          .hasMessageContaining("finished");
      sink.write(batch("orders", 2));
      sink.finish("accounts");
      assertThat(sink.commit().resources())
          .extracting(RunManifest.Entry::rows)
          .containsExactly(10L, 2L);
    }
  }

  @Test
  void anUnknownResourceIsNotFinishedAndTheRunGoesOn() throws IOException {
    try (S3Sink sink = sink(store, "ndjson", "none", 64 * MIB)) {
      sink.open(run("accounts"));

      assertThatThrownBy(() -> sink.finish("orders"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"r\"")
          .hasMessageContaining("\"orders\"");
      assertThatThrownBy(() -> sink.finish(null)).isInstanceOf(NullPointerException.class);
      assertThat(sink.commit().resources()).hasSize(1);
    }
  }

  @Test
  void nothingIsFinishedWithoutAnOpenRun() throws IOException {
    try (S3Sink sink = sink(store, "ndjson", "none", 64 * MIB)) {
      assertThatThrownBy(() -> sink.finish("accounts"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no run is open");
      sink.open(run("accounts"));
      sink.commit();
      assertThatThrownBy(() -> sink.finish("accounts"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("committed");
    }
  }

  @Test
  void aFinishThatFailsFailsTheRun() throws IOException {
    FaultyObjectStore faulty = new FaultyObjectStore(store).fail(Operation.PART, 2);
    try (S3Sink sink =
        S3Sink.builder(config("ndjson", "none")).store(faulty).partSizeBytes(1 << 20).build()) {
      sink.open(run("accounts"));
      sink.write(batch("accounts", 4000));
      sink.finish("accounts"); // sends the last part, and does not wait for it

      assertThatThrownBy(sink::commit).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> sink.finish("accounts"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("failed");
      sink.abort();
      assertThat(store.keys()).isEmpty();
      assertThat(store.openUploads()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"ndjson, none", "ndjson, gzip", "json, zstd", "parquet, snappy"})
  void whatIsFinishedHoldsNoMoreThanItsBytes(String format, String compression) throws IOException {
    try (S3Sink sink = sink(store, format, compression, 64 * MIB)) {
      sink.open(run("accounts"));
      long before = sink.memory().heldBytes();
      sink.write(batch("accounts", 1000));
      sink.finish("accounts");
      long held = sink.memory().heldBytes() - before;

      long bytes = sink.commit().resources().get(0).bytes();
      assertThat(held).isLessThan(2 * bytes);
    }
  }

  /** A tenth of the bytes would fit; none of the objects has as much as a part. */
  @ParameterizedTest
  @CsvSource({"ndjson, none, false", "ndjson, gzip, true", "parquet, none, false"})
  void finishedResourcesAreSentWhenMemoryIsScarce(
      String format, String compression, boolean declared) throws IOException {
    int count = 100;
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = "resource_" + i;
    }
    try (S3Sink sink = sink(store, format, compression, 12 * MIB)) {
      sink.open(declared ? run(names) : run());
      for (String name : names) {
        sink.write(batch(name, 3000));
        sink.finish(name);
      }
      assertThat(store.keys()).isEmpty();
      RunManifest manifest = sink.commit();

      assertThat(manifest.resources()).hasSize(count);
      assertThat(manifest.resources().stream().mapToLong(RunManifest.Entry::bytes).sum())
          .isGreaterThan(7 * 12 * MIB);
      assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(12 * MIB);
      assertThat(store.calls(Operation.START)).isNotEmpty();
    }
  }

  /** The same without the hint: the objects stay whole until they fill the memory. */
  @Test
  void unfinishedResourcesFillTheMemory() throws IOException {
    try (S3Sink sink = sink(store, "ndjson", "none", 12 * MIB)) {
      sink.open(run());

      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  sink.write(batch("resource_" + i, 3000));
                }
              })
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("memory_limit_mib 12");
    }
  }

  private static S3Sink sink(
      InMemoryObjectStore store, String format, String compression, long limit) {
    return S3Sink.builder(config(format, compression)).store(store).memoryLimitBytes(limit).build();
  }

  private static S3SinkConfig config(String format, String compression) {
    return S3SinkConfig.fromMap(
        Map.of("bucket", "lake", "prefix", "p", "file_format", format, "compression", compression));
  }

  private static RunSpec run(String... resources) {
    RunSpec.Builder run = RunSpec.builder("r").startedAt(Instant.parse("2026-09-10T02:00:00Z"));
    for (String resource : resources) {
      run.resource(resource, SCHEMA);
    }
    return run.build();
  }

  /** Records of some 400 bytes that no codec makes much smaller. */
  private static RecordBatch batch(String resource, int count) {
    Random random = new Random(resource.hashCode() + count);
    List<Object[]> rows = new ArrayList<>();
    byte[] letters = new byte[400];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < letters.length; j++) {
        letters[j] = (byte) ('(' + random.nextInt(50));
      }
      rows.add(new Object[] {random.nextLong(), new String(letters, StandardCharsets.ISO_8859_1)});
    }
    return RecordBatch.ofRows(resource, SCHEMA, rows);
  }
}
