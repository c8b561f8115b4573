package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a batch is cut into slices. */
class GathererTest {

  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int MAX_DRAWN = 1 << 13;

  private static final Schema SCHEMA = Schema.builder().nullable("v", FieldType.STRING).build();

  @Test
  void aSliceHasAtMostItsRows() throws InvalidRecordException {
    assertThat(slices(strings(3_000, 1))).containsExactly(1_024, 1_024, 952);
    assertThat(slices(strings(1_024, 1))).containsExactly(1_024);
  }

  @Test
  void aSliceIsFullOnceItsValuesHaveItsBytes() throws InvalidRecordException {
    // Each value takes its bytes and 4 for its end.
    int value = (int) Gatherer.MAX_BYTES / 4 - 4;
    assertThat(slices(strings(9, value))).containsExactly(4, 4, 1);
    assertThat(slices(strings(9, value - 1))).containsExactly(5, 4);
  }

  @Test
  void aRecordLargerThanASliceIsASliceOfItsOwn() throws InvalidRecordException {
    assertThat(slices(strings(3, 5 << 20))).containsExactly(1, 1, 1);
  }

  @Test
  void manyNarrowFieldsFillASliceToo() throws InvalidRecordException {
    Schema.Builder builder = Schema.builder();
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < 1_024; i++) {
      builder.required("f" + i, FieldType.INT32);
      columns.add(Column.ofLongs(new long[200], null));
    }
    RecordBatch batch = RecordBatch.ofColumns("things", builder.build(), 200, columns);
    assertThat(slices(batch)).containsExactly(128, 72);
  }

  /** Rows become larger and smaller within a batch, now in one field and now in another. */
  @Test
  void slicesEndWhereTheyDoRowByRowAndTakeNoMoreMemory() throws InvalidRecordException {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 200; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      int fields = 1 + random.nextInt(6);
      Schema.Builder schema = Schema.builder();
      for (int i = 0; i < fields; i++) {
        schema.nullable("f" + i, FieldType.BYTES);
      }
      Gatherer gatherer = new Gatherer("things", schema.build());
      for (int batch = 0; batch < 3; batch++) {
        checkSlices(gatherer, schema.build(), drawnLengths(random, fields), "seed=" + seed);
      }
    }
  }

  private static void checkSlices(Gatherer gatherer, Schema schema, int[][] lengths, String title)
      throws InvalidRecordException {
    byte[] content = new byte[MAX_DRAWN];
    List<Column> columns = new ArrayList<>();
    for (int[] ofField : lengths) {
      Column.Boxed column = row -> ByteBuffer.wrap(content, 0, ofField[row]);
      columns.add(column);
    }
    int rows = lengths[0].length;
    Gatherer.Source source =
        gatherer.source(RecordBatch.ofColumns("things", schema, rows, columns));
    for (int row = 0, end; row < rows; row = end) {
      end = row;
      for (long bytes = 0; end < rows && end < row + 1024 && bytes < Gatherer.MAX_BYTES; end++) {
        for (int[] ofField : lengths) {
          bytes += 4 + ofField[end];
        }
      }
      assertThat(gatherer.gather(source, row, row).rows()).as(title).isEqualTo(end - row);
      assertThat(gatherer.allocatedBytes())
          .as(title)
          .isLessThanOrEqualTo(Gatherer.MAX_ALLOCATED_BYTES);
    }
  }

  private static int[][] drawnLengths(Random random, int fields) {
    int rows = 1 + random.nextInt(3_000);
    int[][] lengths = new int[fields][rows];
    for (int[] ofField : lengths) {
      int bound = 1;
      for (int row = 0; row < rows; row++) {
        if (random.nextInt(300) == 0) {
          bound = 1 << random.nextInt(14);
        }
        ofField[row] = random.nextInt(bound);
      }
    }
    return lengths;
  }

  @Test
  void aLargeValueAmongSmallOnesIsReadTwiceAtMost() throws InvalidRecordException {
    Schema schema =
        Schema.builder().nullable("v", FieldType.STRING).nullable("w", FieldType.STRING).build();
    String large = "x".repeat(3 << 20);
    AtomicInteger reads = new AtomicInteger();
    Column.Boxed column =
        row -> {
          if (row == 700) {
            reads.getAndIncrement();
            return large;
          }
          return "x";
        };
    Column.Boxed other = row -> "y";
    RecordBatch batch = RecordBatch.ofColumns("things", schema, 1_000, List.of(column, other));

    assertThat(slices(batch)).containsExactly(701, 299);
    assertThat(reads.get()).as("once for isNull, once for the value, each time").isLessThan(5);
  }

  @Test
  void anUnusuallyLargeRecordTakesNoMemoryForGood() throws InvalidRecordException {
    Vector.Bytes vector = (Vector.Bytes) Vector.of(FieldType.STRING);
    Utf8.put("x".repeat(20 << 20), vector);
    vector.endValue();
    vector.clear();
    assertThat(vector.array().length).isLessThan(1 << 20);
  }

  @Test
  void aRecordAsAWholeIsAskedForOnceAndBeforeItsValues() throws InvalidRecordException {
    List<String> asked = new ArrayList<>();
    Column.Boxed column =
        row -> {
          asked.add("value " + row);
          return "x";
        };
    RecordBatch batch =
        new RecordBatch() {
          @Override
          public String resource() {
            return "things";
          }

          @Override
          public Schema schema() {
            return SCHEMA;
          }

          @Override
          public int rowCount() {
            return 2;
          }

          @Override
          public Column column(int field) {
            return column;
          }

          @Override
          public Optional<Misfit> misfit(int row) {
            asked.add("record " + row);
            return Optional.empty();
          }
        };
    assertThat(slices(batch)).containsExactly(2);
    assertThat(asked.stream().distinct())
        .containsExactly("record 0", "value 0", "record 1", "value 1");
    assertThat(asked.stream().filter(a -> a.startsWith("record"))).hasSize(2);
  }

  private static RecordBatch strings(int rows, int length) {
    Column.Boxed column = row -> "x".repeat(length);
    return RecordBatch.ofColumns("things", SCHEMA, rows, List.of(column));
  }

  private static List<Integer> slices(RecordBatch batch) throws InvalidRecordException {
    Gatherer gatherer = new Gatherer("things", batch.schema());
    Gatherer.Source source = gatherer.source(batch);
    List<Integer> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row += rows.get(rows.size() - 1)) {
      Slice slice = gatherer.gather(source, row, row);
      assertThat(slice.vectors()).allSatisfy(v -> assertThat(v.size()).isEqualTo(slice.rows()));
      rows.add(slice.rows());
    }
    return rows;
  }
}
