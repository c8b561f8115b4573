package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of more resources than a heap could hold if each kept what it once needed. */
class ManyResourcesTest {

  @ParameterizedTest
  @CsvSource({"ndjson, none", "ndjson, gzip", "parquet, snappy"})
  void aThousandResourcesInTurnsNeedHalfAGibibyte(String format, String compression)
      throws Exception {
    String output = run("-Xmx512m", format, compression, "1000", "10", "10", "20", "8");

    assertThat(output).contains("1000 objects, 200000 rows").endsWith("done\n");
  }

  @ParameterizedTest
  @CsvSource({"ndjson, none", "parquet, snappy"})
  void fiveThousandResourcesNeedAGibibyte(String format, String compression) throws Exception {
    String output = run("-Xmx1g", format, compression, "5000", "10", "2", "10", "8");

    assertThat(output).contains("5000 objects, 100000 rows").endsWith("done\n");
  }

  /** The limit is of what is counted; what is not counted must be small beside it. */
  @Test
  void theHeapIsLittleMoreThanTheLimit() throws Exception {
    String output = run("-Xmx40m", "parquet", "snappy", "20", "10", "40", "150", "2", "20");

    assertThat(output).contains("20 objects, 120000 rows").endsWith("done\n");
  }

  private static String run(String heap, String... plan) throws Exception {
    return ChildJvm.run(
            ManyResources.class, ChildJvm.classPath(), List.of(heap, "-XX:+UseSerialGC"), plan)
        .output();
  }
}
