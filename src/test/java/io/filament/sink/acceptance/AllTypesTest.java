package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.batch;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every type, nested ones too, read back by DuckDB and by a JSON parser. */
class AllTypesTest extends WithBucket {

  private static final String PLACE = "r/dt=2026-09-10/" + RUN_ID;

  @TempDir Path directory;

  private static RecordBatch rows() {
    return batch("r", AllTypes.SCHEMA, AllTypes.full(), AllTypes.nulls(), AllTypes.empties());
  }

  private static List<String> names() {
    return AllTypes.SCHEMA.fields().stream().map(Field::name).toList();
  }

  @ParameterizedTest
  @MethodSource("io.filament.sink.acceptance.Form#parquet")
  void parquetIsReadEqual(Form form) throws IOException, SQLException {
    publishAndClose(bucket.sink(form.settings()), run().build(), rows());

    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, PLACE + ".parquet");
      List<List<String>> read = duck.texts("SELECT * FROM '" + file + "'");
      assertThat(read).hasSize(3);
      assertThat(read.get(0)).containsExactlyElementsOf(AllTypes.fullAsDuckPrints());
      assertThat(read.get(1).get(0)).isEqualTo("2");
      assertThat(read.get(1).subList(1, read.get(1).size())).containsOnlyNulls();
      assertEmptiesAreNoNulls(read.get(2));
    }
  }

  private static void assertEmptiesAreNoNulls(List<String> row) {
    List<String> names = names();
    assertThat(row.get(names.indexOf("text"))).isEmpty();
    assertThat(row.get(names.indexOf("raw"))).isEmpty();
    assertThat(row.get(names.indexOf("ints"))).isEqualTo("[]");
    assertThat(row.get(names.indexOf("lists"))).isEqualTo("[]");
    assertThat(row.get(names.indexOf("addresses"))).isEqualTo("[]");
    assertThat(row.get(names.indexOf("counts"))).isEqualTo("{}");
    assertThat(row.get(names.indexOf("places"))).isEqualTo("{}");
    assertThat(row.get(names.indexOf("address"))).isNull();
  }

  @ParameterizedTest
  @MethodSource("io.filament.sink.acceptance.Form#json")
  void jsonIsReadEqual(Form form) throws IOException {
    publishAndClose(bucket.sink(form.settings()), run().build(), rows());

    String text = form.text(bucket.bytes(PLACE + form.extension()));
    List<Map<String, Object>> read =
        form.format().equals("json")
            ? Json.objects(Json.parse(text))
            : text.lines().map(Json::object).toList();
    assertThat(read).hasSize(3);
    assertThat(read.get(0)).isEqualTo(Json.parse(AllTypes.fullAsJson()));
    assertThat(read.get(0).keySet()).containsExactlyElementsOf(names());
    Map<String, Object> nulls = read.get(1);
    assertThat(nulls.keySet()).containsExactlyElementsOf(names());
    assertThat(nulls.remove("id")).isEqualTo(new BigDecimal(2));
    assertThat(nulls.values()).containsOnlyNulls();
    assertThat(read.get(2))
        .containsEntry("ints", List.of())
        .containsEntry("addresses", List.of())
        .containsEntry("counts", Map.of())
        .containsEntry("raw", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Pacific/Auckland", "America/New_York"})
  void timesDoNotDependOnTheZoneOfTheJvm(String zone) throws IOException, SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      publishAndClose(bucket.sink("file_format", "parquet"), run().build(), rows());
      publishAndClose(bucket.sink("file_format", "ndjson"), run("json").build(), rows());
    } finally {
      TimeZone.setDefault(before);
    }

    List<Map<String, Object>> json = Json.records(bucket.bytes("r/dt=2026-09-10/json.ndjson"));
    assertThat(json.get(0)).isEqualTo(Json.parse(AllTypes.fullAsJson()));
    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, PLACE + ".parquet");
      assertThat(duck.texts("SELECT * FROM '" + file + "'").get(0))
          .containsExactlyElementsOf(AllTypes.fullAsDuckPrints());
    }
  }

  @Test
  void mapsGiveTheSameBytesAsRows() throws IOException {
    List<Map<String, ?>> maps =
        Arrays.asList(mapOf(AllTypes.full()), mapOf(AllTypes.nulls()), mapOf(AllTypes.empties()));
    for (String format : List.of("ndjson", "parquet")) {
      String rows =
          publishAndClose(
                  bucket.sink("file_format", format, "prefix", "rows"), run().build(), rows())
              .resources()
              .get(0)
              .crc32c();
      String fromMaps =
          publishAndClose(
                  bucket.sink("file_format", format, "prefix", "maps"),
                  run().build(),
                  RecordBatch.ofMaps("r", AllTypes.SCHEMA, maps))
              .resources()
              .get(0)
              .crc32c();
      assertThat(fromMaps).as(format).isEqualTo(rows);
      bucket.clear();
    }
  }

  /** Returns the record with its names in the opposite order, and without those that are null. */
  private static Map<String, Object> mapOf(Object[] row) {
    List<String> names = new ArrayList<>(names());
    Collections.reverse(names);
    Map<String, Object> map = new LinkedHashMap<>();
    for (String name : names) {
      Object value = row[AllTypes.SCHEMA.indexOf(name)];
      if (value != null) {
        map.put(name, value);
      }
    }
    return map;
  }

  @Test
  void nullStructAndStructOfNullsAndValuesAreThreeThings() throws IOException, SQLException {
    Schema inner = Schema.builder().nullable("d", FieldType.decimal(19, 2)).build();
    Schema schema = Schema.builder().nullable("s", FieldType.struct(inner)).build();
    publishAndClose(
        bucket.sink("file_format", "parquet"),
        run().build(),
        batch(
            "r",
            schema,
            Runs.row((Object) null),
            Runs.row(Map.of()),
            Runs.row((Object) Runs.row(new BigDecimal("1.00")))));

    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, PLACE + ".parquet");
      assertThat(duck.texts("SELECT s FROM '" + file + "'"))
          .containsExactly(
              Collections.singletonList(null), List.of("{'d': NULL}"), List.of("{'d': 1.00}"));
    }
  }

  @Test
  void nullsInListsAreKeptApart() throws IOException, SQLException {
    Schema schema = Schema.builder().nullable("l", FieldType.list(FieldType.INT64)).build();
    publishAndClose(
        bucket.sink("file_format", "parquet"),
        run().build(),
        batch(
            "r",
            schema,
            Runs.row(Arrays.asList(1L, null, 2L)),
            Runs.row(List.of()),
            Runs.row((Object) null),
            Runs.row(Collections.singletonList(null))));

    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, PLACE + ".parquet");
      assertThat(duck.texts("SELECT l FROM '" + file + "'"))
          .containsExactly(
              List.of("[1, NULL, 2]"),
              List.of("[]"),
              Collections.singletonList(null),
              List.of("[NULL]"));
    }
  }
}
