package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.failureOf;
import static io.filament.sink.s3.internal.encode.Encoding.valueAs;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON text as a value. */
class JsonTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "0",
        "-0",
        "-0.0",
        "1E400",
        "1.0",
        "1.10e+5",
        "123456789012345678901234567890.123456789012345678901234567890",
        "\"\"",
        "\"a b\\tc\\u00e9\\/é😀\u2028\"",
        "[]",
        "{}",
        "{\"b\":1,\"a\":2,\"b\":3}",
        "[1,[2,{\"x\":[null,false]}]]",
        "{\"\":\"\\\"\",\"\\\\\":\"\\\\\"}"
      })
  void aValueOnOneLineStaysAsItIs(String text) {
    assertThat(valueAs(FieldType.JSON, text)).isEqualTo(text);
    assertThat(valueAs(FieldType.JSON, column(text.getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(text);
  }

  @Test
  void whiteSpaceBetweenTokensIsRemovedAndWithinStringsKept() {
    assertThat(
            valueAs(
                FieldType.JSON,
                " \r\n{\t\"a \\\" b\" : [ 1 ,\n 2.50 ,\"x  y\"\r ] , \"c\\\\\" : { } }\n "))
        .isEqualTo("{\"a \\\" b\":[1,2.50,\"x  y\"],\"c\\\\\":{}}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"\\ud83d\\ude00\", \"\\ud83d\\ude00\"",
        "\"\\uD83D\", \"\\ufffd\"",
        "\"\\uDE00\", \"\\ufffd\"",
        "\"\\uDE00\\uD83Dx\", \"\\ufffd\\ufffdx\"",
        "\"\\uD83D\\uD83D\\uDE00\", \"\\ufffd\\uD83D\\uDE00\"",
        "\"\\uD83D\\n\", \"\\ufffd\\n\"",
        "{\"\\uD83D\":\"\\\\uD83D\"}, {\"\\ufffd\":\"\\\\uD83D\"}"
      })
  void anEscapedSurrogateWithoutItsPartnerBecomesTheReplacementCharacter(
      String text, String expected) {
    assertThat(valueAs(FieldType.JSON, text)).isEqualTo(expected);
  }

  @Test
  void aLoneSurrogateInTheTextBecomesTheReplacementCharacter() {
    assertThat(valueAs(FieldType.JSON, "\"a\uD83Db\"")).isEqualTo("\"a\uFFFDb\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "{",
        "[1,",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\"}",
        "{a:1}",
        "{'a':1}",
        "'a'",
        "\"abc",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "-",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru",
        "truee",
        "True",
        "1 2",
        "1a",
        "{} {}",
        "[]]",
        "null null",
        "// c\n1",
        "/* c */ 1",
        "1 # c",
        "\uFEFF1",
        "\u00A01",
        "1\u0000"
      })
  void whatIsNotOneValueIsRefused(String text) {
    assertThat(failureOf(FieldType.JSON, text))
        .as(text)
        .message()
        .contains("is not one JSON value");
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(failureOf(FieldType.JSON, column(utf8)))
        .as(text)
        .message()
        .contains("is not one JSON value");
  }

  @Test
  void theMessageHasTheTextAndTheReason() {
    assertThat(failureOf(FieldType.JSON, "{\"a\":1} x"))
        .hasMessageStartingWith(
            "resource \"things\", row 0, field \"v\": \"{\"a\":1} x\" is not one JSON value: "
                + "Unrecognized token 'x'");
    assertThat(failureOf(FieldType.JSON, " "))
        .hasMessageEndingWith("\" \" is not one JSON value: there is no value");
    assertThat(failureOf(FieldType.JSON, "1 2"))
        .hasMessageEndingWith("\"1 2\" is not one JSON value: something follows the value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
  void anotherEncodingIsRefused(String charset) {
    byte[] bytes = "{\"a\":1}".getBytes(Charset.forName(charset));
    assertThat(failureOf(FieldType.JSON, column(bytes))).isNotNull();
    assertThat(failureOf(FieldType.JSON, column("1".getBytes(Charset.forName(charset)))))
        .isNotNull();
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] latin1 = "\"é\"".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(failureOf(FieldType.JSON, column(latin1)))
        .message()
        .endsWith("is not UTF-8 at byte 1");
  }

  @Test
  void nineHundredLevelsAreTakenAndOneMoreIsNot() {
    String deepest = "[".repeat(JsonText.MAX_DEPTH) + "]".repeat(JsonText.MAX_DEPTH);
    assertThat(valueAs(FieldType.JSON, deepest)).isEqualTo(deepest);
    assertThat(failureOf(FieldType.JSON, "[" + deepest + "]"))
        .message()
        .endsWith("is nested deeper than 900 levels");
    assertThat(failureOf(FieldType.JSON, "[".repeat(1_000_000))).isNotNull();
  }

  @Test
  void longNumbersNamesAndStringsAreTaken() {
    String number = "-" + "9".repeat(100_000) + "." + "8".repeat(100_000);
    assertThat(valueAs(FieldType.JSON, number)).isEqualTo(number);
    String object = "{\"" + "é".repeat(100_000) + "\":\"" + "x".repeat(30_000_000) + "\"}";
    assertThat(valueAs(FieldType.JSON, object).equals(object)).isTrue();
  }

  private static Column column(byte[] bytes) {
    return Column.ofBytes(bytes, new int[] {0, bytes.length}, null);
  }
}
