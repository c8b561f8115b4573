package io.filament.sink.s3.internal.encode;

import static io.filament.sink.FieldType.decimal;
import static io.filament.sink.FieldType.list;
import static io.filament.sink.FieldType.map;
import static io.filament.sink.FieldType.struct;
import static java.util.Arrays.asList;
import static java.util.Collections.singletonList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Null and empty at every depth, each read back as what it was. */
final class ParquetNestedTest {

  private static final Schema AB =
      Schema.builder().required("a", FieldType.INT32).nullable("b", FieldType.STRING).build();

  /** A type, its values, and how DuckDB prints what it reads. */
  static Stream<Arguments> values() {
    return Stream.of(
        arguments(
            list(FieldType.INT64),
            asList(asList(1L, null, 2L), List.of(), null, singletonList(null)),
            asList("[1, NULL, 2]", "[]", null, "[NULL]")),
        arguments(
            list(list(FieldType.INT32)),
            asList(
                List.of(List.of(), List.of(1L)),
                asList(null, asList(1L, null), List.of(2L, 3L)),
                List.of(),
                null),
            asList("[[], [1]]", "[NULL, [1, NULL], [2, 3]]", "[]", null)),
        arguments(
            list(struct(AB)),
            asList(asList(List.of(1L, "x"), asList(2L, null), null), List.of(), null),
            asList("[{'a': 1, 'b': x}, {'a': 2, 'b': NULL}, NULL]", "[]", null)),
        arguments(
            map(FieldType.STRING, struct(AB)),
            asList(
                entries("k", List.of(1L, "x"), "l", asList(2L, null), "m", null), Map.of(), null),
            asList("{k={'a': 1, 'b': x}, l={'a': 2, 'b': NULL}, m=NULL}", "{}", null)),
        arguments(
            map(FieldType.INT32, list(FieldType.STRING)),
            asList(entries(1L, asList("x", null), 2L, List.of(), 3L, null), Map.of(), null),
            asList("{1=[x, NULL], 2=[], 3=NULL}", "{}", null)),
        arguments(
            list(map(FieldType.STRING, FieldType.BOOLEAN)),
            asList(asList(entries("k", true, "l", null), Map.of(), null), List.of(), null),
            asList("[{k=true, l=NULL}, {}, NULL]", "[]", null)),
        arguments(
            struct(Schema.builder().nullable("d", decimal(19, 2)).build()),
            asList(null, singletonList(null), List.of(BigInteger.valueOf(100))),
            asList(null, "{'d': NULL}", "{'d': 1.00}")),
        arguments(
            struct(Schema.builder().nullable("s", struct(AB)).build()),
            asList(null, singletonList(null), List.of(asList(1L, null)), List.of(List.of(2L, "x"))),
            asList(null, "{'s': NULL}", "{'s': {'a': 1, 'b': NULL}}", "{'s': {'a': 2, 'b': x}}")),
        arguments(
            struct(Schema.builder().required("s", struct(AB)).build()),
            asList(null, List.of(asList(1L, null))),
            asList(null, "{'s': {'a': 1, 'b': NULL}}")),
        arguments(
            struct(
                Schema.builder()
                    .nullable("l", list(FieldType.INT16))
                    .required("m", map(FieldType.STRING, FieldType.DATE))
                    .build()),
            asList(null, asList(null, Map.of()), List.of(List.of(), entries("k", null))),
            asList(null, "{'l': NULL, 'm': {}}", "{'l': [], 'm': {k=NULL}}")),
        arguments(
            map(FieldType.STRING, map(FieldType.STRING, list(list(FieldType.STRING)))),
            asList(
                entries("k", entries("l", asList(null, List.of(), singletonList(null)), "m", null)),
                entries("k", Map.of(), "l", null)),
            List.of("{k={l=[NULL, [], [NULL]], m=NULL}}", "{k={}, l=NULL}")));
  }

  @ParameterizedTest
  @MethodSource("values")
  void nullAndEmptyAreReadBackByParquetJava(FieldType type, List<Object> values) {
    Schema schema = Schema.builder().nullable("c", type).build();
    List<List<Object>> rows = rows(values);

    assertThat(ParquetFile.of(schema, Compression.SNAPPY, rows).rows(schema)).isEqualTo(rows);
  }

  @ParameterizedTest
  @MethodSource("values")
  void nullAndEmptyAreReadBackByDuckDb(
      FieldType type, List<Object> values, List<String> texts, @TempDir Path directory)
      throws Exception {
    Schema schema = Schema.builder().nullable("c", type).build();
    ParquetFile file = ParquetFile.of(schema, Compression.SNAPPY, rows(values));

    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.values("SELECT CAST(c AS VARCHAR) FROM $file")).isEqualTo(texts);
    }
  }

  /** Without null, a required field has one definition level less on the way to its values. */
  @ParameterizedTest
  @MethodSource("values")
  void requiredFieldsAreReadBackByBoth(
      FieldType type, List<Object> values, List<String> texts, @TempDir Path directory)
      throws Exception {
    Schema schema = Schema.builder().required("c", type).build();
    List<List<Object>> rows = rows(values.stream().filter(value -> value != null).toList());
    ParquetFile file = ParquetFile.of(schema, Compression.SNAPPY, rows);

    assertThat(file.rows(schema)).isEqualTo(rows);
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.values("SELECT CAST(c AS VARCHAR) FROM $file"))
          .isEqualTo(texts.stream().filter(text -> text != null).toList());
    }
  }

  private static List<List<Object>> rows(List<Object> values) {
    List<List<Object>> rows = new ArrayList<>();
    values.forEach(value -> rows.add(singletonList(value)));
    return rows;
  }

  private static Map<Object, Object> entries(Object... keysAndValues) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      entries.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return entries;
  }
}
