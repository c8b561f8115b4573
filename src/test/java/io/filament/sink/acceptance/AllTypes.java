package io.filament.sink.acceptance;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** A schema with every type, nested ones too, and rows for it. */
final class AllTypes {

  static final Schema ADDRESS =
      Schema.builder()
          .required("city", FieldType.STRING)
          .nullable("since", FieldType.DATE)
          .nullable("amount", FieldType.decimal(19, 2))
          .build();

  static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .nullable("flag", FieldType.BOOLEAN)
          .nullable("small", FieldType.INT16)
          .nullable("medium", FieldType.INT32)
          .nullable("real4", FieldType.FLOAT32)
          .nullable("real8", FieldType.FLOAT64)
          .nullable("dec9", FieldType.decimal(9, 2))
          .nullable("dec18", FieldType.decimal(18, 4))
          .nullable("dec38", FieldType.decimal(38, 10))
          .nullable("any", FieldType.NUMERIC)
          .nullable("text", FieldType.STRING)
          .nullable("doc", FieldType.JSON)
          .nullable("raw", FieldType.BYTES)
          .nullable("day", FieldType.DATE)
          .nullable("clock", FieldType.TIME)
          .nullable("local", FieldType.TIMESTAMP)
          .nullable("instant", FieldType.TIMESTAMPTZ)
          .nullable("uuid", FieldType.UUID)
          .nullable("ints", FieldType.list(FieldType.INT32))
          .nullable("lists", FieldType.list(FieldType.list(FieldType.STRING)))
          .nullable("address", FieldType.struct(ADDRESS))
          .nullable("addresses", FieldType.list(FieldType.struct(ADDRESS)))
          .nullable("counts", FieldType.map(FieldType.STRING, FieldType.INT64))
          .nullable("places", FieldType.map(FieldType.INT32, FieldType.struct(ADDRESS)))
          .build();

  private AllTypes() {}

  /** Returns a row with a value in each field. */
  static Object[] full() {
    Map<String, Object> bonn = new LinkedHashMap<>();
    bonn.put("amount", new BigDecimal("1.00"));
    bonn.put("city", "Bonn");
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("b", 2L);
    counts.put("a", null);
    return Runs.row(
        1L,
        true,
        (short) -32_768,
        2_147_483_647,
        0.5f,
        -1.25e-3,
        new BigDecimal("-1234567.89"),
        new BigDecimal("12345678901234.5678"),
        new BigDecimal("1234567890123456789012345678.0123456789"),
        "123456789012345678901234567890123456789012345.5",
        "héllo",
        "{\"k\": [1, null]}",
        new byte[] {0, 1, (byte) 0xfe},
        LocalDate.parse("2026-09-10"),
        LocalTime.parse("12:34:56.789012"),
        LocalDateTime.parse("2026-09-10T02:00:00.123456"),
        Instant.parse("2026-09-10T02:00:00.123456Z"),
        UUID.fromString("cc7332f3-7abc-5f37-984d-9815634f1d7f"),
        Arrays.asList(1, null, 2),
        Arrays.asList(List.of(), Arrays.asList("x", null), null),
        bonn,
        Arrays.asList(Runs.row("Köln", LocalDate.parse("1969-12-31"), null), null),
        counts,
        Map.of(-5, Runs.row("Ulm", null, null)));
  }

  /** Returns a row with nothing but an id. */
  static Object[] nulls() {
    Object[] row = new Object[SCHEMA.fields().size()];
    row[0] = 2L;
    return row;
  }

  /** Returns a row whose nested values are there but empty. */
  static Object[] empties() {
    Object[] row = nulls();
    row[0] = 3L;
    row[SCHEMA.indexOf("text")] = "";
    row[SCHEMA.indexOf("raw")] = new byte[0];
    row[SCHEMA.indexOf("ints")] = new int[0];
    row[SCHEMA.indexOf("lists")] = List.of();
    row[SCHEMA.indexOf("addresses")] = new Object[0];
    row[SCHEMA.indexOf("counts")] = Map.of();
    row[SCHEMA.indexOf("places")] = Map.of();
    return row;
  }

  /** Returns the full row as DuckDB prints it from Parquet. */
  static List<String> fullAsDuckPrints() {
    return Stream.of(
            "1|true|-32768|2147483647|0.5|-0.00125|-1234567.89|12345678901234.5678",
            "1234567890123456789012345678.0123456789",
            "123456789012345678901234567890123456789012345.5",
            "héllo|{\"k\":[1,null]}|\\x00\\x01\\xFE|2026-09-10|12:34:56.789012",
            "2026-09-10 02:00:00.123456|2026-09-10 02:00:00.123456+00",
            "cc7332f3-7abc-5f37-984d-9815634f1d7f|[1, NULL, 2]|[[], [x, NULL], NULL]",
            "{'city': Bonn, 'since': NULL, 'amount': 1.00}",
            "[{'city': Köln, 'since': 1969-12-31, 'amount': NULL}, NULL]",
            "{b=2, a=NULL}|{-5={'city': Ulm, 'since': NULL, 'amount': NULL}}")
        .flatMap(texts -> Stream.of(texts.split("\\|")))
        .toList();
  }

  /** Returns the full row as JSON. */
  static String fullAsJson() {
    return """
        {"id":1,"flag":true,"small":-32768,"medium":2147483647,"real4":0.5,"real8":-0.00125,
        "dec9":-1234567.89,"dec18":12345678901234.5678,
        "dec38":1234567890123456789012345678.0123456789,
        "any":123456789012345678901234567890123456789012345.5,
        "text":"héllo","doc":{"k":[1,null]},"raw":"AAH+","day":"2026-09-10",
        "clock":"12:34:56.789012","local":"2026-09-10T02:00:00.123456",
        "instant":"2026-09-10T02:00:00.123456Z","uuid":"cc7332f3-7abc-5f37-984d-9815634f1d7f",
        "ints":[1,null,2],"lists":[[],["x",null],null],
        "address":{"city":"Bonn","since":null,"amount":1.00},
        "addresses":[{"city":"Köln","since":"1969-12-31","amount":null},null],
        "counts":{"b":2,"a":null},
        "places":{"-5":{"city":"Ulm","since":null,"amount":null}}}
        """;
  }
}
