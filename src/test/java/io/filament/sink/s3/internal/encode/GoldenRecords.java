package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A few records with a field of every type: ordinary values, nulls, and the ends of the ranges. */
final class GoldenRecords {

  static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .nullable("flag", FieldType.BOOLEAN)
          .nullable("small", FieldType.INT16)
          .nullable("medium", FieldType.INT32)
          .nullable("float", FieldType.FLOAT32)
          .nullable("double", FieldType.FLOAT64)
          .nullable("price", FieldType.decimal(9, 2))
          .nullable("amount", FieldType.decimal(18, 2))
          .nullable("total", FieldType.decimal(38, 10))
          .nullable("numeric", FieldType.NUMERIC)
          .nullable("text", FieldType.STRING)
          .nullable("json", FieldType.JSON)
          .nullable("bytes", FieldType.BYTES)
          .nullable("date", FieldType.DATE)
          .nullable("time", FieldType.TIME)
          .nullable("local", FieldType.TIMESTAMP)
          .nullable("instant", FieldType.TIMESTAMPTZ)
          .nullable("uuid", FieldType.UUID)
          .nullable("list", FieldType.list(FieldType.INT32))
          .nullable(
              "struct",
              FieldType.struct(
                  Schema.builder()
                      .nullable("a", FieldType.STRING)
                      .nullable("b", FieldType.list(FieldType.FLOAT64))
                      .build()))
          .nullable("map", FieldType.map(FieldType.STRING, FieldType.DATE))
          .build();

  private GoldenRecords() {}

  static RecordBatch batch(String resource) {
    List<Object[]> rows = new ArrayList<>();
    rows.add(ordinary());
    Object[] nulls = new Object[SCHEMA.fields().size()];
    nulls[0] = 2L;
    rows.add(nulls);
    rows.add(least());
    rows.add(most());
    return RecordBatch.ofRows(resource, SCHEMA, rows);
  }

  private static Object[] ordinary() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("first", LocalDate.of(2026, 9, 10));
    map.put("none", null);
    return new Object[] {
      1L,
      true,
      (short) 12,
      34,
      0.1f,
      169299987.25,
      new BigDecimal("19.99"),
      new BigDecimal("-0.05"),
      new BigDecimal("1"),
      new BigDecimal("1.50"),
      "héllo \"日本\" 😀\n",
      "{ \"b\" : [1, 2.50], \"a\": null }",
      new byte[] {0, 1, -1, -2},
      LocalDate.of(2026, 9, 10),
      LocalTime.of(12, 34, 56, 789_012_000),
      LocalDateTime.of(2026, 9, 10, 2, 0, 0, 123_456_000),
      Instant.parse("2026-09-10T02:00:00Z"),
      "CC7332F3-7ABC-5F37-984D-9815634F1D7F",
      Arrays.asList(1, null, 3),
      Map.of("a", "x", "b", List.of(1.5, -0.0)),
      map
    };
  }

  private static Object[] least() {
    return new Object[] {
      Long.MIN_VALUE,
      false,
      Short.MIN_VALUE,
      Integer.MIN_VALUE,
      Float.NEGATIVE_INFINITY,
      Double.NaN,
      new BigDecimal("-9999999.99"),
      new BigDecimal("-9999999999999999.99"),
      new BigDecimal("-9999999999999999999999999999.9999999999"),
      "-Infinity",
      "",
      "null",
      new byte[0],
      LocalDate.of(1, 1, 1),
      LocalTime.MIDNIGHT,
      LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
      Instant.parse("0001-01-01T00:00:00Z"),
      "00000000-0000-0000-0000-000000000000",
      List.of(),
      Map.of(),
      Map.of()
    };
  }

  private static Object[] most() {
    return new Object[] {
      Long.MAX_VALUE,
      true,
      Short.MAX_VALUE,
      Integer.MAX_VALUE,
      Float.MAX_VALUE,
      Double.MIN_VALUE,
      new BigDecimal("9999999.99"),
      new BigDecimal("9999999999999999.99"),
      new BigDecimal("9999999999999999999999999999.9999999999"),
      new BigDecimal("9.223372E+1010671858"),
      "\u0000\u001F\u007F\u2028\\/",
      "\"\\u00e9\"",
      new byte[] {127, -128},
      LocalDate.of(9999, 12, 31),
      LocalTime.of(23, 59, 59, 999_999_000),
      LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000),
      Instant.parse("9999-12-31T23:59:59.999999Z"),
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
      List.of(Integer.MIN_VALUE, Integer.MAX_VALUE),
      new Object[] {"", List.of()},
      Map.of("", LocalDate.EPOCH)
    };
  }
}
