package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What readers of earlier versions have found, they find in this one. The file is not compressed,
 * because the codecs' bytes may differ between machines.
 *
 * <p>A new version of parquet-java writes its own name and version into the file, if nothing else.
 * Look at what has changed, then write the file anew with {@code mvn test
 * -Dtest=ParquetGoldenFileTest -Dgolden.write=true}.
 */
final class ParquetGoldenFileTest {

  private static final Path GOLDEN = Path.of("src/test/resources/golden/v1");

  private final ParquetFile written =
      new ParquetFile(
          Encoding.object(
              new ObjectFormat(FileFormat.PARQUET, Compression.NONE),
              GoldenRecords.SCHEMA,
              GoldenRecords.batch("things")));

  @Test
  void theBytesAreThoseOfTheGoldenFile() throws IOException {
    if (Boolean.getBoolean("golden.write")) {
      Files.write(GOLDEN.resolve("types.parquet"), written.bytes());
    }

    assertThat(written.bytes()).isEqualTo(Files.readAllBytes(GOLDEN.resolve("types.parquet")));
  }

  @Test
  void theRecordsAreThoseOfTheGoldenFileOfJson() throws IOException {
    String lines = Files.readString(GOLDEN.resolve("types.ndjson"));

    assertThat(written.ndjson(GoldenRecords.SCHEMA)).isEqualTo(lines);
  }

  @Test
  void duckDbReadsEveryType(@TempDir Path directory) throws Exception {
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(written, directory)) {
      assertThat(duckDb.values("SELECT column_type FROM (DESCRIBE FROM $file)"))
          .containsExactly(
              "BIGINT",
              "BOOLEAN",
              "SMALLINT",
              "INTEGER",
              "FLOAT",
              "DOUBLE",
              "DECIMAL(9,2)",
              "DECIMAL(18,2)",
              "DECIMAL(38,10)",
              "VARCHAR",
              "VARCHAR",
              "VARCHAR",
              "BLOB",
              "DATE",
              "TIME",
              "TIMESTAMP",
              "TIMESTAMP WITH TIME ZONE",
              "VARCHAR",
              "INTEGER[]",
              "STRUCT(a VARCHAR, b DOUBLE[])",
              "MAP(VARCHAR, DATE)");
      assertThat(row(duckDb, 1))
          .containsExactly(
              "1",
              "true",
              "12",
              "34",
              "0.1",
              "169299987.25",
              "19.99",
              "-0.05",
              "1.0000000000",
              "1.50",
              "héllo \"日本\" 😀\n",
              "{\"b\":[1,2.50],\"a\":null}",
              "\\x00\\x01\\xFF\\xFE",
              "2026-09-10",
              "12:34:56.789012",
              "2026-09-10 02:00:00.123456",
              "2026-09-10 02:00:00+00",
              "cc7332f3-7abc-5f37-984d-9815634f1d7f",
              "[1, NULL, 3]",
              "{'a': x, 'b': [1.5, -0.0]}",
              "{first=2026-09-10, none=NULL}");
      assertThat(row(duckDb, 2).subList(1, GoldenRecords.SCHEMA.fields().size()))
          .containsOnlyNulls();
    }
  }

  private static List<Object> row(ParquetInDuckDb duckDb, int id) throws Exception {
    return duckDb.query("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM $file WHERE id = " + id).get(0);
  }
}
