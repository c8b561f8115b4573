package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.ndjson;
import static io.filament.sink.s3.internal.encode.Encoding.rows;
import static io.filament.sink.s3.internal.encode.Encoding.valueAs;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.nio.CharBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings and names in JSON. */
class JsonStringsTest {

  /** Lengths around the edges of every buffer that a string passes on its way. */
  static IntStream lengths() {
    return IntStream.of(3_990, 4_086, 7_990, 8_180, 12_278)
        .flatMap(n -> IntStream.range(n, n + 21));
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void aPairOfSurrogatesIsNeverCut(int length) {
    String text = "a".repeat(length) + "😀b";
    assertThat(valueAs(FieldType.STRING, text)).isEqualTo("\"" + text + "\"");
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void aPairOfSurrogatesIsNeverCutInAKey(int length) {
    String key = "a".repeat(length) + "😀b";
    assertThat(valueAs(FieldType.map(FieldType.STRING, FieldType.INT32), java.util.Map.of(key, 1)))
        .isEqualTo("{\"" + key + "\":1}");
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void aPairOfSurrogatesIsNeverCutInAName(int length) {
    String name = "a".repeat(length) + "😀b";
    Schema schema = Schema.builder().required(name, FieldType.INT32).build();
    assertThat(ndjson(schema, rows(schema, new Object[] {1}))).isEqualTo("{\"" + name + "\":1}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"，", "é", "日", "😀", "a，", "ab😀"})
  void longTextsOfEveryWidthStayAsTheyAre(String piece) {
    String text = piece.repeat(5_000);
    assertThat(valueAs(FieldType.STRING, text)).isEqualTo("\"" + text + "\"");
  }

  @Test
  void controlCharactersAreEscapedAndNothingElseIs() {
    for (char c = 0; c < 0x20; c++) {
      String json = valueAs(FieldType.STRING, "a" + c + "b");
      String expected =
          switch (c) {
            case '\b' -> "\\b";
            case '\t' -> "\\t";
            case '\n' -> "\\n";
            case '\f' -> "\\f";
            case '\r' -> "\\r";
            default -> String.format("\\u%04X", (int) c);
          };
      assertThat(json).isEqualTo("\"a" + expected + "b\"");
    }
    assertThat(valueAs(FieldType.STRING, "\u007F\u0085\u2028\u2029\uFEFF/'<"))
        .isEqualTo("\"\u007F\u0085\u2028\u2029\uFEFF/'<\"");
    assertThat(valueAs(FieldType.STRING, "\"\\")).isEqualTo("\"\\\"\\\\\"");
  }

  @Test
  void aZeroCharacterIsKept() {
    assertThat(valueAs(FieldType.STRING, "\u0000abc")).isEqualTo("\"\\u0000abc\"");
  }

  @Test
  void textIsWrittenAsItIsRead() {
    assertThat(valueAs(FieldType.STRING, "héllo 日本")).isEqualTo("\"héllo 日本\"");
  }

  @Test
  void aSurrogateWithoutItsPartnerBecomesTheReplacementCharacter() {
    assertThat(valueAs(FieldType.STRING, "a\uD83Db")).isEqualTo("\"a\uFFFDb\"");
    assertThat(valueAs(FieldType.STRING, "a\uDE00b")).isEqualTo("\"a\uFFFDb\"");
    assertThat(valueAs(FieldType.STRING, "\uD83D")).isEqualTo("\"\uFFFD\"");
    assertThat(valueAs(FieldType.STRING, "\uDE00\uD83D")).isEqualTo("\"\uFFFD\uFFFD\"");
    assertThat(valueAs(FieldType.STRING, "\uD83D\uD83D\uDE00")).isEqualTo("\"\uFFFD😀\"");
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void aLoneSurrogateIsFoundAtEveryEdge(int length) {
    String text = "a".repeat(length);
    assertThat(valueAs(FieldType.STRING, text + "\uD83D" + text))
        .isEqualTo("\"" + text + "\uFFFD" + text + "\"");
  }

  @Test
  void everyCharSequenceIsTaken() {
    assertThat(valueAs(FieldType.STRING, new StringBuilder("xa😀").deleteCharAt(0)))
        .isEqualTo("\"a😀\"");
    assertThat(valueAs(FieldType.STRING, CharBuffer.wrap("xa😀", 1, 4))).isEqualTo("\"a😀\"");
    assertThat(valueAs(FieldType.STRING, "")).isEqualTo("\"\"");
  }

  @Test
  void strangeNamesAreAllKeptInTheOrderOfTheSchema() {
    Schema schema =
        Schema.builder()
            .required("", FieldType.INT32)
            .required("a", FieldType.INT32)
            .required("A", FieldType.INT32)
            .required("a.b", FieldType.INT32)
            .required("\n", FieldType.INT32)
            .required("+1", FieldType.INT32)
            .required("-1", FieldType.INT32)
            .required("né\"\\", FieldType.INT32)
            .build();
    assertThat(ndjson(schema, rows(schema, new Object[] {1, 2, 3, 4, 5, 6, 7, 8})))
        .isEqualTo(
            "{\"\":1,\"a\":2,\"A\":3,\"a.b\":4,\"\\n\":5,\"+1\":6,\"-1\":7,\"né\\\"\\\\\":8}\n");
  }
}
