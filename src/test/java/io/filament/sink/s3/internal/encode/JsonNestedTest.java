package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.ndjson;
import static io.filament.sink.s3.internal.encode.Encoding.rows;
import static io.filament.sink.s3.internal.encode.Encoding.valueAs;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists, structs and maps in JSON. */
class JsonNestedTest {

  private static final FieldType INTS = FieldType.list(FieldType.INT32);

  @Test
  void nullEmptyListAndListOfNullAreDifferent() {
    assertThat(valueAs(INTS, Arrays.asList(1, null, 2))).isEqualTo("[1,null,2]");
    assertThat(valueAs(INTS, List.of())).isEqualTo("[]");
    assertThat(valueAs(INTS, (Object) null)).isEqualTo("null");
    assertThat(valueAs(INTS, Collections.singletonList(null))).isEqualTo("[null]");
  }

  static Stream<Arguments> arrays() {
    return Stream.of(
        Arguments.of(FieldType.INT32, List.of(1, 2), "[1,2]"),
        Arguments.of(FieldType.INT32, new Object[] {1, null}, "[1,null]"),
        Arguments.of(FieldType.INT32, new Integer[] {1, 2}, "[1,2]"),
        Arguments.of(FieldType.INT32, new int[] {1, 2}, "[1,2]"),
        Arguments.of(FieldType.INT64, new long[] {1, Long.MAX_VALUE}, "[1,9223372036854775807]"),
        Arguments.of(FieldType.INT16, new short[] {1}, "[1]"),
        Arguments.of(FieldType.INT16, new byte[] {-1}, "[-1]"),
        Arguments.of(FieldType.FLOAT64, new double[] {1, Double.NaN}, "[1.0,\"NaN\"]"),
        Arguments.of(FieldType.FLOAT32, new float[] {0.1f}, "[0.1]"),
        Arguments.of(FieldType.BOOLEAN, new boolean[] {true, false}, "[true,false]"),
        Arguments.of(FieldType.decimal(5, 2), new long[] {3}, "[3.00]"),
        Arguments.of(FieldType.BYTES, new byte[][] {{1}, null}, "[\"AQ==\",null]"));
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void listsComeFromListsAndArraysOfEveryKind(FieldType element, Object value, String expected) {
    assertThat(valueAs(FieldType.list(element), value)).isEqualTo(expected);
  }

  @Test
  void listsOfListsAndEmptyMapsAreKept() {
    FieldType matrix = FieldType.list(INTS);
    assertThat(valueAs(matrix, List.of(List.of(), List.of(1)))).isEqualTo("[[],[1]]");
    assertThat(valueAs(matrix, new int[][] {{}, {1, 2}, null})).isEqualTo("[[],[1,2],null]");
    assertThat(valueAs(FieldType.map(FieldType.STRING, FieldType.INT32), Map.of())).isEqualTo("{}");
  }

  @Test
  void aNullStructAStructOfNullsAndAValueAreDifferent() {
    FieldType struct =
        FieldType.struct(Schema.builder().nullable("d", FieldType.decimal(19, 2)).build());
    assertThat(valueAs(struct, (Object) null)).isEqualTo("null");
    assertThat(valueAs(struct, Collections.singletonMap("d", null))).isEqualTo("{\"d\":null}");
    assertThat(valueAs(struct, Map.of())).isEqualTo("{\"d\":null}");
    assertThat(valueAs(struct, Map.of("d", new BigDecimal("1.00")))).isEqualTo("{\"d\":1.00}");
    assertThat(valueAs(struct, new Object[] {null})).isEqualTo("{\"d\":null}");
  }

  @Test
  void aNullStructMayHaveRequiredFields() {
    FieldType inner = FieldType.struct(Schema.builder().required("b", FieldType.INT32).build());
    FieldType outer =
        FieldType.struct(Schema.builder().nullable("i", inner).required("l", INTS).build());
    Schema schema = Schema.builder().nullable("v", outer).build();
    assertThat(
            ndjson(
                schema,
                rows(
                    schema,
                    new Object[] {null},
                    new Object[] {Map.of("l", List.of(1))},
                    new Object[] {Map.of("l", List.of(), "i", Map.of("b", 2))})))
        .isEqualTo(
            """
            {"v":null}
            {"v":{"i":null,"l":[1]}}
            {"v":{"i":{"b":2},"l":[]}}
            """);
  }

  @Test
  void fieldsThatAMapOmitsAreNull() {
    FieldType element =
        FieldType.struct(
            Schema.builder()
                .required("a", FieldType.INT32)
                .nullable("b", FieldType.STRING)
                .build());
    assertThat(
            valueAs(
                FieldType.list(element),
                List.of(Map.of("a", 1), Map.of("b", "x", "a", 2), new Object[] {3, null})))
        .isEqualTo("[{\"a\":1,\"b\":null},{\"a\":2,\"b\":\"x\"},{\"a\":3,\"b\":null}]");
    assertThat(valueAs(FieldType.map(FieldType.STRING, element), Map.of("k", Map.of("a", 1))))
        .isEqualTo("{\"k\":{\"a\":1,\"b\":null}}");
  }

  @Test
  void fieldsStandInTheOrderOfTheSchemaHoweverTheyCome() {
    Schema schema =
        Schema.builder()
            .required("z", FieldType.INT32)
            .required("a", FieldType.INT32)
            .required("m", FieldType.INT32)
            .build();
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("m", 3);
    record.put("a", 2);
    record.put("z", 1);
    String expected = "{\"z\":1,\"a\":2,\"m\":3}";
    assertThat(ndjson(schema, RecordBatch.ofMaps("things", schema, List.of(record))))
        .isEqualTo(expected + "\n");
    assertThat(valueAs(FieldType.struct(schema), record)).isEqualTo(expected);
  }

  @Test
  void keysOfAMapKeepTheirOrderAndCase() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("", 1);
    map.put("a", 2);
    map.put("A", 3);
    map.put("a.b", 4);
    map.put("\n", null);
    map.put("日本\"", 6);
    assertThat(valueAs(FieldType.map(FieldType.STRING, FieldType.INT32), map))
        .isEqualTo("{\"\":1,\"a\":2,\"A\":3,\"a.b\":4,\"\\n\":null,\"日本\\\"\":6}");
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of(FieldType.BOOLEAN, true, "true"),
        Arguments.of(FieldType.INT64, -5L, "-5"),
        Arguments.of(FieldType.FLOAT64, 1e10, "10000000000.0"),
        Arguments.of(FieldType.FLOAT64, Double.NaN, "NaN"),
        Arguments.of(FieldType.decimal(5, 2), new BigDecimal("1.5"), "1.50"),
        Arguments.of(FieldType.NUMERIC, "1.5", "1.5"),
        Arguments.of(FieldType.BYTES, new byte[] {1}, "AQ=="),
        Arguments.of(FieldType.DATE, LocalDate.of(2026, 9, 10), "2026-09-10"),
        Arguments.of(FieldType.TIME, LocalTime.NOON, "12:00:00"),
        Arguments.of(FieldType.TIMESTAMPTZ, Instant.EPOCH, "1970-01-01T00:00:00Z"),
        Arguments.of(
            FieldType.UUID,
            "CC7332F3-7ABC-5F37-984D-9815634F1D7F",
            "cc7332f3-7abc-5f37-984d-9815634f1d7f"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void keysOfEveryTypeAreText(FieldType type, Object key, String expected) {
    assertThat(valueAs(FieldType.map(type, FieldType.INT32), Map.of(key, 1)))
        .isEqualTo("{\"" + expected + "\":1}");
  }

  @Test
  void aMapOfManyKeysIsKept() {
    Map<Object, Object> map = new LinkedHashMap<>();
    StringBuilder expected = new StringBuilder("{");
    for (int i = 0; i < 5_000; i++) {
      map.put("k" + i, i);
      expected.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":").append(i);
    }
    assertThat(valueAs(FieldType.map(FieldType.STRING, FieldType.INT32), map))
        .isEqualTo(expected.append('}').toString());
  }

  @Test
  void theDeepestSchemaIsWritten() {
    FieldType type = FieldType.INT32;
    Object value = 7;
    for (int i = 1; i < SchemaRules.MAX_DEPTH; i++) {
      type = FieldType.list(type);
      value = new Object[] {value};
    }
    int levels = SchemaRules.MAX_DEPTH - 1;
    assertThat(valueAs(type, value)).isEqualTo("[".repeat(levels) + "7" + "]".repeat(levels));
  }
}
