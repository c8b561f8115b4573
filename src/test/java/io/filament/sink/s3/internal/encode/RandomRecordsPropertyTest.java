package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Column;
import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.encode.JsonReader.JsonNumber;
import io.filament.sink.s3.internal.encode.RandomRecords.Sample;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records of random schemas are read back as they were given, through every door. */
class RandomRecordsPropertyTest {

  private static final int ROUNDS = 200;

  @Test
  void whatIsReadIsWhatWasGiven() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    RandomRecords records = new RandomRecords(random);
    for (int round = 0; round < ROUNDS; round++) {
      Schema schema = records.schema(3);
      List<Object[]> rows = new ArrayList<>();
      List<Object> expected = new ArrayList<>();
      int count = random.nextInt(30);
      for (int row = 0; row < count; row++) {
        fill(records, schema, rows, expected);
      }
      String origin = "seed " + seed + ", round " + round + ", " + schema;
      byte[] lines =
          Encoding.object(Encoding.NDJSON, schema, RecordBatch.ofRows("things", schema, rows));
      check(expected, JsonReader.readAll(lines), origin);
      byte[] array =
          Encoding.object(
              Encoding.JSON, schema, RecordBatch.ofMaps("things", schema, maps(schema, rows)));
      check(List.of(expected), JsonReader.readAll(array), origin);
      assertThat(Encoding.object(Encoding.NDJSON, schema, columns(schema, rows)))
          .as(origin)
          .isEqualTo(lines);
      checkParquet(schema, rows, lines, origin);
    }
  }

  private static void checkParquet(
      Schema schema, List<Object[]> rows, byte[] lines, String origin) {
    ObjectFormat format = new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY);
    byte[] object = Encoding.object(format, schema, RecordBatch.ofRows("things", schema, rows));
    assertThat(new ParquetFile(object).ndjson(schema))
        .as(origin)
        .isEqualTo(new String(lines, StandardCharsets.UTF_8));
  }

  private static void fill(
      RandomRecords records, Schema schema, List<Object[]> rows, List<Object> expected) {
    List<Object> row = new ArrayList<>();
    Map<String, Object> read = new LinkedHashMap<>();
    for (Field field : schema.fields()) {
      Sample sample = records.sample(field);
      row.add(sample.value());
      read.put(field.name(), sample.read());
    }
    rows.add(row.toArray());
    expected.add(read);
  }

  private static List<Map<String, ?>> maps(Schema schema, List<Object[]> rows) {
    List<Map<String, ?>> maps = new ArrayList<>();
    for (Object[] row : rows) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = row.length - 1; i >= 0; i--) {
        if (row[i] != null) {
          map.put(schema.fields().get(i).name(), row[i]);
        }
      }
      maps.add(map);
    }
    return maps;
  }

  private static RecordBatch columns(Schema schema, List<Object[]> rows) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      int field = i;
      columns.add(Column.ofObjects(rows.stream().map(row -> row[field]).toArray()));
    }
    return RecordBatch.ofColumns("things", schema, rows.size(), columns);
  }

  private static void check(Object expected, Object read, String origin) {
    if (expected instanceof Map<?, ?> map) {
      assertThat(read).as(origin).isInstanceOf(Map.class);
      Map<?, ?> object = (Map<?, ?>) read;
      assertThat(new ArrayList<Object>(object.keySet()))
          .as(origin)
          .isEqualTo(new ArrayList<Object>(map.keySet()));
      map.forEach((name, value) -> check(value, object.get(name), origin));
    } else if (expected instanceof List<?> list) {
      assertThat(read).as(origin).isInstanceOf(List.class);
      List<?> array = (List<?>) read;
      assertThat(array).as(origin).hasSameSizeAs(list);
      for (int i = 0; i < list.size(); i++) {
        check(list.get(i), array.get(i), origin);
      }
    } else if (expected instanceof Number) {
      assertThat(read).as(origin).isInstanceOf(JsonNumber.class);
      assertThat(number(expected, ((JsonNumber) read).text())).as(origin).isEqualTo(expected);
    } else {
      assertThat(read).as(origin).isEqualTo(expected);
    }
  }

  /** Reads a number as what was given, each exactly. */
  private static Object number(Object expected, String text) {
    if (expected instanceof Double) {
      return Double.valueOf(text);
    }
    return expected instanceof Float ? Float.valueOf(text) : new BigDecimal(text);
  }
}
