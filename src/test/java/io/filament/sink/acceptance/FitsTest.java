package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.batch;
import static io.filament.sink.acceptance.Runs.row;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that just fit: their JSON, to the letter, and what DuckDB prints of their Parquet. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FitsTest {

  private final Bucket bucket = Bucket.on(S3ProxyServer.shared());
  private final Sink ndjson = bucket.sink("file_format", "ndjson");
  private final Sink parquet = bucket.sink("file_format", "parquet");
  private Duck duck;

  @BeforeAll
  void openDuck(@TempDir Path directory) throws SQLException {
    duck = new Duck(directory);
  }

  @AfterAll
  void close() throws IOException, SQLException {
    duck.close();
    ndjson.close();
    parquet.close();
    bucket.close();
  }

  private static Arguments fits(FieldType type, Object value, String json, String duck) {
    return arguments(new Value(type, value), json, duck);
  }

  private static Arguments number(FieldType type, Object value, String text) {
    return fits(type, value, text, text);
  }

  /** A value that is a JSON string, and that DuckDB prints without the quotes. */
  private static Arguments text(FieldType type, Object value, String text) {
    return fits(type, value, '"' + text + '"', text);
  }

  static Stream<Arguments> wholeNumbers() {
    return Stream.of(
        number(FieldType.BOOLEAN, true, "true"),
        number(FieldType.BOOLEAN, false, "false"),
        number(FieldType.INT16, Short.MIN_VALUE, "-32768"),
        number(FieldType.INT16, (byte) -1, "-1"),
        number(FieldType.INT32, Integer.MIN_VALUE, "-2147483648"),
        number(FieldType.INT32, Short.MAX_VALUE, "32767"),
        number(FieldType.INT64, Long.MIN_VALUE, "-9223372036854775808"),
        number(FieldType.INT64, Long.MAX_VALUE, "9223372036854775807"),
        number(FieldType.INT64, 9_007_199_254_740_993L, "9007199254740993"),
        number(FieldType.INT64, (byte) 7, "7"));
  }

  static Stream<Arguments> decimals() {
    return Stream.of(
        number(FieldType.decimal(10, 2), new BigDecimal("19.99"), "19.99"),
        number(FieldType.decimal(10, 2), 19.99, "19.99"),
        number(FieldType.decimal(10, 2), new BigDecimal("-99999999.99"), "-99999999.99"),
        number(FieldType.decimal(9, 0), new BigDecimal("999999999"), "999999999"),
        number(
            FieldType.decimal(18, 0), new BigDecimal("-999999999999999999"), "-999999999999999999"),
        number(
            FieldType.decimal(19, 1),
            new BigDecimal("123456789012345678.9"),
            "123456789012345678.9"),
        number(
            FieldType.decimal(38, 10),
            new BigDecimal("-9999999999999999999999999999.9999999999"),
            "-9999999999999999999999999999.9999999999"));
  }

  /** The JSON number may have the zeros of the scale or not; its value is exact and plain. */
  static Stream<Arguments> numbersByValue() {
    return Stream.of(
        arguments(new Value(FieldType.decimal(10, 2), new BigDecimal("1.000")), "1.00"),
        arguments(new Value(FieldType.decimal(10, 2), new BigDecimal("1E+3")), "1000.00"),
        arguments(new Value(FieldType.decimal(10, 8), new BigDecimal("0E-8")), "0.00000000"),
        arguments(new Value(FieldType.decimal(9, 9), new BigDecimal("0.999999999")), "0.999999999"),
        arguments(new Value(FieldType.FLOAT32, 0.1f), "0.1"),
        arguments(new Value(FieldType.FLOAT64, 0.1f), "0.10000000149011612"),
        arguments(
            new Value(FieldType.FLOAT64, Double.valueOf("169299987.35345112")),
            "169299987.35345112"),
        arguments(new Value(FieldType.FLOAT64, Double.MIN_VALUE), "5e-324"),
        arguments(new Value(FieldType.FLOAT64, 1e22), "1e+22"));
  }

  static Stream<Arguments> numerics() {
    String digits = "1234567890".repeat(6);
    return Stream.of(
        number(FieldType.NUMERIC, new BigDecimal("169299987.35345112"), "169299987.35345112"),
        number(FieldType.NUMERIC, new BigDecimal("0.00000000"), "0.00000000"),
        number(FieldType.NUMERIC, new BigDecimal("1E+3"), "1000"),
        number(FieldType.NUMERIC, new BigDecimal("-1E-10"), "-0.0000000001"),
        number(FieldType.NUMERIC, digits + "." + digits, digits + "." + digits),
        number(FieldType.NUMERIC, new BigInteger(digits), digits),
        number(FieldType.NUMERIC, "18446744073709551615", "18446744073709551615"),
        text(FieldType.NUMERIC, "NaN", "NaN"),
        text(FieldType.NUMERIC, "Infinity", "Infinity"),
        text(FieldType.NUMERIC, "-Infinity", "-Infinity"));
  }

  static Stream<Arguments> floats() {
    return Stream.of(
        fits(FieldType.FLOAT32, Float.NaN, "\"NaN\"", "nan"),
        fits(FieldType.FLOAT32, Float.POSITIVE_INFINITY, "\"Infinity\"", "inf"),
        fits(FieldType.FLOAT32, Float.NEGATIVE_INFINITY, "\"-Infinity\"", "-inf"),
        fits(FieldType.FLOAT64, Double.NaN, "\"NaN\"", "nan"),
        fits(FieldType.FLOAT64, Double.POSITIVE_INFINITY, "\"Infinity\"", "inf"),
        fits(FieldType.FLOAT64, Double.NEGATIVE_INFINITY, "\"-Infinity\"", "-inf"),
        fits(FieldType.FLOAT64, -0.0, "-0.0", "-0.0"));
  }

  static Stream<Arguments> times() {
    return Stream.of(
        text(FieldType.DATE, LocalDate.parse("2026-09-10"), "2026-09-10"),
        text(FieldType.DATE, LocalDate.parse("1969-12-31"), "1969-12-31"),
        text(FieldType.DATE, LocalDate.parse("0001-01-01"), "0001-01-01"),
        text(FieldType.TIME, LocalTime.parse("12:34:56.789012"), "12:34:56.789012"),
        text(FieldType.TIME, LocalTime.MIDNIGHT, "00:00:00"),
        text(FieldType.TIME, LocalTime.parse("23:59:59.999999"), "23:59:59.999999"),
        fits(
            FieldType.TIMESTAMP,
            LocalDateTime.parse("2026-09-10T02:00:00.123456"),
            "\"2026-09-10T02:00:00.123456\"",
            "2026-09-10 02:00:00.123456"),
        fits(
            FieldType.TIMESTAMP,
            LocalDateTime.parse("2026-09-10T00:00"),
            "\"2026-09-10T00:00:00\"",
            "2026-09-10 00:00:00"),
        fits(
            FieldType.TIMESTAMP,
            LocalDateTime.parse("1969-12-31T23:59:59.999999"),
            "\"1969-12-31T23:59:59.999999\"",
            "1969-12-31 23:59:59.999999"));
  }

  static Stream<Arguments> instants() {
    return Stream.of(
        instant(Instant.parse("2026-09-10T02:00:00Z"), "2026-09-10T02:00:00"),
        instant(Instant.parse("1969-12-31T23:59:59.999999Z"), "1969-12-31T23:59:59.999999"),
        instant(
            OffsetDateTime.parse("2026-09-10T02:00:00.123456+02:00"), "2026-09-10T00:00:00.123456"),
        instant(
            ZonedDateTime.parse("2024-03-10T03:30:00-04:00[America/New_York]"),
            "2024-03-10T07:30:00"));
  }

  private static Arguments instant(Object value, String utc) {
    return fits(FieldType.TIMESTAMPTZ, value, '"' + utc + "Z\"", utc.replace('T', ' ') + "+00");
  }

  static Stream<Arguments> textsAndBytes() {
    String uuid = "cc7332f3-7abc-5f37-984d-9815634f1d7f";
    ByteBuffer buffer = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}, 1, 2);
    return Stream.of(
        text(FieldType.STRING, "héllo 日本 🙂", "héllo 日本 🙂"),
        text(FieldType.STRING, CharBuffer.wrap("built"), "built"),
        fits(FieldType.STRING, "", "\"\"", ""),
        fits(FieldType.STRING, "a\ud83db", "\"a\ufffdb\"", "a\ufffdb"),
        fits(FieldType.STRING, "\ude42\ud83d", "\"\ufffd\ufffd\"", "\ufffd\ufffd"),
        text(FieldType.UUID, UUID.fromString(uuid), uuid),
        text(FieldType.UUID, uuid, uuid),
        fits(FieldType.BYTES, new byte[] {0, -1, 'a'}, "\"AP9h\"", "\\x00\\xFFa"),
        fits(FieldType.BYTES, new byte[] {1}, "\"AQ==\"", "\\x01"),
        fits(FieldType.BYTES, new byte[0], "\"\"", ""),
        fits(FieldType.BYTES, buffer, "\"AQI=\"", "\\x01\\x02"),
        fits(FieldType.JSON, " {\"b\" : 1,\n\"a\":[ ] } ", "{\"b\":1,\"a\":[]}", null),
        fits(FieldType.JSON, "12345678901234567890.10", "12345678901234567890.10", null),
        fits(FieldType.JSON, "\"a\\u00e9\\n\"", "\"aé\\n\"", null),
        fits(FieldType.JSON, "null", "null", null),
        fits(FieldType.JSON, "1e400", "1e400", null));
  }

  /** Publishes a column with this value and a null, and returns the key of the object. */
  private String publish(Sink sink, Value value) throws IOException {
    Schema schema = Schema.builder().nullable("it", value.type()).build();
    return Runs.publish(
            sink,
            run(UUID.randomUUID().toString()).build(),
            batch("r", schema, row(value.value()), row((Object) null)))
        .resources()
        .get(0)
        .key();
  }

  @ParameterizedTest
  @MethodSource({
    "wholeNumbers",
    "decimals",
    "numerics",
    "floats",
    "times",
    "instants",
    "textsAndBytes"
  })
  void jsonIs(Value value, String json, String duckPrints) throws IOException {
    List<String> lines = Json.lines(bucket.bytes(publish(ndjson, value)));

    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).matches("\\{\\s*\"it\"\\s*:\\s*null\\s*}");
    String it = lines.get(0).replaceFirst("^\\{\\s*\"it\"\\s*:\\s*", "").replaceFirst("}$", "");
    if (value.type() == FieldType.JSON) {
      assertThat(Json.parse(it)).isEqualTo(Json.parse(json));
    } else {
      assertThat(it).isEqualTo(json);
    }
  }

  @ParameterizedTest
  @MethodSource({
    "wholeNumbers",
    "decimals",
    "numerics",
    "floats",
    "times",
    "instants",
    "textsAndBytes"
  })
  void parquetIsReadAs(Value value, String json, String duckPrints)
      throws IOException, SQLException {
    String file = duck.fetch(bucket, publish(parquet, value));
    List<List<String>> read = duck.texts("SELECT it FROM '" + file + "'");

    assertThat(read).hasSize(2);
    assertThat(read.get(1)).containsOnlyNulls();
    if (duckPrints == null) {
      assertThat(Json.parse(read.get(0).get(0))).isEqualTo(Json.parse(json));
    } else {
      assertThat(read.get(0)).containsExactly(duckPrints);
    }
  }

  @ParameterizedTest
  @MethodSource("numbersByValue")
  void jsonNumberIsExact(Value value, String number) throws IOException {
    byte[] stored = bucket.bytes(publish(ndjson, value));

    assertSame(value, number, Json.records(stored).get(0).get("it"));
  }

  @ParameterizedTest
  @MethodSource("numbersByValue")
  void parquetNumberIsExact(Value value, String number) throws IOException, SQLException {
    String file = duck.fetch(bucket, publish(parquet, value));

    assertSame(value, number, duck.rows("SELECT it FROM '" + file + "'").get(0).get(0));
  }

  private static void assertSame(Value value, String number, Object read) {
    if (value.value() instanceof Double real) {
      assertThat(Double.valueOf(read.toString())).isEqualTo(real);
    } else {
      assertThat(new BigDecimal(read.toString())).isEqualByComparingTo(number);
    }
  }
}
