package io.filament.sink.s3.internal.encode;

import static io.filament.sink.s3.internal.encode.Encoding.failureOf;
import static io.filament.sink.s3.internal.encode.Encoding.ndjson;
import static io.filament.sink.s3.internal.encode.Encoding.valueAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.Primitive;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of primitive values: which types take them, and that they are checked as others are. */
class ColumnsTest {

  private static final Set<Primitive> OF_LONGS =
      EnumSet.of(
          Primitive.BOOLEAN,
          Primitive.INT16,
          Primitive.INT32,
          Primitive.INT64,
          Primitive.DATE,
          Primitive.TIME,
          Primitive.TIMESTAMP,
          Primitive.TIMESTAMPTZ);
  private static final Set<Primitive> OF_DOUBLES = EnumSet.of(Primitive.FLOAT32, Primitive.FLOAT64);
  private static final Set<Primitive> OF_BYTES =
      EnumSet.of(
          Primitive.STRING, Primitive.JSON, Primitive.BYTES, Primitive.NUMERIC, Primitive.UUID);

  @ParameterizedTest
  @CsvSource({
    "BOOLEAN, 0, false",
    "BOOLEAN, 1, true",
    "INT16, -32768, -32768",
    "INT32, 2147483647, 2147483647",
    "INT64, -9223372036854775808, -9223372036854775808",
    "DATE, -1, '\"1969-12-31\"'",
    "DATE, 0, '\"1970-01-01\"'",
    "TIME, 0, '\"00:00:00\"'",
    "TIME, 86399999999, '\"23:59:59.999999\"'",
    "TIMESTAMP, -1, '\"1969-12-31T23:59:59.999999\"'",
    "TIMESTAMP, -9223372036854775808, '\"-290308-12-21T19:59:05.224192\"'",
    "TIMESTAMPTZ, 1000000, '\"1970-01-01T00:00:01Z\"'"
  })
  void longsStandForTheValuesOfTheirType(Primitive type, long value, String expected) {
    assertThat(valueAs(type, Column.ofLongs(new long[] {value}, null))).isEqualTo(expected);
  }

  @Test
  void longsAreTheUnscaledValuesOfDecimals() {
    Column column = Column.ofLongs(new long[] {-1999}, null);
    assertThat(valueAs(FieldType.decimal(10, 2), column)).isEqualTo("-19.99");
    assertThat(valueAs(FieldType.decimal(18, 18), column)).isEqualTo("-0.000000000000001999");
  }

  @ParameterizedTest
  @CsvSource({
    "BOOLEAN, 2, 2 is neither 0 (false) nor 1 (true)",
    "BOOLEAN, -1, -1 is neither 0 (false) nor 1 (true)",
    "INT16, 32768, 'INT16, -32768 to 32767'",
    "INT32, -2147483649, 'INT32, -2147483648 to 2147483647'",
    "DATE, 2147483648, 'DATE, -5877641-06-23 to +5881580-07-11'",
    "DATE, -9223372036854775808, 'DATE, -5877641-06-23 to +5881580-07-11'",
    "TIME, -1, '-1 microseconds is no time of day, 0 to 86399999999'",
    "TIME, 86400000000, '86400000000 microseconds is no time of day, 0 to 86399999999'"
  })
  void longsOutOfRangeAreRefused(Primitive type, long value, String end) {
    assertThat(failureOf(type, Column.ofLongs(new long[] {value}, null)))
        .hasMessageStartingWith("resource \"things\", row 0, field \"v\": " + value)
        .hasMessageEndingWith(end);
  }

