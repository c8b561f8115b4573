package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One external table over all runs of a resource, with the partition as a column. */
class HivePartitionsTest extends WithBucket {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "ndjson, none, read_json, .ndjson",
    "ndjson, gzip, read_json, .ndjson.gz",
    "ndjson, zstd, read_json, .ndjson.zst",
    "jsonl, none, read_json, .jsonl",
    "json, none, read_json, .json",
    "json, gzip, read_json, .json.gz",
    "parquet, snappy, read_parquet, .parquet",
    "parquet, zstd, read_parquet, .parquet"
  })
  void runsOfTwoDaysAreOneTable(String format, String compression, String reader, String extension)
      throws IOException, SQLException {
    Object[] settings = {"prefix", "p", "file_format", format, "compression", compression};
    publishAndClose(bucket.sink(settings), run("one").build(), people("accounts"));
    publishAndClose(
        bucket.sink(settings),
        run("two").startedAt(Instant.parse("2026-09-11T00:00:00Z")).build(),
        people("accounts"),
        people("accounts"));

    try (Duck duck = new Duck(directory)) {
      duck.fetchAll(bucket);
      String files = directory.resolve("p/accounts/*/*" + extension).toString();
      String from = " FROM " + reader + "('" + files + "', hive_partitioning = true)";
      assertThat(duck.texts("SELECT dt, count(*), sum(id)" + from + " GROUP BY dt ORDER BY dt"))
          .containsExactly(List.of("2026-09-10", "2", "3"), List.of("2026-09-11", "4", "6"));
      assertThat(duck.texts("SELECT DISTINCT name" + from + " WHERE name IS NOT NULL"))
          .containsExactly(List.of("Ada"));
    }
  }
}
