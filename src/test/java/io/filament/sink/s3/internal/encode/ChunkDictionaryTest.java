package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ChunkDictionaryTest {

  private final ChunkDictionary dictionary = new ChunkDictionary();

  static List<FieldType> types() {
    return List.of(FieldType.INT64, FieldType.INT32, FieldType.STRING);
  }

  @ParameterizedTest
  @MethodSource("types")
  void valuesGetTheirCodesInTheOrderOfAppearance(FieldType type) {
    assertThat(fill(type, 100_000, i -> i * 7919 % 1_000)).isTrue();

    assertThat(dictionary.size()).isEqualTo(1_000);
    List<Integer> first = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      first.add(i * 7919 % 1_000);
    }
    for (int i = 0; i < 100_000; i++) {
      assertThat((int) dictionary.codes()[i]).isEqualTo(i % 1_000);
    }
    assertThat(entries(type)).isEqualTo(first.stream().map(i -> content(type, i)).toList());
  }

  @ParameterizedTest
  @MethodSource("types")
  void isGivenUpWhereTheFirstValuesDiffer(FieldType type) {
    assertThat(fill(type, 100_000, i -> Math.min(i, 6_999))).isTrue();
    assertThat(dictionary.size()).isEqualTo(7_000);
    assertThat(fill(type, 100_000, i -> Math.min(i, 7_000))).isFalse();
    // What comes after the first look may differ more, up to the second.
    assertThat(fill(type, 100_000, i -> i < 10_000 ? 0 : Math.min(i, 29_998))).isTrue();
    assertThat(dictionary.size()).isEqualTo(20_000);
    assertThat(fill(type, 100_000, i -> i < 10_000 ? 0 : Math.min(i, 29_999))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("types")
  void hasAtMostItsEntries(FieldType type) {
    int most = ChunkDictionary.MAX_ENTRIES;
    assertThat(fill(type, 200_000, i -> i < 40_000 ? 0 : Math.min(i - 40_000, most - 1))).isTrue();
    assertThat(dictionary.size()).isEqualTo(most);
    assertThat(fill(type, 200_000, i -> i < 40_000 ? 0 : Math.min(i - 40_000, most))).isFalse();
  }

  @Test
  void paysWhereHalfOfTheValuesAreTheSame() {
    assertThat(fill(FieldType.INT64, 4, i -> i / 2)).isTrue();
    assertThat(fill(FieldType.INT64, 5, i -> i / 2)).isFalse();
    assertThat(fill(FieldType.INT64, 1, i -> i)).isFalse();
    assertThat(fill(FieldType.INT64, 2, i -> 0)).isTrue();
    assertThat(dictionary.size()).isEqualTo(1);
  }

  @Test
  void hasAtMostItsBytes() {
    Schema schema = Schema.builder().required("c", FieldType.STRING).build();
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 44; i++) {
      rows.add(List.of(String.valueOf((char) ('a' + i % 11)).repeat(100_000)));
    }
    assertThat(fill(FieldType.STRING, schema, rows.subList(0, 10))).isFalse();
    rows.removeIf(row -> ((String) row.get(0)).startsWith("k"));
    assertThat(fill(FieldType.STRING, schema, rows)).isTrue();
    rows.addAll(0, Collections.nCopies(20, List.of("l".repeat(100_000))));
    rows.addAll(Collections.nCopies(20, List.of("k".repeat(100_000))));
    assertThat(fill(FieldType.STRING, schema, rows)).isFalse();
  }

  @Test
  void textsThatBeginAlikeAreDistinct() {
    Schema schema = Schema.builder().required("c", FieldType.STRING).build();
    List<List<Object>> rows = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      for (int length = 0; length < 200; length++) {
        rows.add(List.of("x".repeat(length)));
        rows.add(List.of("x".repeat(length) + "y"));
        rows.add(List.of("x".repeat(length) + '\0'));
      }
    }

    assertThat(fill(FieldType.STRING, schema, rows)).isTrue();
    assertThat(dictionary.size()).isEqualTo(600);
  }

  @Test
  void typesWithoutDictionariesHaveNone() {
    assertThat(fill(FieldType.BOOLEAN, 1_000, i -> 0)).isFalse();
  }

  private boolean fill(FieldType type, int count, IntUnaryOperator value) {
    Schema schema = Schema.builder().required("c", type).build();
    List<List<Object>> rows =
        IntStream.range(0, count)
            .mapToObj(i -> List.of(content(type, value.applyAsInt(i))))
            .toList();
    return fill(type, schema, rows);
  }

  private static Object content(FieldType type, int value) {
    return type == FieldType.STRING ? "value " + value : (Object) (long) value;
  }

  private boolean fill(FieldType type, Schema schema, List<List<Object>> rows) {
    PlainValues plain = PlainValues.of(type);
    Vector vector = TestVectors.slice(schema, rows).vectors().get(0);
    List<OpenPage> pages = new ArrayList<>();
    for (int at = 0; at < rows.size(); ) {
      OpenPage page = new OpenPage(plain.pageBytes());
      int count = plain.put(vector, at, rows.size(), page);
      page.addRequired(count);
      pages.add(page);
      at += count;
    }
    return dictionary.fill(pages, plain.lookup());
  }

  private List<Object> entries(FieldType type) {
    List<Object> entries = new ArrayList<>();
    byte[] bytes = dictionary.entries().array();
    for (int at = 0; at < dictionary.entries().length(); ) {
      if (type == FieldType.STRING) {
        int length = (int) PageBytes.INT.get(bytes, at);
        entries.add(new String(bytes, at + 4, length, StandardCharsets.UTF_8));
        at += 4 + length;
      } else if (type == FieldType.INT32) {
        entries.add((long) (int) PageBytes.INT.get(bytes, at));
        at += 4;
      } else {
        entries.add((long) PageBytes.LONG.get(bytes, at));
        at += 8;
      }
    }
    return entries;
  }
}