  @Test
  void decimalsOutOfRangeAreRefused() {
    for (long value : new long[] {1_000, -1_000, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(failureOf(FieldType.decimal(3, 1), Column.ofLongs(new long[] {value}, null)))
          .hasMessageEndingWith(" has more digits before the point than the 2 of decimal(3,1)");
    }
    assertThat(
            valueAs(
                FieldType.decimal(18, 0),
                Column.ofLongs(new long[] {999_999_999_999_999_999L}, null)))
        .isEqualTo("999999999999999999");
  }

  @Test
  void doublesStandForBothFloatingPointTypes() {
    assertThat(valueAs(FieldType.FLOAT64, Column.ofDoubles(new double[] {0.1}, null)))
        .isEqualTo("0.1");
    assertThat(valueAs(FieldType.FLOAT32, Column.ofDoubles(new double[] {0.1f}, null)))
        .isEqualTo("0.1");
    assertThat(valueAs(FieldType.FLOAT32, Column.ofDoubles(new double[] {Double.NaN}, null)))
        .isEqualTo("\"NaN\"");
    assertThat(failureOf(FieldType.FLOAT32, Column.ofDoubles(new double[] {0.1}, null)))
        .hasMessageEndingWith("FLOAT32 can't hold 0.1 exactly");
  }

  @Test
  void bytesStandForTextsAndBytes() {
    assertThat(valueAs(FieldType.STRING, utf8("héllo 😀\n"))).isEqualTo("\"héllo 😀\\n\"");
    assertThat(valueAs(FieldType.JSON, utf8(" [ 1 ] "))).isEqualTo("[1]");
    assertThat(valueAs(FieldType.NUMERIC, utf8("1e2"))).isEqualTo("100");
    assertThat(valueAs(FieldType.UUID, utf8("CC7332F3-7ABC-5F37-984D-9815634F1D7F")))
        .isEqualTo("\"cc7332f3-7abc-5f37-984d-9815634f1d7f\"");
    assertThat(valueAs(FieldType.BYTES, Column.ofBytes(new byte[] {-1}, new int[] {0, 1}, null)))
        .isEqualTo("\"/w==\"");
  }

  @Test
  void aNullMayHaveBytesThatCountForNothing() throws IOException {
    Column texts =
        Column.ofBytes(
            "abc".getBytes(StandardCharsets.UTF_8),
            new int[] {0, 1, 2, 3},
            new boolean[] {false, true, false});
    Schema schema = Schema.builder().nullable("v", FieldType.STRING).build();
    assertThat(ndjson(schema, RecordBatch.ofColumns("things", schema, 3, List.of(texts))))
        .isEqualTo("{\"v\":\"a\"}\n{\"v\":null}\n{\"v\":\"c\"}\n");
  }

  @Test
  void packedBytesThatFailDoSoAtTheirRow() {
    byte[] bytes = "abc".getBytes(StandardCharsets.UTF_8);
    Schema schema =
        Schema.builder().required("v", FieldType.STRING).required("w", FieldType.INT64).build();
    for (int[] offsets : new int[][] {{0, 1, 2, 9}, {0, 1, 3, 2}, {0, 1, 2}}) {
      Column texts = packed(bytes, offsets);
      RecordBatch wrongLast =
          RecordBatch.ofColumns(
              "things",
              schema,
              3,
              List.of(texts, Column.ofLongs(new long[3], new boolean[] {false, false, true})));
      assertThatThrownBy(() -> ndjson(schema, wrongLast))
          .isInstanceOf(IndexOutOfBoundsException.class);
      RecordBatch wrongBefore =
          RecordBatch.ofColumns(
              "things",
              schema,
              3,
              List.of(texts, Column.ofLongs(new long[3], new boolean[] {false, true, false})));
      assertThatThrownBy(() -> ndjson(schema, wrongBefore))
          .hasMessageEndingWith(
              "resource \"things\", row 1, field \"w\": null in a required field");
    }
  }

  /** A host's own column, of which nothing is known before it is read. */
  private static Column packed(byte[] bytes, int[] offsets) {
    return new Column.PackedBytes() {
      @Override
      public boolean isNull(int row) {
        return false;
      }

      @Override
      public byte[] bytes() {
        return bytes;
      }

      @Override
      public int[] offsets() {
        return offsets;
      }
    };
  }

  @Test
  void bytesMayComeInPieces() {
    Column.Bytes pieces =
        new Column.Bytes() {
          @Override
          public boolean isNull(int row) {
            return false;
          }

          @Override
          public void bytesAt(int row, Column.BytesTarget target) {
            byte[] smile = "😀".getBytes(StandardCharsets.UTF_8);
            target.put(smile, 0, 1);
            target.put(ByteBuffer.wrap(smile, 1, 2));
            target.put(smile, 3, 1);
          }
        };
    assertThat(valueAs(FieldType.STRING, pieces)).isEqualTo("\"😀\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "C3",
        "C328",
        "C0AF",
        "C1BF",
        "E28082E2",
        "E2",
        "E282",
        "E28228",
        "E08080",
        "EDA080",
        "EDBFBF",
        "F0808080",
        "F09F98",
        "F0288CBC",
        "F4908080",
        "F5808080",
        "F8888080",
        "FF",
        "FE"
      })
  void bytesThatAreNotUtf8AreRefusedForStrings(String hex) {
    byte[] bytes = HexFormat.of().parseHex("61" + hex);
    assertThat(
            failureOf(FieldType.STRING, Column.ofBytes(bytes, new int[] {0, bytes.length}, null)))
        .message()
        .containsPattern("is not UTF-8 at byte [14]$");
  }

  @Test
  void aCharacterThatIsCutBetweenTwoValuesIsRefusedInTheFirst() {
    byte[] bytes = HexFormat.of().parseHex("61C3A962");
    Schema schema = Schema.builder().required("value", FieldType.STRING).build();
    Column column = Column.ofBytes(bytes, new int[] {0, 2, 4}, null);
    assertThat(failureOf(schema, RecordBatch.ofColumns("things", schema, 2, List.of(column))))
        .message()
        .contains("row 0, ")
        .endsWith("is not UTF-8 at byte 1");
  }

  @Test
  void everyCharacterOfUnicodeIsUtf8() {
    StringBuilder all = new StringBuilder();
    for (int c = 0x20; c <= Character.MAX_CODE_POINT; c++) {
      if (c != '"' && c != '\\' && (c < 0xD800 || c > 0xDFFF)) {
        all.appendCodePoint(c);
      }
    }
    String text = all.toString();
    assertThat(valueAs(FieldType.STRING, utf8(text)).equals("\"" + text + "\"")).isTrue();
    assertThat(valueAs(FieldType.STRING, text).equals("\"" + text + "\"")).isTrue();
  }

  @Test
  void nullsOfEveryKindAreNull() {
    Schema schema =
        Schema.builder()
            .nullable("a", FieldType.INT64)
            .nullable("b", FieldType.FLOAT64)
            .nullable("c", FieldType.STRING)
            .nullable("d", FieldType.BOOLEAN)
            .build();
    boolean[] nulls = {true, false};
    RecordBatch batch =
        RecordBatch.ofColumns(
            "things",
            schema,
            2,
            List.of(
                Column.ofLongs(new long[] {7, 8}, nulls),
                Column.ofDoubles(new double[] {7, 8}, nulls),
                Column.ofBytes(new byte[] {'x', 'y'}, new int[] {0, 1, 2}, nulls),
                Column.ofObjects(new Object[] {null, true})));
    assertThat(ndjson(schema, batch))
        .isEqualTo(
            """
            {"a":null,"b":null,"c":null,"d":null}
            {"a":8,"b":8.0,"c":"y","d":true}
            """);
    assertThat(failureOf(FieldType.INT64, Column.ofLongs(new long[1], new boolean[] {true})))
        .hasMessageEndingWith("null in a required field");
    assertThat(failureOf(FieldType.DATE, Column.ofLongs(new long[1], new boolean[] {true})))
        .hasMessageEndingWith("null in a required field");
  }

  @Test
  void aValueThatIsNullIsNotRead() {
    Column.Boxed column =
        new Column.Boxed() {
          @Override
          public boolean isNull(int row) {
            return true;
          }

          @Override
          public Object objectAt(int row) {
            throw new AssertionError("read although null");
          }
        };
    assertThat(valueAs(FieldType.INT32, column)).isEqualTo("null");
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void otherKindsThanTheTypeTakesAreRefusedBeforeAByteIsWritten(Primitive type) throws IOException {
    checkKind(type, Column.ofLongs(new long[1], null), OF_LONGS.contains(type));
    checkKind(type, Column.ofDoubles(new double[1], null), OF_DOUBLES.contains(type));
    checkKind(type, Column.ofBytes(new byte[1], new int[] {0, 1}, null), OF_BYTES.contains(type));
    checkKind(type, Column.ofObjects(new Object[1]), true);
  }

  @Test
  void decimalsOfMoreThan18DigitsAndNestedTypesTakeBoxedColumnsOnly() throws IOException {
    Column longs = Column.ofLongs(new long[1], null);
    checkKind(FieldType.decimal(18, 2), longs, true);
    checkKind(FieldType.decimal(19, 2), longs, false);
    checkKind(FieldType.list(FieldType.INT64), longs, false);
    checkKind(FieldType.map(FieldType.INT64, FieldType.INT64), longs, false);
    checkKind(
        FieldType.struct(Schema.builder().nullable("a", FieldType.INT64).build()), longs, false);
    checkKind(FieldType.list(FieldType.INT64), Column.ofObjects(new Object[1]), true);
  }

  private static void checkKind(FieldType type, Column column, boolean taken) throws IOException {
    Schema schema = Schema.builder().nullable("v", type).build();
    RecordBatch batch = RecordBatch.ofColumns("things", schema, 1, List.of(column));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ResourceEncoder encoder =
        ResourceEncoder.open("things", schema, Encoding.NDJSON, EncodeThreads.of(1), out)) {
      if (taken) {
        encoder.checkColumns(batch);
        return;
      }
      String start = "resource \"things\", field \"v\": " + type + " takes ";
      assertThatThrownBy(() -> encoder.checkColumns(batch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(start)
          .hasMessageContaining("Column.Boxed, not Column.");
      assertThatThrownBy(() -> encoder.write(batch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(start);
      assertThat(out.size()).isZero();
    }
  }

  private static Column utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Column.ofBytes(bytes, new int[] {0, bytes.length}, null);
  }
}
