package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.valueAs;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a value of each scalar type stands in JSON. Texts have their own test. */
class JsonScalarsTest {

  @Test
  void booleansAreWords() {
    assertThat(valueAs(FieldType.BOOLEAN, true)).isEqualTo("true");
    assertThat(valueAs(FieldType.BOOLEAN, false)).isEqualTo("false");
  }

  @Test
  void nullIsWrittenForEveryType() {
    for (FieldType type : FieldType.Primitive.values()) {
      assertThat(valueAs(type, (Object) null)).as(type.toString()).isEqualTo("null");
    }
    assertThat(valueAs(FieldType.decimal(5, 2), (Object) null)).isEqualTo("null");
    assertThat(valueAs(FieldType.decimal(30, 2), (Object) null)).isEqualTo("null");
  }

  @Test
  void integersHaveAllTheirDigits() {
    assertThat(valueAs(FieldType.INT16, Short.MIN_VALUE)).isEqualTo("-32768");
    assertThat(valueAs(FieldType.INT32, Integer.MAX_VALUE)).isEqualTo("2147483647");
    assertThat(valueAs(FieldType.INT64, 9007199254740993L)).isEqualTo("9007199254740993");
    assertThat(valueAs(FieldType.INT64, Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(valueAs(FieldType.INT64, Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    assertThat(valueAs(FieldType.INT64, -1L)).isEqualTo("-1");
  }

  @Test
  void integersOfOtherClassesAreTakenWhereTheyFit() {
    assertThat(valueAs(FieldType.INT16, (byte) -7)).isEqualTo("-7");
    assertThat(valueAs(FieldType.INT16, 12)).isEqualTo("12");
    assertThat(valueAs(FieldType.INT32, (short) 3)).isEqualTo("3");
    assertThat(valueAs(FieldType.INT32, 3L)).isEqualTo("3");
    assertThat(valueAs(FieldType.INT64, BigInteger.valueOf(Long.MIN_VALUE)))
        .isEqualTo("-9223372036854775808");
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1",
    "1.0, 1.0",
    "-0.0, -0.0",
    "19.99, 19.99",
    // The literal is between two doubles; the nearer one's shortest form ends in 3.
    "169299987.35345112, 169299987.35345113",
    "1.0E7, 10000000.0",
    "1.0E20, 100000000000000000000.0",
    "9.999999999999999E20, 999999999999999900000.0",
    "1.0E21, 1.0E21",
    "1.2345E10, 12345000000.0",
    "-1.2345678E3, -1234.5678",
    "1.0E-3, 0.001",
    "1.5E-4, 0.00015",
    "1.0E-7, 0.0000001",
    "-1.25E-7, -0.000000125",
    "9.99E-8, 9.99E-8",
    "4.9E-324, 4.9E-324",
    "1.7976931348623157E308, 1.7976931348623157E308",
    "2.0E-3, 0.002",
    "2.2250738585072014E-308, 2.2250738585072014E-308",
    "2.0E23, 2.0E23",
    "9007199254740993.0, 9007199254740992.0"
  })
  void doublesHaveTheirFewestDigitsPlainInTheMiddle(double value, String expected) {
    assertThat(valueAs(FieldType.FLOAT64, value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1",
    "16777216, 16777216.0",
    "3.4028235E38, 3.4028235E38",
    "1.0E10, 10000000000.0",
    "1.4E-45, 1.4E-45",
    "-0.0, -0.0"
  })
  void floatsHaveTheirFewestDigits(float value, String expected) {
    assertThat(valueAs(FieldType.FLOAT32, value)).isEqualTo(expected);
  }

  @Test
  void whatIsNoNumberIsAString() {
    assertThat(valueAs(FieldType.FLOAT64, Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(valueAs(FieldType.FLOAT64, Double.POSITIVE_INFINITY)).isEqualTo("\"Infinity\"");
    assertThat(valueAs(FieldType.FLOAT64, Double.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
    assertThat(valueAs(FieldType.FLOAT32, Float.NaN)).isEqualTo("\"NaN\"");
    assertThat(valueAs(FieldType.FLOAT32, Float.POSITIVE_INFINITY)).isEqualTo("\"Infinity\"");
    assertThat(valueAs(FieldType.FLOAT32, Float.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
  }

  @Test
  void floatsAndDoublesStandForEachOtherWhereTheyAreEqual() {
    assertThat(valueAs(FieldType.FLOAT64, 0.5f)).isEqualTo("0.5");
    assertThat(valueAs(FieldType.FLOAT32, 0.5d)).isEqualTo("0.5");
    assertThat(valueAs(FieldType.FLOAT32, Double.NaN)).isEqualTo("\"NaN\"");
  }

  @Test
  void decimalsArePlainAndHaveTheirScale() {
    FieldType price = FieldType.decimal(10, 2);
    assertThat(valueAs(price, new BigDecimal("19.99"))).isEqualTo("19.99");
    assertThat(valueAs(price, new BigDecimal("1.000"))).isEqualTo("1.00");
    assertThat(valueAs(price, new BigDecimal("-0.05"))).isEqualTo("-0.05");
    assertThat(valueAs(price, new BigDecimal("1E+2"))).isEqualTo("100.00");
    assertThat(valueAs(price, new BigDecimal("0E+1000000000"))).isEqualTo("0.00");
    assertThat(valueAs(price, new BigDecimal("99999999.99"))).isEqualTo("99999999.99");
    assertThat(valueAs(price, new BigDecimal("-99999999.99"))).isEqualTo("-99999999.99");
    assertThat(valueAs(FieldType.decimal(8, 8), new BigDecimal("0.00000000")))
        .isEqualTo("0.00000000");
    assertThat(valueAs(FieldType.decimal(18, 0), new BigDecimal("-999999999999999999")))
        .isEqualTo("-999999999999999999");
  }

  @Test
  void aDecimalIsNotADouble() {
    assertThat(valueAs(FieldType.decimal(17, 8), new BigDecimal("169299987.35345112")))
        .isEqualTo("169299987.35345112");
    assertThat(valueAs(FieldType.NUMERIC, new BigDecimal("169299987.35345112")))
        .isEqualTo("169299987.35345112");
  }

  @Test
  void largeDecimalsArePlainAndHaveTheirScale() {
    FieldType large = FieldType.decimal(38, 10);
    String most = "9999999999999999999999999999.9999999999";
    assertThat(valueAs(large, new BigDecimal(most))).isEqualTo(most);
    assertThat(valueAs(large, new BigDecimal("-" + most))).isEqualTo("-" + most);
    assertThat(valueAs(large, new BigDecimal("-0.0000000001"))).isEqualTo("-0.0000000001");
    assertThat(valueAs(large, BigDecimal.ZERO)).isEqualTo("0.0000000000");
    assertThat(valueAs(large, new BigDecimal("-1"))).isEqualTo("-1.0000000000");
    assertThat(valueAs(FieldType.decimal(20, 0), new BigInteger("18446744073709551615")))
        .isEqualTo("18446744073709551615");
    assertThat(valueAs(FieldType.decimal(38, 38), new BigDecimal("1E-38")))
        .isEqualTo("0." + "0".repeat(37) + "1");
  }

  @Test
  void decimalsTakeWholeNumbersAndTheShortestFormOfDoubles() {
    FieldType price = FieldType.decimal(10, 2);
    assertThat(valueAs(price, 7)).isEqualTo("7.00");
    assertThat(valueAs(price, 7L)).isEqualTo("7.00");
    assertThat(valueAs(price, BigInteger.valueOf(-7))).isEqualTo("-7.00");
    assertThat(valueAs(price, 19.99)).isEqualTo("19.99");
    assertThat(valueAs(FieldType.decimal(3, 0), 100.0)).isEqualTo("100");
  }

  @Test
  void datesHaveFourDigitsOfYearOrASign() {
    assertThat(valueAs(FieldType.DATE, LocalDate.of(2026, 9, 10))).isEqualTo("\"2026-09-10\"");
    assertThat(valueAs(FieldType.DATE, LocalDate.of(1969, 12, 31))).isEqualTo("\"1969-12-31\"");
    assertThat(valueAs(FieldType.DATE, LocalDate.of(7, 1, 2))).isEqualTo("\"0007-01-02\"");
    assertThat(valueAs(FieldType.DATE, LocalDate.of(0, 2, 29))).isEqualTo("\"0000-02-29\"");
    assertThat(valueAs(FieldType.DATE, LocalDate.of(10000, 1, 1))).isEqualTo("\"+10000-01-01\"");
    assertThat(valueAs(FieldType.DATE, LocalDate.of(-44, 3, 15))).isEqualTo("\"-0044-03-15\"");
    assertThat(valueAs(FieldType.DATE, LocalDate.of(-12345, 3, 15))).isEqualTo("\"-12345-03-15\"");
  }

  @Test
  void timesHaveSecondsAndSixDigitsOfFractionOrNone() {
    assertThat(valueAs(FieldType.TIME, LocalTime.MIDNIGHT)).isEqualTo("\"00:00:00\"");
    assertThat(valueAs(FieldType.TIME, LocalTime.of(12, 34, 56, 789_012_000)))
        .isEqualTo("\"12:34:56.789012\"");
    assertThat(valueAs(FieldType.TIME, LocalTime.of(12, 34, 56, 500_000_000)))
        .isEqualTo("\"12:34:56.500000\"");
    assertThat(valueAs(FieldType.TIME, LocalTime.of(23, 59, 59, 999_999_000)))
        .isEqualTo("\"23:59:59.999999\"");
  }

  @Test
  void timestampsHaveDateAndTime() {
    assertThat(valueAs(FieldType.TIMESTAMP, LocalDateTime.of(2026, 9, 10, 2, 0, 0, 123_456_000)))
        .isEqualTo("\"2026-09-10T02:00:00.123456\"");
    assertThat(valueAs(FieldType.TIMESTAMP, LocalDateTime.of(2026, 9, 10, 2, 0)))
        .isEqualTo("\"2026-09-10T02:00:00\"");
  }

  @Test
  void theMicrosecondBefore1970IsNotRoundedTowardsZero() {
    assertThat(valueAs(FieldType.TIMESTAMPTZ, Instant.parse("1969-12-31T23:59:59.999999Z")))
        .isEqualTo("\"1969-12-31T23:59:59.999999Z\"");
  }

  @Test
  void instantsAreWrittenInUtcWhateverTheirZone() {
    Instant instant = Instant.parse("2026-09-10T02:00:00.123456Z");
    String expected = "\"2026-09-10T02:00:00.123456Z\"";
    assertThat(valueAs(FieldType.TIMESTAMPTZ, instant)).isEqualTo(expected);
    assertThat(
            valueAs(
                FieldType.TIMESTAMPTZ, OffsetDateTime.ofInstant(instant, ZoneOffset.ofHours(-9))))
        .isEqualTo(expected);
    assertThat(
            valueAs(
                FieldType.TIMESTAMPTZ, ZonedDateTime.ofInstant(instant, ZoneId.of("Asia/Kolkata"))))
        .isEqualTo(expected);
  }

  @Test
  void theTimeZoneOfTheJvmChangesNothing() {
    TimeZone before = TimeZone.getDefault();
    try {
      // This local time doesn't exist in New York.
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      assertThat(valueAs(FieldType.TIMESTAMP, LocalDateTime.of(2024, 3, 10, 2, 30, 0, 123_456_000)))
          .isEqualTo("\"2024-03-10T02:30:00.123456\"");
      assertThat(valueAs(FieldType.TIMESTAMPTZ, Instant.parse("2024-03-10T07:30:00.123456Z")))
          .isEqualTo("\"2024-03-10T07:30:00.123456Z\"");
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void theEndsOfTheTimestampsAreWritten() {
    assertThat(valueAs(FieldType.TIMESTAMPTZ, Instant.parse("-290308-12-21T19:59:05.224192Z")))
        .isEqualTo("\"-290308-12-21T19:59:05.224192Z\"");
    assertThat(valueAs(FieldType.TIMESTAMPTZ, Instant.parse("+294247-01-10T04:00:54.775807Z")))
        .isEqualTo("\"+294247-01-10T04:00:54.775807Z\"");
  }

  @Test
  void uuidsAreLowerCaseText() {
    String text = "cc7332f3-7abc-5f37-984d-9815634f1d7f";
    assertThat(valueAs(FieldType.UUID, UUID.fromString(text))).isEqualTo("\"" + text + "\"");
    assertThat(valueAs(FieldType.UUID, text)).isEqualTo("\"" + text + "\"");
    assertThat(valueAs(FieldType.UUID, "CC7332F3-7ABC-5F37-984D-9815634F1D7F"))
        .isEqualTo("\"" + text + "\"");
  }

  @Test
  void bytesAreBase64WithPadding() {
    assertThat(valueAs(FieldType.BYTES, new byte[0])).isEqualTo("\"\"");
    assertThat(valueAs(FieldType.BYTES, new byte[] {1})).isEqualTo("\"AQ==\"");
    assertThat(valueAs(FieldType.BYTES, new byte[] {-1, -2})).isEqualTo("\"//4=\"");
    assertThat(valueAs(FieldType.BYTES, new byte[] {-1, -2, -3})).isEqualTo("\"//79\"");
    assertThat(valueAs(FieldType.BYTES, new byte[100])).hasSize(2 + 136).doesNotContain("\\n");
  }

  @Test
  void aByteBufferKeepsItsPosition() {
    ByteBuffer buffer = ByteBuffer.wrap(new byte[] {9, 1, 9}, 1, 1);
    assertThat(valueAs(FieldType.BYTES, buffer)).isEqualTo("\"AQ==\"");
    assertThat(buffer.position()).isEqualTo(1);
    assertThat(valueAs(FieldType.BYTES, buffer.asReadOnlyBuffer())).isEqualTo("\"AQ==\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5_999, 6_000, 8_000, 24_000, 100_000})
  void bytesOfEveryLengthAreOneString(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    assertThat(valueAs(FieldType.BYTES, bytes))
        .isEqualTo("\"" + java.util.Base64.getEncoder().encodeToString(bytes) + "\"");
  }
}
