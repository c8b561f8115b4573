package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How each type is stored in Parquet, as another engine reads the footer. */
class ParquetSchemaTest extends WithBucket {

  @TempDir Path directory;

  private Duck duck;
  private String file;

  @BeforeEach
  void publish() throws IOException, SQLException {
    publishAndClose(
        bucket.sink("file_format", "parquet"),
        run().build(),
        Runs.batch("r", AllTypes.SCHEMA, AllTypes.full(), AllTypes.nulls()));
    duck = new Duck(directory);
    file = duck.fetch(bucket, "r/dt=2026-09-10/" + RUN_ID + ".parquet");
  }

  @AfterEach
  void closeDuck() throws SQLException {
    duck.close();
  }

  private List<String> column(String name) throws SQLException {
    return duck.texts(
            "SELECT type, coalesce(logical_type, converted_type, '') FROM parquet_schema('"
                + file
                + "') WHERE name = '"
                + name
                + "'")
        .get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "flag, BOOLEAN, ''",
    "small, INT32, Int",
    "medium, INT32, ''",
    "id, INT64, ''",
    "real4, FLOAT, ''",
    "real8, DOUBLE, ''",
    "dec9, INT32, Decimal",
    "dec18, INT64, Decimal",
    "dec38, FIXED_LEN_BYTE_ARRAY, Decimal",
    "any, BYTE_ARRAY, String",
    "text, BYTE_ARRAY, String",
    "doc, BYTE_ARRAY, String",
    "raw, BYTE_ARRAY, ''",
    "day, INT32, Date",
    "clock, INT64, Time",
    "local, INT64, Timestamp",
    "instant, INT64, Timestamp",
    "uuid, BYTE_ARRAY, String"
  })
  void columnHasThisTypeAndMeaning(String name, String type, String meaning) throws SQLException {
    assertThat(column(name).get(0)).isEqualTo(type);
    assertThat(column(name).get(1)).containsIgnoringCase(meaning);
  }

  @Test
  void plainBytesHaveNoMeaning() throws SQLException {
    assertThat(column("raw").get(1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"clock, false", "local, false", "instant, true"})
  void timesSayWhetherTheyAreUtc(String name, boolean utc) throws SQLException {
    assertThat(column(name).get(1))
        .contains("isAdjustedToUTC=" + (utc ? "1" : "0"))
        .contains("MICROS=MicroSeconds");
  }

  @Test
  void requiredFieldsAreRequiredAndTheOthersOptional() throws SQLException {
    assertThat(duck.texts("SELECT name, repetition_type FROM parquet_schema('" + file + "')"))
        .contains(
            List.of("id", "REQUIRED"), List.of("text", "OPTIONAL"), List.of("city", "REQUIRED"));
  }

  @Test
  void listsHaveThreeLevels() throws SQLException {
    List<List<String>> schema =
        duck.texts(
            "SELECT name, repetition_type, converted_type FROM parquet_schema('" + file + "')");
    int list = schema.indexOf(List.of("ints", "OPTIONAL", "LIST"));

    assertThat(list).isNotNegative();
    assertThat(schema.get(list + 1).subList(0, 2)).containsExactly("list", "REPEATED");
    assertThat(schema.get(list + 2).subList(0, 2)).containsExactly("element", "OPTIONAL");
  }

  @Test
  void columnsAreInTheOrderOfTheSchemaAndHaveItsTypes() throws SQLException {
    List<List<String>> columns =
        duck.texts("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '" + file + "')");

    assertThat(columns)
        .extracting(column -> column.get(0))
        .containsExactlyElementsOf(AllTypes.SCHEMA.fields().stream().map(f -> f.name()).toList());
    assertThat(columns)
        .contains(
            List.of("small", "SMALLINT"),
            List.of("dec38", "DECIMAL(38,10)"),
            List.of("clock", "TIME"),
            List.of("instant", "TIMESTAMP WITH TIME ZONE"),
            List.of("lists", "VARCHAR[][]"),
            List.of("counts", "MAP(VARCHAR, BIGINT)"),
            List.of("address", "STRUCT(city VARCHAR, since DATE, amount DECIMAL(19,2))"));
  }

  @Test
  void statisticsOfDoublesHoldNoNan() throws IOException, SQLException {
    Schema schema = Schema.builder().nullable("d", FieldType.FLOAT64).build();
    publishAndClose(
        bucket.sink("file_format", "parquet"),
        run("nan").build(),
        Runs.batch(
            "r", schema, Runs.row(Double.NaN), Runs.row(-0.0), Runs.row(0.0), Runs.row(1.0)));
    String nan = duck.fetch(bucket, "r/dt=2026-09-10/nan.parquet");

    for (String bound :
        duck.texts("SELECT stats_min_value, stats_max_value FROM parquet_metadata('" + nan + "')")
            .get(0)) {
      assertThat(String.valueOf(bound)).doesNotContainIgnoringCase("nan");
    }
    assertThat(duck.rows("SELECT count(*) FROM '" + nan + "' WHERE d = 0.0"))
        .containsExactly(List.of(2L));
    assertThat(duck.rows("SELECT count(*) FROM '" + nan + "' WHERE d >= 1.0"))
        .containsExactly(List.of(2L));
  }
}
