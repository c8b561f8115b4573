package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.TEXT;
import static io.filament.sink.acceptance.Runs.batch;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.row;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A record that doesn't fit fails the run, in every format. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ndjson", "json", "parquet"})
class FailedRecordTest extends WithBucket {

  @Parameter String format;

  private Sink sink;

  @BeforeEach
  void openSink() throws IOException {
    sink = bucket.sink("file_format", format, "part_size_mib", 5, "compression", "none");
    sink.open(run().build());
  }

  @AfterEach
  void closeSink() throws IOException {
    sink.close();
  }

  private InvalidRecordException failureOf(RecordBatch batch) {
    return catchThrowableOfType(InvalidRecordException.class, () -> sink.write(batch));
  }

  @Test
  void isNamedByResourceRowAndField() {
    InvalidRecordException failure = failureOf(batch("people", PEOPLE, row(1L, "a"), row(2L, 17)));

    assertThat(failure.resource()).isEqualTo("people");
    assertThat(failure.row()).isEqualTo(1);
    assertThat(failure.field()).isEqualTo("name");
    assertThat(failure).hasMessageContaining("people").hasMessageContaining("name");
  }

  @Test
  void isCountedOverTheBatchesOfItsResource() throws IOException {
    sink.write(people("people"));
    sink.write(people("others"));
    sink.write(people("people"));

    assertThat(failureOf(batch("people", PEOPLE, row(5L, "e"), row(null, "f"))).row()).isEqualTo(5);
  }

  @Test
  void isTheFirstWhereSeveralFail() {
    InvalidRecordException failure =
        failureOf(batch("people", PEOPLE, row(1L, "a"), row(2L, 17), row("x", "c")));

    assertThat(failure.row()).isEqualTo(1);
    assertThat(failure.field()).isEqualTo("name");
  }

  @Test
  void refusesEverythingButAbort() {
    InvalidRecordException failure = failureOf(batch("people", PEOPLE, row(null, "a")));

    assertThatThrownBy(() -> sink.write(people("people")))
        .isInstanceOf(IllegalStateException.class)
        .hasCause(failure);
    assertThatThrownBy(() -> sink.write(people("others")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sink.commit())
        .isInstanceOf(IllegalStateException.class)
        .hasCause(failure);
    assertThatThrownBy(() -> sink.open(run("other").build()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void leavesNothingAfterAbort() throws IOException {
    writeMoreThanAPart();
    assertThat(failureOf(batch("people", PEOPLE, row(null, "a")))).isNotNull();
    sink.abort();

    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void leavesNothingAfterClose() throws IOException {
    writeMoreThanAPart();
    assertThat(failureOf(batch("people", PEOPLE, row(null, "a")))).isNotNull();
    sink.close();

    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void sinkTakesTheSameRunAgainAfterAbort() throws IOException {
    assertThat(failureOf(batch("people", PEOPLE, row(null, "a")))).isNotNull();
    sink.abort();

    assertThat(publish(sink, run().build(), people("people")).resources().get(0).rows())
        .isEqualTo(2);
  }

  @Test
  void rowWithTooFewValuesNamesTheMissingField() {
    InvalidRecordException failure = failureOf(batch("people", PEOPLE, row(1L)));

    assertThat(failure.row()).isZero();
    assertThat(failure.field()).isEqualTo("name");
  }

  @Test
  void rowWithTooManyValuesIsRefused() {
    assertThat(failureOf(batch("people", PEOPLE, row(1L, "a", "b")))).isNotNull();
  }

  @Test
  void nullRowIsRefused() {
    assertThat(
            failureOf(RecordBatch.ofRows("people", PEOPLE, Arrays.asList(row(1L, "a"), null)))
                .row())
        .isEqualTo(1);
  }

  @Test
  void mapWithAnUnknownNameIsRefused() {
    List<Map<String, Object>> records = List.of(Map.of("id", 1L), Map.of("id", 2L, "nmae", "a"));

    InvalidRecordException failure = failureOf(RecordBatch.ofMaps("people", PEOPLE, records));
    assertThat(failure.row()).isEqualTo(1);
    assertThat(failure.field()).isEqualTo("nmae");
  }

  @Test
  void nestedFieldIsNamedFromTheRecordsField() {
    Schema inner = Schema.builder().required("city", FieldType.STRING).build();
    Schema schema =
        Schema.builder()
            .required("id", FieldType.INT64)
            .nullable("places", FieldType.list(FieldType.struct(inner)))
            .build();
    Object good = Map.of("city", "Bonn");
    Object bad = Map.of("city", 5);

    InvalidRecordException failure =
        failureOf(batch("people", schema, row(1L, List.of(good)), row(2L, List.of(good, bad))));
    assertThat(failure.row()).isEqualTo(1);
    assertThat(failure.field()).startsWith("places").contains("city");
  }

  @Test
  void batchThatThrowsFailsTheRunLikewise() throws IOException {
    OutOfMemoryError failure = new OutOfMemoryError("of the host's own");
    Column.Boxed values =
        row -> {
          if (row == 1) {
            throw failure;
          }
          return "a";
        };
    sink.write(people("people"));

    assertThatThrownBy(() -> sink.write(RecordBatch.ofColumns("r", TEXT, 2, List.of(values))))
        .isSameAs(failure);
    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class).hasCause(failure);
    assertThat(bucket.keys()).isEmpty();
  }

  private void writeMoreThanAPart() throws IOException {
    for (int i = 0; i < 6; i++) {
      String text = (char) ('a' + i) + "x".repeat(1 << 20);
      sink.write(batch("large", TEXT, row(text)));
    }
  }
}
