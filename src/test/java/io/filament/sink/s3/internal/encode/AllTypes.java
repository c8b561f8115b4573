package io.filament.sink.s3.internal.encode;

import static io.filament.sink.FieldType.decimal;
import static io.filament.sink.FieldType.list;
import static io.filament.sink.FieldType.map;
import static io.filament.sink.FieldType.struct;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A few rows with every type, nested ones too, at the edges of what the types hold. */
final class AllTypes {

  /** The last microsecond of a day. */
  static final long LAST_MICRO_OF_DAY = 86_399_999_999L;

  /** 0001-01-01 and 9999-12-31. */
  static final long FIRST_DAY = -719_162;

  static final long LAST_DAY = 2_932_896;

  static final Schema SCHEMA =
      Schema.builder()
          .required("row", FieldType.INT32)
          .nullable("boolean", FieldType.BOOLEAN)
          .nullable("int16", FieldType.INT16)
          .nullable("int32", FieldType.INT32)
          .nullable("int64", FieldType.INT64)
          .nullable("float32", FieldType.FLOAT32)
          .nullable("float64", FieldType.FLOAT64)
          .nullable("decimal9", decimal(9, 2))
          .nullable("decimal18", decimal(18, 0))
          .nullable("decimal38", decimal(38, 38))
          .nullable("numeric", FieldType.NUMERIC)
          .nullable("string", FieldType.STRING)
          .nullable("json", FieldType.JSON)
          .nullable("bytes", FieldType.BYTES)
          .nullable("date", FieldType.DATE)
          .nullable("time", FieldType.TIME)
          .nullable("timestamp", FieldType.TIMESTAMP)
          .nullable("timestamptz", FieldType.TIMESTAMPTZ)
          .nullable("uuid", FieldType.UUID)
          .nullable("list", list(FieldType.INT64))
          .nullable(
              "struct",
              struct(
                  Schema.builder()
                      .required("x", FieldType.INT32)
                      .nullable("y", FieldType.STRING)
                      .build()))
          .nullable("map", map(FieldType.STRING, list(FieldType.FLOAT64)))
          .build();

  private AllTypes() {}

  static List<List<Object>> rows() {
    return List.of(row(0, lows()), row(1, highs()), row(2, nulls()), row(3, others()));
  }

  private static List<Object> lows() {
    return Arrays.asList(
        false,
        (long) Short.MIN_VALUE,
        (long) Integer.MIN_VALUE,
        Long.MIN_VALUE,
        Float.NEGATIVE_INFINITY,
        -Double.MAX_VALUE,
        nines(9).negate(),
        nines(18).negate(),
        nines(38).negate(),
        "-123456789012345678901234567890.5",
        "",
        "null",
        ByteBuffer.wrap(new byte[0]),
        FIRST_DAY,
        0L,
        FIRST_DAY * (LAST_MICRO_OF_DAY + 1),
        -1L,
        "00000000-0000-0000-0000-000000000000",
        List.of(),
        Arrays.asList(-1L, null),
        Map.of());
  }

  private static List<Object> highs() {
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("é", Arrays.asList(-0.0, null, Double.NaN));
    entries.put("", null);
    entries.put("z", List.of());
    return Arrays.asList(
        true,
        (long) Short.MAX_VALUE,
        (long) Integer.MAX_VALUE,
        Long.MAX_VALUE,
        Float.POSITIVE_INFINITY,
        Double.MAX_VALUE,
        nines(9),
        nines(18),
        nines(38),
        "Infinity",
        "a\u0000b 日本 \uD83D\uDE00",
        "{\"a\":[1,null]}",
        ByteBuffer.wrap(new byte[] {0, -1, 127, -128}),
        LAST_DAY,
        LAST_MICRO_OF_DAY,
        LAST_DAY * (LAST_MICRO_OF_DAY + 1) + LAST_MICRO_OF_DAY,
        1L,
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        Arrays.asList(1L, null, Long.MIN_VALUE),
        List.of(1L, "y"),
        entries);
  }

  private static List<Object> nulls() {
    return Collections.nCopies(SCHEMA.fields().size() - 1, null);
  }

  private static List<Object> others() {
    return Arrays.asList(
        true,
        -1L,
        -1L,
        9_007_199_254_740_993L,
        Float.NaN,
        -0.0,
        BigInteger.valueOf(-1),
        BigInteger.ZERO,
        BigInteger.ONE,
        "NaN",
        "\"\\\n",
        "1e400",
        ByteBuffer.wrap("text".getBytes(java.nio.charset.StandardCharsets.US_ASCII)),
        -1L,
        1L,
        -1L,
        0L,
        "123e4567-e89b-12d3-a456-426614174000",
        Collections.singletonList(null),
        null,
        null);
  }

  private static List<Object> row(long number, List<Object> values) {
    List<Object> row = new ArrayList<>();
    row.add(number);
    row.addAll(values);
    return Collections.unmodifiableList(row);
  }

  /** Returns the largest number with this many digits. */
  static BigInteger nines(int digits) {
    return BigInteger.TEN.pow(digits).subtract(BigInteger.ONE);
  }
}
