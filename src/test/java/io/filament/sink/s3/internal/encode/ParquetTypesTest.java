package io.filament.sink.s3.internal.encode;

import static io.filament.sink.FieldType.decimal;
import static io.filament.sink.s3.internal.encode.AllTypes.nines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ParquetTypesTest {

  /** A type, its values, the type that DuckDB sees, and what it reads. */
  static Stream<Arguments> scalars() {
    return Stream.of(
        arguments(FieldType.BOOLEAN, List.of(true, false), "BOOLEAN", List.of("true", "false")),
        arguments(
            FieldType.INT16,
            List.of(-32768L, -1L, 0L, 32767L),
            "SMALLINT",
            List.of("-32768", "-1", "0", "32767")),
        arguments(
            FieldType.INT32,
            List.of(-2147483648L, -1L, 2147483647L),
            "INTEGER",
            List.of("-2147483648", "-1", "2147483647")),
        arguments(
            FieldType.INT64,
            List.of(-1L, 9007199254740993L, Long.MIN_VALUE, Long.MAX_VALUE),
            "BIGINT",
            List.of("-1", "9007199254740993", "-9223372036854775808", "9223372036854775807")),
        arguments(
            FieldType.FLOAT32,
            List.of(Float.NaN, -0.0f, 1.5f, Float.MIN_VALUE, Float.NEGATIVE_INFINITY),
            "FLOAT",
            List.of("nan", "-0.0", "1.5", "1e-45", "-inf")),
        arguments(
            FieldType.FLOAT64,
            List.of(Double.NaN, -0.0, 0.1, Double.MAX_VALUE, Double.POSITIVE_INFINITY),
            "DOUBLE",
            List.of("nan", "-0.0", "0.1", "1.7976931348623157e+308", "inf")),
        arguments(
            FieldType.STRING,
            List.of("", "héllo 日本", "a\u0000b", "\uD83D\uDE00"),
            "VARCHAR",
            List.of("", "héllo 日本", "a\u0000b", "\uD83D\uDE00")),
        arguments(
            FieldType.JSON,
            List.of("{\"a\":[1,null]}", "null"),
            "VARCHAR",
            List.of("{\"a\":[1,null]}", "null")),
        arguments(
            FieldType.NUMERIC,
            List.of("0.00000000", "NaN", "-Infinity"),
            "VARCHAR",
            List.of("0.00000000", "NaN", "-Infinity")),
        arguments(
            FieldType.UUID,
            List.of("123e4567-e89b-12d3-a456-426614174000"),
            "VARCHAR",
            List.of("123e4567-e89b-12d3-a456-426614174000")),
        arguments(
            FieldType.BYTES,
            List.of(ByteBuffer.wrap(new byte[0]), ByteBuffer.wrap(new byte[] {0, -1, 65})),
            "BLOB",
            List.of("", "\\x00\\xFFA")),
        arguments(
            FieldType.DATE,
            List.of(AllTypes.FIRST_DAY, -1L, 0L, AllTypes.LAST_DAY),
            "DATE",
            List.of("0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31")),
        arguments(
            FieldType.TIME,
            List.of(0L, 1L, AllTypes.LAST_MICRO_OF_DAY),
            "TIME",
            List.of("00:00:00", "00:00:00.000001", "23:59:59.999999")),
        arguments(
            FieldType.TIMESTAMP,
            List.of(-1L, 0L, 1_710_037_800_123_456L),
            "TIMESTAMP",
            List.of(
                "1969-12-31 23:59:59.999999", "1970-01-01 00:00:00", "2024-03-10 02:30:00.123456")),
        arguments(
            FieldType.TIMESTAMPTZ,
            List.of(-1L, 0L, 1_710_037_800_123_456L),
            "TIMESTAMP WITH TIME ZONE",
            List.of(
                "1969-12-31 23:59:59.999999+00",
                "1970-01-01 00:00:00+00",
                "2024-03-10 02:30:00.123456+00")));
  }

  /** The edges of each way to store a decimal. */
  static Stream<Arguments> decimals() {
    return Stream.of(
            decimal(1, 0),
            decimal(7, 2),
            decimal(9, 8),
            decimal(10, 2),
            decimal(18, 17),
            decimal(19, 2),
            decimal(28, 0),
            decimal(38, 10))
        .map(FieldType.DecimalType.class::cast)
        .map(ParquetTypesTest::decimalValues);
  }

  private static Arguments decimalValues(FieldType.DecimalType type) {
    List<BigInteger> values =
        List.of(
            nines(type.precision()),
            nines(type.precision()).negate(),
            BigInteger.ZERO,
            BigInteger.ONE,
            BigInteger.ONE.negate());
    List<String> texts =
        values.stream()
            .map(unscaled -> new java.math.BigDecimal(unscaled, type.scale()).toPlainString())
            .toList();
    return arguments(type, values, "DECIMAL(" + type.precision() + "," + type.scale() + ")", texts);
  }

  @ParameterizedTest
  @MethodSource({"scalars", "decimals"})
  void valuesAreReadBackByParquetJava(FieldType type, List<Object> values) {
    Schema schema = oneField(type);

    List<List<Object>> rows = rows(values);

    assertThat(ParquetFile.of(schema, Compression.SNAPPY, rows).rows(schema)).isEqualTo(rows);
  }

  @ParameterizedTest
  @MethodSource({"scalars", "decimals"})
  void valuesAreReadBackByDuckDb(
      FieldType type,
      List<Object> values,
      String duckDbType,
      List<String> texts,
      @TempDir Path directory)
      throws Exception {
    ParquetFile file = ParquetFile.of(oneField(type), Compression.SNAPPY, rows(values));

    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.values("SELECT DISTINCT typeof(c) FROM $file")).containsExactly(duckDbType);
      List<Object> read = duckDb.values("SELECT CAST(c AS VARCHAR) FROM $file");
      assertThat(read.subList(0, texts.size())).isEqualTo(texts);
      assertThat(read.subList(texts.size(), read.size())).containsExactly((Object) null);
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void everyCodecIsReadBackByBoth(Compression compression, @TempDir Path directory)
      throws Exception {
    ParquetFile file = ParquetFile.of(AllTypes.SCHEMA, compression, AllTypes.rows());

    assertThat(file.rows(AllTypes.SCHEMA)).isEqualTo(AllTypes.rows());
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      String codec = compression == Compression.NONE ? "UNCOMPRESSED" : compression.name();
      assertThat(
              duckDb.values(
                  "SELECT DISTINCT compression FROM parquet_metadata('" + duckDb.path() + "')"))
          .containsExactly(codec);
      assertThat(duckDb.query("SELECT row, decimal38, list, struct, map FROM $file ORDER BY row"))
          .extracting(Object::toString)
          .containsExactly(
              "[0, -0.99999999999999999999999999999999999999, [], {x=-1, y=null}, {}]",
              "[1, 0.99999999999999999999999999999999999999, [1, null, -9223372036854775808],"
                  + " {x=1, y=y}, {é=[-0.0, null, NaN], =null, z=[]}]",
              "[2, null, null, null, null]",
              "[3, 1E-38, [null], null, null]");
    }
  }

  /** A local time that no clock in New York showed: nothing may shift it. */
  @Test
  void localTimesAreLocalAndInstantsAreUtc(@TempDir Path directory) throws Exception {
    Schema schema =
        Schema.builder()
            .required("local", FieldType.TIMESTAMP)
            .required("instant", FieldType.TIMESTAMPTZ)
            .build();
    long micros = 1_710_037_800_123_456L;
    ParquetFile file = ParquetFile.of(schema, Compression.NONE, List.of(List.of(micros, micros)));

    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      duckDb.execute("SET TimeZone = 'America/New_York'");
      assertThat(duckDb.query("SELECT CAST(local AS VARCHAR), CAST(instant AS VARCHAR) FROM $file"))
          .containsExactly(List.of("2024-03-10 02:30:00.123456", "2024-03-09 21:30:00.123456-05"));
    }
  }

  private static Schema oneField(FieldType type) {
    return Schema.builder().nullable("c", type).build();
  }

  /** Returns a row a value, and one with null. */
  private static List<List<Object>> rows(List<Object> values) {
    List<List<Object>> rows = new ArrayList<>();
    values.forEach(value -> rows.add(List.of(value)));
    rows.add(java.util.Collections.singletonList(null));
    return rows;
  }
}
