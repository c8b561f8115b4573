package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every format keeps, whatever its bytes are. */
abstract class EncoderContractTest {

  private static final int ROWS = 3_000;
  static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .nullable("name", FieldType.STRING)
          .nullable("tags", FieldType.list(FieldType.STRING))
          .build();

  /** Returns the format that is tested. */
  abstract ObjectFormat format();

  /** Reads a whole object and returns the number of its records. */
  abstract int recordsOf(byte[] object);

  @Test
  void anObjectWithoutRecordsIsWhole() {
    assertThat(recordsOf(object())).isZero();
  }

  @Test
  void aBatchWithoutRecordsLeavesNoTrace() {
    assertThat(object(batch(0, 0))).isEqualTo(object());
    assertThat(object(batch(0, 2), batch(2, 2), batch(2, 3))).isEqualTo(object(batch(0, 3)));
  }

  @Test
  void everyRecordIsInTheObject() {
    assertThat(recordsOf(object(batch(0, 1)))).isEqualTo(1);
    assertThat(recordsOf(object(batch(0, 2)))).isEqualTo(2);
    assertThat(recordsOf(object(batch(0, ROWS)))).isEqualTo(ROWS);
  }

  @Test
  void howRecordsAreSplitIntoBatchesDoesNotShow() {
    byte[] expected = object(batch(0, ROWS));
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      List<RecordBatch> batches = new ArrayList<>();
      for (int from = 0; from < ROWS; ) {
        int to = Math.min(ROWS, from + 1 + random.nextInt(1 << (1 + random.nextInt(11))));
        batches.add(batch(from, to));
        from = to;
      }
      assertThat(object(batches.toArray(RecordBatch[]::new)))
          .as("seed %d", seed)
          .isEqualTo(expected);
    }
  }

  @Test
  void rowsAreCountedAsTheyAreWritten() throws IOException {
    try (ResourceEncoder encoder = open(new LimitedOutput(Long.MAX_VALUE))) {
      assertThat(encoder.rows()).isZero();
      encoder.write(batch(0, 1_500));
      encoder.write(batch(0, 7));
      assertThat(encoder.rows()).isEqualTo(1_507);
    }
  }

  @Test
  void openingAnEncoderWritesNothing() throws IOException {
    LimitedOutput out = new LimitedOutput(0);
    open(out).close();
    assertThat(out.toByteArray()).isEmpty();
  }

  @Test
  void closeWritesNothingAndLeavesTheOutputOpen() throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    ResourceEncoder encoder = open(out);
    encoder.write(batch(0, ROWS));
    byte[] before = out.toByteArray();
    encoder.close();
    encoder.close();
    assertThat(out.toByteArray()).isEqualTo(before);
    assertThat(out.isClosed()).isFalse();
  }

  @Test
  void finishLeavesTheOutputOpen() throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    try (ResourceEncoder encoder = open(out)) {
      encoder.finish();
    }
    assertThat(out.isClosed()).isFalse();
  }

  @Test
  void afterFinishNothingIsTaken() throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    ResourceEncoder encoder = open(out);
    encoder.write(batch(0, 2));
    encoder.finish();
    byte[] object = out.toByteArray();
    assertThatThrownBy(() -> encoder.write(batch(2, 3)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the object of \"things\" has its end");
    assertThatThrownBy(encoder::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the object of \"things\" has its end");
    encoder.close();
    assertThatThrownBy(() -> encoder.write(batch(2, 3)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the object of \"things\" is closed");
    assertThat(out.toByteArray()).isEqualTo(object);
  }

  @Test
  void aFailureOfTheOutputReachesTheCallerWhereverItIs() throws IOException {
    long size = object(batch(0, ROWS)).length;
    for (long limit = 0; limit < size; limit += Math.max(1, (size - limit) / 10)) {
      LimitedOutput out = new LimitedOutput(limit);
      try (ResourceEncoder encoder = open(out)) {
        assertThatThrownBy(
                () -> {
                  encoder.write(batch(0, ROWS));
                  encoder.finish();
                })
            .as("limit %d of %d", limit, size)
            .isInstanceOf(IOException.class)
            .hasMessage(LimitedOutput.FAILURE);
        assertThatThrownBy(encoder::finish)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("the object of \"things\" has failed");
      }
    }
  }

  @Test
  void aRecordThatDoesNotFitEndsTheObjectForGood() throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    ResourceEncoder encoder = open(out);
    encoder.write(batch(0, 2));
    assertThatThrownBy(
            () ->
                encoder.write(
                    RecordBatch.ofRows(
                        "things",
                        SCHEMA,
                        List.of(new Object[] {2L, "c", null}, new Object[] {3L, 4L, null}))))
        .isInstanceOfSatisfying(
            InvalidRecordException.class,
            e -> {
              assertThat(e.row()).isEqualTo(3);
              assertThat(e.field()).isEqualTo("name");
            });
    byte[] before = out.toByteArray();
    assertThatThrownBy(() -> encoder.write(batch(4, 6)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the object of \"things\" has failed");
    assertThatThrownBy(encoder::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the object of \"things\" has failed");
    encoder.close();
    assertThat(out.toByteArray()).isEqualTo(before);
  }

  @Test
  void whatTheBatchThrowsPassesThroughAndEndsTheObject() throws IOException {
    RuntimeException exception = new RuntimeException("the host's own");
    checkThrown(
        exception,
        () -> {
          throw exception;
        });
    Error error = new Error("the host's own");
    checkThrown(
        error,
        () -> {
          throw error;
        });
  }

  private void checkThrown(Throwable thrown, Supplier<Object> value) throws IOException {
    Column.Boxed failing = row -> row < 1_500 ? (Object) "x" : value.get();
    Column.Boxed ids = row -> row;
    Column.Boxed nothing = row -> null;
    RecordBatch batch =
        RecordBatch.ofColumns("things", SCHEMA, 2_000, List.of(ids, failing, nothing));
    try (ResourceEncoder encoder = open(new LimitedOutput(Long.MAX_VALUE))) {
      assertThatThrownBy(() -> encoder.write(batch)).isSameAs(thrown);
      assertThatThrownBy(() -> encoder.write(batch)).isInstanceOf(IllegalStateException.class);
    }
  }

  private ResourceEncoder open(LimitedOutput out) throws IOException {
    return ResourceEncoder.open("things", SCHEMA, format(), EncodeThreads.of(1), out);
  }

  private byte[] object(RecordBatch... batches) {
    return Encoding.object(format(), SCHEMA, batches);
  }

  /** Returns records with these ids, whose other values depend on the id alone. */
  private static RecordBatch batch(int from, int to) {
    List<Object[]> rows = new ArrayList<>();
    for (int id = from; id < to; id++) {
      String name = id % 7 == 0 ? null : "näme " + Integer.toHexString(id * 0x9E3779B9);
      rows.add(new Object[] {(long) id, name, id % 5 == 0 ? null : List.of("a", "b" + id)});
    }
    return RecordBatch.ofRows("things", SCHEMA, rows);
  }
}
