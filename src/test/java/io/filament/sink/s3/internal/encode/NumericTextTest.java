package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.failureOf;
import static io.filament.sink.s3.internal.encode.Encoding.valueAs;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one form of NUMERIC values, from numbers and from their texts. */
class NumericTextTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "-0.00, 0.00",
    "0.00000000, 0.00000000",
    "0E-8, 0.00000000",
    "0E+8, 0",
    "1.50, 1.50",
    "-1.50, -1.50",
    "+1.5, 1.5",
    "007.10, 7.10",
    ".5, 0.5",
    "5., 5",
    "1e3, 1000",
    "1.25E+1, 12.5",
    "1.25E1, 12.5",
    "12.5e-3, 0.0125",
    "-123e-3, -0.123",
    "123e-2, 1.23",
    "18446744073709551615, 18446744073709551615",
    "1e0000000000000000000000000005, 100000"
  })
  void aNumberIsPlainAndKeepsItsDigits(String text, String expected) {
    assertThat(valueAs(FieldType.NUMERIC, text)).isEqualTo(expected);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(valueAs(FieldType.NUMERIC, Column.ofBytes(utf8, new int[] {0, utf8.length}, null)))
        .isEqualTo(expected);
    assertThat(valueAs(FieldType.NUMERIC, new BigDecimal(text))).isEqualTo(expected);
  }

  @Test
  void wholeNumbersOfEveryClassAreTaken() {
    assertThat(valueAs(FieldType.NUMERIC, new BigInteger("-18446744073709551616")))
        .isEqualTo("-18446744073709551616");
    assertThat(valueAs(FieldType.NUMERIC, Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(valueAs(FieldType.NUMERIC, (byte) 1)).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity"})
  void whatIsNoNumberIsAString(String text) {
    assertThat(valueAs(FieldType.NUMERIC, text)).isEqualTo("\"" + text + "\"");
  }

  @Test
  void aHugeExponentStaysAnExponent() {
    assertThat(valueAs(FieldType.NUMERIC, new BigDecimal("9.223372E+1010671858")))
        .isEqualTo("9.223372E+1010671858");
    assertThat(valueAs(FieldType.NUMERIC, "-9.223372e+1010671858"))
        .isEqualTo("-9.223372E+1010671858");
    assertThat(valueAs(FieldType.NUMERIC, "1e-2000000000")).isEqualTo("1E-2000000000");
    assertThat(valueAs(FieldType.NUMERIC, "0e-2000000000")).isEqualTo("0E-2000000000");
    assertThat(valueAs(FieldType.NUMERIC, "10e-2000000000")).isEqualTo("1.0E-1999999999");
  }

  @Test
  void fourHundredDigitsArePlainAndOneMoreIsNot() {
    assertThat(valueAs(FieldType.NUMERIC, "1e399")).isEqualTo("1" + "0".repeat(399));
    assertThat(valueAs(FieldType.NUMERIC, "1e400")).isEqualTo("1E+400");
    assertThat(valueAs(FieldType.NUMERIC, "-1e-399")).isEqualTo("-0." + "0".repeat(398) + "1");
    assertThat(valueAs(FieldType.NUMERIC, "1e-400")).isEqualTo("1E-400");
    String digits = "1234567890".repeat(40);
    assertThat(valueAs(FieldType.NUMERIC, digits)).isEqualTo(digits);
    assertThat(valueAs(FieldType.NUMERIC, "0." + digits.substring(1)))
        .isEqualTo("0." + digits.substring(1));
    assertThat(valueAs(FieldType.NUMERIC, digits + "7"))
        .isEqualTo("1." + digits.substring(1) + "7E+400");
  }

  @Test
  void aMillionDigitsAreAllKept() {
    String digits = "1234567890".repeat(100_000);
    assertThat(valueAs(FieldType.NUMERIC, digits))
        .isEqualTo("1." + digits.substring(1) + "E+999999");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "+",
        "-",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "1 ",
        " 1",
        "1,5",
        "0x10",
        "1_000",
        "1.2.3",
        "--1",
        "nan",
        "+Infinity",
        "infinity",
        "Inf",
        "1d",
        "1f",
        "٣",
        "１"
      })
  void whatIsNoNumberIsRefused(String text) {
    String message = "\"" + text + "\" is no decimal number, nor NaN, Infinity or -Infinity";
    assertThat(failureOf(FieldType.NUMERIC, text)).hasMessageEndingWith(message);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(failureOf(FieldType.NUMERIC, Column.ofBytes(utf8, new int[] {0, utf8.length}, null)))
        .hasMessageEndingWith(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e2147483648", "10e2147483647", "1e-2147483649", "1e99999999999999999999999"})
  void anExponentThatReadersCannotHoldIsRefused(String text) {
    assertThat(failureOf(FieldType.NUMERIC, text))
        .hasMessageEndingWith(
            "\"" + text + "\" has an exponent out of the range -2147483648 to 2147483647");
  }

  @Test
  void aBinaryFractionIsRefused() {
    assertThat(failureOf(FieldType.NUMERIC, 0.1))
        .hasMessageEndingWith("NUMERIC takes a BigDecimal or its text, not java.lang.Double 0.1");
  }
}
