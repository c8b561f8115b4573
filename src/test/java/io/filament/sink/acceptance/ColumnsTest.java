package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.batch;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.row;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The door for hosts that have columns: the same bytes as by the door for rows. */
class ColumnsTest extends WithBucket {

  private static final boolean[] SECOND_IS_NULL = {false, true};

  private static final Schema SCHEMA =
      Schema.builder()
          .nullable("flag", FieldType.BOOLEAN)
          .nullable("small", FieldType.INT16)
          .nullable("medium", FieldType.INT32)
          .required("large", FieldType.INT64)
          .nullable("real4", FieldType.FLOAT32)
          .nullable("real8", FieldType.FLOAT64)
          .nullable("amount", FieldType.decimal(18, 2))
          .nullable("day", FieldType.DATE)
          .nullable("clock", FieldType.TIME)
          .nullable("local", FieldType.TIMESTAMP)
          .nullable("instant", FieldType.TIMESTAMPTZ)
          .nullable("text", FieldType.STRING)
          .nullable("doc", FieldType.JSON)
          .nullable("any", FieldType.NUMERIC)
          .nullable("uuid", FieldType.UUID)
          .nullable("raw", FieldType.BYTES)
          .nullable("list", FieldType.list(FieldType.INT32))
          .build();

  private static Column longs(long first) {
    return Column.ofLongs(new long[] {first, 77}, SECOND_IS_NULL);
  }

  private static Column bytes(String first) {
    byte[] utf8 = first.getBytes(StandardCharsets.UTF_8);
    return Column.ofBytes(utf8, new int[] {0, utf8.length, utf8.length}, SECOND_IS_NULL);
  }

  private static RecordBatch columns() {
    return RecordBatch.ofColumns(
        "r",
        SCHEMA,
        2,
        List.of(
            longs(1),
            longs(-32_768),
            longs(2_147_483_647),
            Column.ofLongs(new long[] {Long.MIN_VALUE, Long.MAX_VALUE}, null),
            Column.ofDoubles(new double[] {0.1f, 0}, SECOND_IS_NULL),
            Column.ofDoubles(new double[] {0.1, 0}, SECOND_IS_NULL),
            longs(-12_345),
            longs(-1),
            longs(45_296_789_012L),
            longs(-1),
            longs(1_000_000),
            bytes("héllo 🙂"),
            bytes("{\"a\": 1}"),
            bytes("1234567890123456789012345678901234567890.5"),
            bytes("cc7332f3-7abc-5f37-984d-9815634f1d7f"),
            bytes("raw"),
            Column.ofObjects(new Object[] {List.of(1, 2), null})));
  }

  private static RecordBatch rows() {
    Object[] nulls = new Object[SCHEMA.fields().size()];
    nulls[SCHEMA.indexOf("large")] = Long.MAX_VALUE;
    Object[] full = {
      true,
      (short) -32_768,
      2_147_483_647,
      Long.MIN_VALUE,
      0.1f,
      0.1,
      new BigDecimal("-123.45"),
      LocalDate.parse("1969-12-31"),
      LocalTime.parse("12:34:56.789012"),
      LocalDateTime.parse("1969-12-31T23:59:59.999999"),
      Instant.parse("1970-01-01T00:00:01Z"),
      "héllo 🙂",
      "{\"a\": 1}",
      "1234567890123456789012345678901234567890.5",
      "cc7332f3-7abc-5f37-984d-9815634f1d7f",
      "raw".getBytes(StandardCharsets.UTF_8),
      List.of(1, 2)
    };
    return batch("r", SCHEMA, full, nulls);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "json", "parquet"})
  void columnsGiveTheSameBytesAsRows(String format) throws IOException {
    String[] crcs = new String[2];
    RecordBatch[] batches = {columns(), rows()};
    for (int i = 0; i < 2; i++) {
      crcs[i] =
          publishAndClose(
                  bucket.sink("file_format", format, "prefix", "p" + i), run().build(), batches[i])
              .resources()
              .get(0)
              .crc32c();
    }

    assertThat(crcs[0]).isEqualTo(crcs[1]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void valueOutOfRangeInAColumnIsRefused(String format) throws IOException {
    assertRefused(format, FieldType.INT16, Column.ofLongs(new long[] {0, 32_768}, null));
    assertRefused(format, FieldType.INT32, Column.ofLongs(new long[] {0, 1L << 31}, null));
    assertRefused(format, FieldType.BOOLEAN, Column.ofLongs(new long[] {0, 2}, null));
    assertRefused(format, FieldType.TIME, Column.ofLongs(new long[] {0, 86_400_000_000L}, null));
    assertRefused(format, FieldType.decimal(3, 1), Column.ofLongs(new long[] {0, 1_000}, null));
    assertRefused(format, FieldType.FLOAT32, Column.ofDoubles(new double[] {0, 0.1}, null));
    byte[] bad = {'1', '{'};
    assertRefused(format, FieldType.JSON, Column.ofBytes(bad, new int[] {0, 1, 2}, null));
    assertRefused(format, FieldType.NUMERIC, Column.ofBytes(bad, new int[] {0, 1, 2}, null));
  }

  private void assertRefused(String format, FieldType type, Column column) throws IOException {
    Schema schema = Schema.builder().nullable("it", type).build();
    RecordBatch batch = RecordBatch.ofColumns("r", schema, 2, List.of(column));
    try (Sink sink = bucket.sink("file_format", format)) {
      sink.open(run().build());
      assertThatThrownBy(() -> sink.write(batch))
          .as("%s in %s", type, format)
          .isInstanceOfSatisfying(
              InvalidRecordException.class,
              e -> {
                assertThat(e.row()).isEqualTo(1);
                assertThat(e.field()).isEqualTo("it");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void nullOfARequiredFieldIsRefused(String format) throws IOException {
    Schema schema = Schema.builder().required("it", FieldType.INT64).build();
    RecordBatch batch =
        RecordBatch.ofColumns(
            "r", schema, 2, List.of(Column.ofLongs(new long[] {1, 2}, SECOND_IS_NULL)));
    try (Sink sink = bucket.sink("file_format", format)) {
      sink.open(run().build());
      assertThatThrownBy(() -> sink.write(batch))
          .isInstanceOfSatisfying(
              InvalidRecordException.class, e -> assertThat(e.row()).isEqualTo(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void columnOfAKindThatTheTypeDoesNotTakeIsRefusedAndTheRunGoesOn(String format)
      throws IOException {
    Schema schema = Schema.builder().required("it", FieldType.STRING).build();
    RecordBatch wrong =
        RecordBatch.ofColumns("r", schema, 1, List.of(Column.ofLongs(new long[] {1}, null)));
    try (Sink sink = bucket.sink("file_format", format)) {
      sink.open(run().build());
      assertThatThrownBy(() -> sink.write(wrong)).isInstanceOf(IllegalArgumentException.class);
      sink.write(batch("r", schema, row("fine")));
      assertThat(sink.commit().resources().get(0).rows()).isEqualTo(1);
    }
  }
}
