package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.batch;
import static io.filament.sink.acceptance.Runs.row;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that don't fit their type are refused, never bent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MisfitsTest {

  private static final Schema INNER =
      Schema.builder()
          .required("a", FieldType.INT32)
          .nullable("b", FieldType.decimal(4, 2))
          .build();

  private final Bucket bucket = Bucket.on(S3ProxyServer.shared());
  private final Sink ndjson = bucket.sink("file_format", "ndjson");
  private final Sink parquet = bucket.sink("file_format", "parquet");

  @AfterAll
  void close() throws IOException {
    ndjson.close();
    parquet.close();
    bucket.close();
  }

  private static Stream<Value> of(FieldType type, Object... values) {
    return Arrays.stream(values).map(value -> new Value(type, value));
  }

  private static BigDecimal decimal(String text) {
    return new BigDecimal(text);
  }

  static Stream<Value> wholeNumbers() {
    return Stream.of(
            of(FieldType.BOOLEAN, "yes", "true", 1, 0L),
            of(FieldType.INT16, 32_768, -32_769, 1L << 40, 1.0, "1", true),
            of(FieldType.INT32, 1L << 31, -(1L << 31) - 1, Long.MIN_VALUE, 1.5, 1.0f, "1"),
            of(FieldType.INT64, BigInteger.ONE.shiftLeft(63), 1.0, "1", 'a', decimal("1.5")))
        .flatMap(values -> values);
  }

  static Stream<Value> otherNumbers() {
    return Stream.of(
            of(FieldType.FLOAT32, 0.1, "1.0", 1e300, true),
            of(FieldType.FLOAT64, "1.0", "NaN", true),
            of(FieldType.decimal(7, 2), decimal("123456.00"), decimal("1E5"), "1.00", true),
            of(FieldType.decimal(10, 2), decimal("1.005"), decimal("1E-3"), decimal("100000000")),
            of(FieldType.decimal(9, 9), decimal("1"), decimal("0.1234567891")),
            of(FieldType.decimal(18, 0), decimal("1000000000000000000"), decimal("0.5")),
            of(FieldType.decimal(38, 10), decimal("1E28"), decimal("1E-11"), decimal("1E+1000000")),
            of(FieldType.NUMERIC, "abc", "", "1.2.3", "1,5", "0x10", "1d", "nan ", true))
        .flatMap(values -> values);
  }

  static Stream<Value> textsAndBytes() {
    return Stream.of(
            of(FieldType.STRING, 5, new byte[] {65}, 'a', List.of("a")),
            of(FieldType.JSON, "", " ", "{", "{\"a\":}", "1 2", "{'a':1}", "NaN", "[1,]", "01"),
            of(FieldType.JSON, "nul", "{\"a\":1}}", "\"\n\"", "// c\n1", "{a:1}", "+1", "1.", 5),
            of(FieldType.BYTES, "text", List.of(1), new int[] {1}),
            of(FieldType.UUID, "not-a-uuid", "", "1-1-1-1-1", 5),
            of(
                FieldType.UUID,
                "cc7332f3-7abc-5f37-984d-9815634f1d7",
                "cc7332f37abc5f37984d9815634f1d7f"),
            of(FieldType.UUID, "{cc7332f3-7abc-5f37-984d-9815634f1d7f}"))
        .flatMap(values -> values);
  }

  static Stream<Value> times() {
    LocalDate date = LocalDate.of(2026, 9, 10);
    LocalDateTime noon = date.atTime(12, 0);
    Instant instant = noon.toInstant(ZoneOffset.UTC);
    return Stream.of(
            of(FieldType.DATE, "2026-09-10", noon, instant, java.sql.Date.valueOf(date), 20_000),
            of(FieldType.TIME, LocalTime.ofNanoOfDay(1), LocalTime.MAX, "12:00:00", noon, 0L),
            of(FieldType.TIMESTAMP, noon.plusNanos(1), noon.plusNanos(999), instant, date, "x", 0L),
            of(FieldType.TIMESTAMP, LocalDateTime.parse("1969-12-31T23:59:59.9999995")),
            of(FieldType.TIMESTAMPTZ, instant.plusNanos(1), noon, date, "2026-09-10T12:00:00Z"),
            of(FieldType.TIMESTAMPTZ, Instant.parse("1969-12-31T23:59:59.999999999Z")),
            of(FieldType.TIMESTAMPTZ, instant.plusNanos(100).atOffset(ZoneOffset.ofHours(2)), 0L))
        .flatMap(values -> values);
  }

  static Stream<Value> nested() {
    return Stream.of(
            of(FieldType.list(FieldType.INT32), "x", 5, List.of("a"), Arrays.asList(1, 2.5)),
            of(FieldType.list(FieldType.INT32), Map.of(1, 1), new String[] {"a"}),
            of(FieldType.list(FieldType.list(FieldType.INT32)), List.of(1), List.of(List.of("a"))),
            of(
                FieldType.struct(INNER),
                "x",
                5,
                Map.of("a", "x"),
                Map.of(),
                row(1),
                row(null, null)),
            of(FieldType.struct(INNER), row(1, decimal("100.00")), Map.of("b", decimal("1.00"))),
            of(FieldType.struct(INNER), Map.of("a", 1, "unknown", 2)),
            of(FieldType.map(FieldType.STRING, FieldType.INT32), "x", List.of(), Map.of("a", "b")),
            of(FieldType.map(FieldType.STRING, FieldType.INT32), Collections.singletonMap(null, 1)),
            of(FieldType.map(FieldType.STRING, FieldType.INT32), Map.of(1, 1)),
            of(FieldType.map(FieldType.INT64, FieldType.INT32), Map.of("1", 1)))
        .flatMap(values -> values);
  }

  /** Values that no reader of Parquet could be told. */
  static Stream<Value> outOfRange() {
    return Stream.of(
            of(FieldType.DATE, LocalDate.MAX, LocalDate.MIN),
            of(FieldType.TIMESTAMP, LocalDateTime.MAX.minusNanos(999), LocalDateTime.MIN),
            of(FieldType.TIMESTAMPTZ, Instant.MIN, Instant.MAX.minusNanos(999)))
        .flatMap(values -> values);
  }

  @ParameterizedTest
  @MethodSource({"wholeNumbers", "otherNumbers", "textsAndBytes", "times", "nested"})
  void areRefusedInNdjson(Value misfit) throws IOException {
    assertRefused(ndjson, misfit);
  }

  @ParameterizedTest
  @MethodSource({"wholeNumbers", "otherNumbers", "textsAndBytes", "times", "nested", "outOfRange"})
  void areRefusedInParquet(Value misfit) throws IOException {
    assertRefused(parquet, misfit);
  }

  private static void assertRefused(Sink sink, Value misfit) throws IOException {
    Schema schema =
        Schema.builder().nullable("before", FieldType.STRING).nullable("it", misfit.type()).build();
    sink.open(run().build());
    try {
      assertThatThrownBy(
              () -> sink.write(batch("r", schema, row("a", null), row("b", misfit.value()))))
          .isInstanceOfSatisfying(
              InvalidRecordException.class,
              e -> {
                assertThat(e.resource()).isEqualTo("r");
                assertThat(e.row()).isEqualTo(1);
                assertThat(e.field()).startsWith("it");
              });
    } finally {
      sink.abort();
    }
  }

  @ParameterizedTest
  @MethodSource("requiredTypes")
  void nullInARequiredFieldIsRefused(FieldType type) throws IOException {
    Schema schema = Schema.builder().required("it", type).build();
    for (Sink sink : List.of(ndjson, parquet)) {
      sink.open(run().build());
      assertThatThrownBy(() -> sink.write(batch("r", schema, row((Object) null))))
          .isInstanceOf(InvalidRecordException.class)
          .hasMessageContaining("it");
      sink.abort();
    }
  }

  static Stream<FieldType> requiredTypes() {
    return Stream.concat(
        Arrays.stream(FieldType.Primitive.values()),
        Stream.of(
            FieldType.decimal(5, 2),
            FieldType.list(FieldType.INT32),
            FieldType.struct(INNER),
            FieldType.map(FieldType.STRING, FieldType.INT32)));
  }

  @ParameterizedTest
  @MethodSource("requiredTypes")
  void byteBufferIsNoValueOfAnyTypeButBytes(FieldType type) throws IOException {
    if (type == FieldType.BYTES) {
      return;
    }
    assertRefused(ndjson, new Value(type, ByteBuffer.allocate(2)));
  }
}
