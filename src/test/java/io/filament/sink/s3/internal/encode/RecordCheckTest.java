package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.failureOf;
import static io.filament.sink.s3.internal.encode.Encoding.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.FieldType.Primitive;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that don't fit, and what is said about them. */
class RecordCheckTest {

  private static final String AT = "resource \"things\", row 0, field \"v\": ";
  private static final FieldType PRICE = FieldType.decimal(10, 2);

  static Stream<Arguments> unfit() {
    return Stream.of(
        Arguments.of(
            FieldType.BOOLEAN, "yes", "BOOLEAN takes a Boolean, not java.lang.String \"yes\""),
        Arguments.of(FieldType.BOOLEAN, 1, "BOOLEAN takes a Boolean, not java.lang.Integer 1"),
        Arguments.of(FieldType.INT32, 1.5, "INT32 takes whole numbers, not java.lang.Double 1.5"),
        Arguments.of(FieldType.INT64, "1", "INT64 takes whole numbers, not java.lang.String \"1\""),
        Arguments.of(
            FieldType.INT64,
            new BigDecimal("1"),
            "INT64 takes whole numbers, not java.math.BigDecimal 1"),
        Arguments.of(FieldType.INT16, 32768, "32768 is out of the range of INT16, -32768 to 32767"),
        Arguments.of(
            FieldType.INT16, -32769L, "-32769 is out of the range of INT16, -32768 to 32767"),
        Arguments.of(
            FieldType.INT32,
            2147483648L,
            "2147483648 is out of the range of INT32, -2147483648 to 2147483647"),
        Arguments.of(
            FieldType.INT64,
            new BigInteger("18446744073709551615"),
            "18446744073709551615 is out of the range of INT64, -9223372036854775808 to"
                + " 9223372036854775807"),
        Arguments.of(FieldType.FLOAT32, 0.1, "FLOAT32 can't hold 0.1 exactly"),
        Arguments.of(FieldType.FLOAT32, 1e300, "FLOAT32 can't hold 1.0E300 exactly"),
        Arguments.of(FieldType.FLOAT32, 1, "FLOAT32 takes a Float, not java.lang.Integer 1"),
        Arguments.of(FieldType.FLOAT64, 1, "FLOAT64 takes a Double, not java.lang.Integer 1"),
        Arguments.of(
            FieldType.FLOAT64,
            new BigDecimal("0.1"),
            "FLOAT64 takes a Double, not java.math.BigDecimal 0.1"),
        Arguments.of(
            FieldType.STRING, 'x', "STRING takes a CharSequence, not java.lang.Character x"),
        Arguments.of(FieldType.STRING, new char[1], "STRING takes a CharSequence, not char[]"),
        Arguments.of(
            FieldType.JSON,
            Map.of(),
            "JSON takes JSON text, not java.util.ImmutableCollections$MapN"),
        Arguments.of(
            FieldType.BYTES,
            "x",
            "BYTES takes a byte[] or a ByteBuffer, not java.lang.String \"x\""),
        Arguments.of(
            FieldType.DATE,
            LocalDateTime.of(2026, 9, 10, 0, 0),
            "DATE takes a LocalDate, not java.time.LocalDateTime 2026-09-10T00:00"),
        Arguments.of(
            FieldType.DATE,
            LocalDate.MAX,
            "+999999999-12-31 is out of the range of DATE, -5877641-06-23 to +5881580-07-11"),
        Arguments.of(
            FieldType.TIME,
            LocalTime.of(1, 2, 3, 4),
            "01:02:03.000000004 is finer than a microsecond (truncatedTo(ChronoUnit.MICROS) makes it fit)"),
        Arguments.of(
            FieldType.TIMESTAMP,
            LocalDateTime.of(2026, 9, 10, 1, 2, 3, 123_456_789),
            "2026-09-10T01:02:03.123456789 is finer than a microsecond (truncatedTo(ChronoUnit.MICROS) makes it fit)"),
        Arguments.of(
            FieldType.TIMESTAMP,
            Instant.EPOCH,
            "TIMESTAMP takes a LocalDateTime, not java.time.Instant 1970-01-01T00:00:00Z"),
        Arguments.of(
            FieldType.TIMESTAMPTZ,
            Instant.parse("1969-12-31T23:59:59.9999995Z"),
            "1969-12-31T23:59:59.999999500Z is finer than a microsecond (truncatedTo(ChronoUnit.MICROS) makes it fit)"),
        Arguments.of(
            FieldType.TIMESTAMPTZ,
            Instant.parse("+294247-01-10T04:00:54.775808Z"),
            "+294247-01-10T04:00:54.775808Z is further from 1970 than a count of microseconds"
                + " holds, about 292,271 years"),
        Arguments.of(
            FieldType.TIMESTAMPTZ,
            Instant.parse("-290308-12-21T19:59:05.224191Z"),
            "-290308-12-21T19:59:05.224191Z is further from 1970 than a count of microseconds"
                + " holds, about 292,271 years"),
        Arguments.of(
            FieldType.TIMESTAMPTZ,
            LocalDateTime.of(2026, 9, 10, 1, 2),
            "TIMESTAMPTZ takes an Instant, OffsetDateTime or ZonedDateTime, not"
                + " java.time.LocalDateTime 2026-09-10T01:02"),
        Arguments.of(
            FieldType.UUID,
            "cc7332f37abc5f37984d9815634f1d7f",
            "\"cc7332f37abc5f37984d9815634f1d7f\" is no UUID of 36 characters"),
        Arguments.of(
            FieldType.UUID,
            "cc7332f3-7abc-5f37-984d-9815634f1d7g",
            "\"cc7332f3-7abc-5f37-984d-9815634f1d7g\" is no UUID of 36 characters"),
        Arguments.of(
            FieldType.UUID,
            "cc7332f3-7abc-5f37-984d9-815634f1d7f",
            "\"cc7332f3-7abc-5f37-984d9-815634f1d7f\" is no UUID of 36 characters"),
        Arguments.of(
            PRICE,
            new BigDecimal("1.005"),
            "1.005 has more digits after the point than the 2 of decimal(10,2)"),
        Arguments.of(
            FieldType.decimal(7, 2),
            new BigDecimal("123456.00"),
            "123456.00 has more digits before the point than the 5 of decimal(7,2)"),
        Arguments.of(
            PRICE,
            0.1 + 0.2,
            "0.30000000000000004 has more digits after the point than the 2 of decimal(10,2)"),
        Arguments.of(
            PRICE,
            Double.NaN,
            "decimal(10,2) takes a BigDecimal, a whole number or a Double, not java.lang.Double NaN"),
        Arguments.of(
            PRICE,
            1.5f,
            "decimal(10,2) takes a BigDecimal, a whole number or a Double, not java.lang.Float 1.5"),
        Arguments.of(
            PRICE,
            "1",
            "decimal(10,2) takes a BigDecimal, a whole number or a Double, not java.lang.String \"1\""),
        Arguments.of(
            PRICE,
            new BigDecimal("1E+1000000000"),
            "1E+1000000000 has more digits before the point than the 8 of decimal(10,2)"),
        Arguments.of(
            PRICE,
            new BigDecimal("1E-1000000000"),
            "1E-1000000000 has more digits after the point than the 2 of decimal(10,2)"),
        Arguments.of(
            FieldType.decimal(38, 0),
            BigInteger.TEN.pow(38),
            "1"
                + "0".repeat(38)
                + " has more digits before the point than the 38 of decimal(38,0)"),
        Arguments.of(
            FieldType.decimal(38, 0),
            BigInteger.TEN.pow(100_000),
            "a number of about 100000 digits has more digits before the point than the 38 of"
                + " decimal(38,0)"),
        Arguments.of(
            FieldType.list(FieldType.INT32),
            "abc",
            "a list takes a List or an array, not java.lang.String \"abc\""),
        Arguments.of(
            FieldType.list(FieldType.INT32),
            Set.of(),
            "a list takes a List or an array, not java.util.ImmutableCollections$SetN"),
        Arguments.of(
            FieldType.map(FieldType.STRING, FieldType.INT32),
            List.of(),
            "a map takes a Map, not java.util.ImmutableCollections$ListN"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("unfit")
  void anUnfitValueIsNamedWithItsLimit(FieldType type, Object value, String problem) {
    InvalidRecordException failure = failureOf(type, value);
    assertThat(failure).hasMessage(AT + problem);
    assertThat(failure.resource()).isEqualTo("things");
    assertThat(failure.row()).isZero();
    assertThat(failure.field()).isEqualTo("v");
  }

  @Test
  void everyTypeRefusesAClassOfTheHost() {
    List<FieldType> types = new ArrayList<>(List.of(Primitive.values()));
    types.add(PRICE);
    types.add(FieldType.decimal(30, 2));
    types.add(FieldType.list(FieldType.INT32));
    types.add(FieldType.map(FieldType.STRING, FieldType.INT32));
    types.add(FieldType.struct(Schema.builder().required("a", FieldType.INT32).build()));
    for (FieldType type : types) {
      assertThat(failureOf(type, new Unprintable()))
          .as(type.toString())
          .message()
          .endsWith(", not " + Unprintable.class.getTypeName());
    }
  }

  /** What a message must not ask for its text. */
  private static final class Unprintable {

    @Override
    public String toString() {
      throw new AssertionError("a host's toString was run");
    }
  }

  @Test
  void nullInARequiredFieldIsRefusedForEveryType() {
    for (FieldType type : Primitive.values()) {
      assertThat(failureOf(type, (Object) null)).hasMessage(AT + "null in a required field");
    }
  }

  @Test
  void aLongValueIsShortenedInTheMessage() {
    InvalidRecordException failure = failureOf(FieldType.UUID, "x".repeat(10_000_000));
    assertThat(failure)
        .hasMessage(AT + "\"" + "x".repeat(80) + "...\" is no UUID of 36 characters");
    assertThat(failureOf(FieldType.BOOLEAN, "x" + "😀".repeat(50)).getMessage())
        .endsWith("\"x" + "😀".repeat(39) + "...\"");
    assertThat(failureOf(FieldType.BOOLEAN, "é\n".repeat(10_000_000)).getMessage())
        .hasSizeLessThan(500)
        .doesNotContain("\n");
    assertThat(failureOf(FieldType.JSON, "y".repeat(10_000_000)).getMessage()).hasSizeLessThan(500);
  }

  @Test
  void theRowIsCountedOverTheRun() {
    Schema schema = Schema.builder().required("id", FieldType.INT32).build();
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      rows.add(new Object[] {i == 2_500 ? "x" : i});
    }
    assertThat(failureOf(schema, RecordBatch.ofRows("things", schema, rows)).row())
        .isEqualTo(2_500);
  }

  @Test
  void theFirstRowThatDoesNotFitIsNamedNotTheFirstField() {
    Schema schema =
        Schema.builder()
            .required("a", FieldType.INT32)
            .required("b", FieldType.INT32)
            .required("c", FieldType.INT32)
            .build();
    InvalidRecordException failure =
        failureOf(schema, rows(schema, new Object[] {1, 2, "x"}, new Object[] {"y", 2, 3}));
    assertThat(failure.row()).isZero();
    assertThat(failure.field()).isEqualTo("c");
  }

  @Test
  void aRowWithTooFewOrTooManyValuesIsRefused() {
    Schema schema =
        Schema.builder().nullable("a", FieldType.INT32).nullable("b", FieldType.INT32).build();
    assertThat(failureOf(schema, rows(schema, new Object[] {1, 2}, new Object[] {1})))
        .hasMessage(
            "resource \"things\", row 1, field \"b\": the row has 1 values, the schema 2 fields");
    assertThat(failureOf(schema, rows(schema, new Object[] {1, 2, 3})))
        .message()
        .contains("the row has 3 values, the schema 2 fields");
  }

  @Test
  void aRecordWithANameThatIsNoFieldIsRefused() {
    Schema schema = Schema.builder().nullable("a", FieldType.INT32).build();
    InvalidRecordException failure =
        failureOf(schema, RecordBatch.ofMaps("things", schema, List.of(Map.of("a", 1, "b", 2))));
    assertThat(failure.field()).isEqualTo("b");
  }

  @Test
  void nestedFieldsAreNamedByTheirWay() {
    Schema inner = Schema.builder().required("b", FieldType.INT32).build();
    FieldType struct = FieldType.struct(inner);
    assertThat(failureOf(struct, Map.of("b", "x")).field()).isEqualTo("v.b");
    assertThat(failureOf(struct, Map.of()))
        .hasMessage("resource \"things\", row 0, field \"v.b\": null in a required field");

    InvalidRecordException inList =
        failureOf(FieldType.list(struct), List.of(Map.of("b", 1), Map.of("b", "x")));
    assertThat(inList.field()).isEqualTo("v[].b");
    assertThat(inList).message().contains("element 1: INT32 takes whole numbers");

    InvalidRecordException inMap =
        failureOf(
            FieldType.map(FieldType.STRING, FieldType.list(FieldType.INT16)),
            Map.of("red", new int[] {1, 40_000}));
    assertThat(inMap.field()).isEqualTo("v{red}[]");
    assertThat(inMap).message().contains("element 1: 40000 is out of the range of INT16");
  }

  @Test
  void aStructRefusesNamesItDoesNotKnowAndArraysOfAnotherLength() {
    FieldType struct =
        FieldType.struct(
            Schema.builder().nullable("a", FieldType.INT32).nullable("b", FieldType.INT32).build());
    assertThat(failureOf(struct, Map.of("a", 1, "x", 2)))
        .hasMessage(AT + "the map has a value for \"x\", the struct no such field");
    assertThat(failureOf(struct, Map.of(7, 1)))
        .hasMessage(AT + "the map has a value for 7, the struct no such field");
    assertThat(failureOf(struct, new TreeMap<>(Map.of(7, 1))))
        .hasMessage(AT + "the map has a value for 7, the struct no such field");
    assertThat(failureOf(struct, Collections.singletonMap(null, 1)))
        .hasMessage(AT + "the map has a value for null, the struct no such field");
    assertThat(failureOf(struct, new Object[] {1}))
        .hasMessage(AT + "the struct has 2 fields, its array 1 values");
  }

  @Test
  void aMapRefusesNullKeysAndKeysThatDoNotFit() {
    FieldType map = FieldType.map(FieldType.INT32, FieldType.INT32);
    assertThat(failureOf(map, Collections.singletonMap(null, 1)))
        .hasMessage(AT + "a key of the map is null");
    assertThat(failureOf(map, Map.of("x", 1)))
        .hasMessage(
            AT
                + "a key of the map doesn't fit: INT32 takes whole numbers, not java.lang.String"
                + " \"x\"");
  }

  @Test
  void aMapRefusesKeysThatBecomeEqual() {
    Map<Object, Object> small = new HashMap<>();
    small.put(1, "a");
    small.put(1L, "b");
    assertThat(failureOf(FieldType.map(FieldType.INT64, FieldType.STRING), small))
        .hasMessage(AT + "two keys of the map have the form 1");

    Map<Object, Object> large = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      large.put("key" + i, i);
    }
    large.put(CharBuffer.wrap("key500"), -1);
    assertThat(failureOf(FieldType.map(FieldType.STRING, FieldType.INT32), large))
        .hasMessage(AT + "two keys of the map have the form \"key500\"");

    Map<Object, Object> longs = new HashMap<>();
    for (long i = 0; i < 1_000; i++) {
      longs.put(i, i);
    }
    longs.put((short) 500, 1L);
    assertThat(failureOf(FieldType.map(FieldType.INT64, FieldType.INT64), longs))
        .hasMessage(AT + "two keys of the map have the form 500");

    Map<Object, Object> decimals = new HashMap<>();
    decimals.put(new BigDecimal("1.0"), 1L);
    decimals.put(new BigDecimal("1.00"), 2L);
    assertThat(failureOf(FieldType.map(FieldType.decimal(5, 2), FieldType.INT64), decimals))
        .hasMessage(AT + "two keys of the map have the form 1.00");
  }

  @Test
  void aMapOfIdentitiesMayHoldEqualKeys() {
    IdentityHashMap<Object, Object> map = new IdentityHashMap<>();
    map.put("\uD83D", 1);
    map.put("\uDE00", 2);
    assertThat(failureOf(FieldType.map(FieldType.STRING, FieldType.INT32), map))
        .hasMessage(AT + "two keys of the map have the form \"\uFFFD\"");
  }
}
