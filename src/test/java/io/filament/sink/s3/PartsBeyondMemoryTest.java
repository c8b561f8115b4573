package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent.PartStarted;
import io.filament.sink.s3.testing.ChecksumStore;
import io.filament.sink.s3.testing.ChildJvm;
import io.filament.sink.s3.testing.PrintedLogs;
import io.filament.sink.s3.testing.RecordedEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A part size that memory can't hold, on a store that wants equal parts. */
@Timeout(60)
class PartsBeyondMemoryTest {

  private static final long MIB = 1 << 20;
  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final int ROWS = 1000;
  private static final int BATCHES = 100;

  private final RecordedEvents events = new RecordedEvents();

  /** The least of both formats is below 8 MiB; each resource has some 12 MiB, and more at first. */
  @ParameterizedTest
  @CsvSource({
    "ndjson, 8, 16, 1, 5",
    "ndjson, 16, 5120, 2, 6",
    "ndjson, 32, 64, 4, 7",
    "parquet, 32, 64, 4, 6",
    "ndjson, 32, 64, 0, 5",
  })
  void eachResourceHasRoomForItsParts(
      String format, int limitMib, int partSizeMib, int declared, int loweredMib)
      throws IOException {
    S3SinkConfig config = config(format, limitMib, partSizeMib);
    int resources = Math.max(declared, 1);
    Random random = new Random(1);
    RunManifest manifest;
    try (S3Sink sink = S3Sink.builder(config).store(new ChecksumStore()).listener(events).build()) {
      sink.open(run(declared));
      write(sink, 1, random); // which has all of the memory to itself
      write(sink, resources, random);
      manifest = sink.commit();
      assertThat(sink.memory().peakBytes()).isLessThanOrEqualTo(limitMib * MIB);
    }

    assertThat(manifest.resources().stream().mapToLong(RunManifest.Entry::rows).sum())
        .isEqualTo((long) (resources + 1) * BATCHES * ROWS);
    for (int i = 0; i < resources; i++) {
      List<Long> sizes = partSizes("resource_" + i);
      assertThat(sizes).hasSizeGreaterThan(1);
      assertThat(sizes.subList(0, sizes.size() - 1)).containsOnly(loweredMib * MIB);
    }
  }

  /** In a JVM of its own, since only one binding of SLF4J is possible. */
  @Test
  void aPartSizeThatIsLoweredIsLoggedOncePerRun() throws Exception {
    ChildJvm.Result result =
        ChildJvm.run(
            PartsBeyondMemoryTest.class,
            ChildJvm.classPath(),
            List.of("-Dslf4j.provider=" + PrintedLogs.class.getName()));

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output().lines())
        .filteredOn(line -> line.contains("part_size_mib"))
        .containsExactly(
            PrintedLogs.MARK
                + "io.filament.sink.s3.RunRoom WARN run \"r\": parts have 6 MiB instead of the 5120"
                + " of part_size_mib, since memory_limit_mib 16 can't hold larger ones; so an object"
                + " of this run can have 60000 MiB at most, instead of 51200000");
  }

  /** Makes a run whose parts fit, and one whose parts don't. */
  public static void main(String[] arguments) throws IOException {
    for (int partSizeMib : new int[] {5, 5120}) {
      S3SinkConfig config = config("ndjson", 16, partSizeMib);
      try (S3Sink sink = S3Sink.builder(config).store(new ChecksumStore()).build()) {
        sink.open(run(2));
        write(sink, 2, new Random(1));
        sink.commit();
      }
    }
  }

  private static S3SinkConfig config(String format, int limitMib, int partSizeMib) {
    return S3SinkConfig.fromMap(
        Map.of(
            "bucket", "lake",
            "file_format", format,
            "compression", "none",
            "part_size_mib", partSizeMib,
            "memory_limit_mib", limitMib));
  }

  private static void write(S3Sink sink, int resources, Random random) throws IOException {
    for (int batch = 0; batch < BATCHES; batch++) {
      for (int i = 0; i < resources; i++) {
        sink.write(RecordBatch.ofRows("resource_" + i, SCHEMA, rows(random)));
      }
    }
  }

  private List<Long> partSizes(String resource) {
    return events.of(PartStarted.class).stream()
        .filter(event -> event.resource().equals(resource))
        .sorted((one, other) -> Integer.compare(one.number(), other.number()))
        .map(PartStarted::bytes)
        .toList();
  }

  private static RunSpec run(int resources) {
    RunSpec.Builder run = RunSpec.builder("r");
    for (int i = 0; i < resources; i++) {
      run.resource("resource_" + i, SCHEMA);
    }
    return run.build();
  }

  private static List<Object[]> rows(Random random) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = 0; j < 110; j++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      rows.add(new Object[] {random.nextLong(), text.toString()});
    }
    return rows;
  }
}
