package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.AbstractSequentialList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The three doors by which records come. */
class RecordBatchTest {

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("name", FieldType.STRING).build();

  @Test
  void rowsAreReadByPosition() {
    RecordBatch batch =
        RecordBatch.ofRows(
            "things", SCHEMA, List.of(new Object[] {1L, "a"}, new Object[] {2L, null}));
    assertThat(batch.resource()).isEqualTo("things");
    assertThat(batch.schema()).isEqualTo(SCHEMA);
    assertThat(batch.rowCount()).isEqualTo(2);
    assertThat(values(batch, 0)).containsExactly(1L, 2L);
    assertThat(values(batch, 1)).containsExactly("a", null);
    assertThat(batch.column(1).isNull(0)).isFalse();
    assertThat(batch.column(1).isNull(1)).isTrue();
    assertThat(batch.misfit(0)).isEmpty();
  }

  @Test
  void aRowOfAnotherLengthIsAMisfit() {
    List<Object[]> rows = new ArrayList<>();
    rows.add(new Object[] {1L});
    rows.add(new Object[] {1L, "a", "b"});
    rows.add(null);
    RecordBatch batch = RecordBatch.ofRows("things", SCHEMA, rows);
    assertThat(batch.misfit(0))
        .contains(new RecordBatch.Misfit("name", "the row has 1 values, the schema 2 fields"));
    assertThat(batch.misfit(1))
        .contains(new RecordBatch.Misfit("", "the row has 3 values, the schema 2 fields"));
    assertThat(batch.misfit(2)).contains(new RecordBatch.Misfit("", "the row is null"));
  }

  @Test
  void mapsAreReadByName() {
    Map<String, Object> first = new HashMap<>();
    first.put("name", "a");
    first.put("id", 1L);
    RecordBatch batch = RecordBatch.ofMaps("things", SCHEMA, List.of(first, Map.of("id", 2L)));
    assertThat(batch.rowCount()).isEqualTo(2);
    assertThat(values(batch, 0)).containsExactly(1L, 2L);
    assertThat(values(batch, 1)).containsExactly("a", null);
    assertThat(batch.misfit(0)).isEmpty();
    assertThat(batch.misfit(1)).isEmpty();
  }

  @Test
  void aNameThatIsNoFieldIsAMisfit() {
    List<Map<String, ?>> records = new ArrayList<>();
    records.add(Map.of("id", 1L, "nmae", "a"));
    records.add(Collections.singletonMap(null, 1));
    records.add(null);
    RecordBatch batch = RecordBatch.ofMaps("things", SCHEMA, records);
    String problem = "the record has a value here, the schema no field";
    assertThat(batch.misfit(0)).contains(new RecordBatch.Misfit("nmae", problem));
    assertThat(batch.misfit(1)).contains(new RecordBatch.Misfit("null", problem));
    assertThat(batch.misfit(2)).contains(new RecordBatch.Misfit("", "the record is null"));
  }

  @Test
  void columnsAreReadAsTheyAre() {
    boolean[] nulls = {false, true};
    Column.Longs longs = Column.ofLongs(new long[] {1, 2}, null);
    Column.Bytes texts =
        Column.ofBytes("abc".getBytes(StandardCharsets.UTF_8), new int[] {0, 2, 3}, nulls);
    RecordBatch batch = RecordBatch.ofColumns("things", SCHEMA, 2, List.of(longs, texts));
    assertThat(batch.rowCount()).isEqualTo(2);
    assertThat(batch.column(0)).isSameAs(longs);
    assertThat(longs.longAt(1)).isEqualTo(2);
    assertThat(longs.isNull(1)).isFalse();
    assertThat(texts.isNull(1)).isTrue();
    assertThat(text(texts, 0)).isEqualTo("ab");
    assertThat(text(texts, 1)).isEqualTo("c");
    assertThat(Column.ofDoubles(new double[] {0.5}, nulls).doubleAt(0)).isEqualTo(0.5);
    assertThat(batch.misfit(0)).isEmpty();
  }

  static Stream<Column> columnsOfOneValue() {
    return Stream.of(
        Column.ofLongs(new long[1], null),
        Column.ofLongs(new long[2], new boolean[1]),
        Column.ofDoubles(new double[1], null),
        Column.ofBytes(new byte[9], new int[] {0, 9}, null),
        Column.ofObjects(new Object[1]));
  }

  @ParameterizedTest
  @MethodSource("columnsOfOneValue")
  void aColumnThatIsTooShortIsRefused(Column column) {
    Schema schema = Schema.builder().nullable("short", FieldType.INT64).build();

    assertThat(RecordBatch.ofColumns("things", schema, 1, List.of(column)).rowCount()).isEqualTo(1);
    assertThatThrownBy(() -> RecordBatch.ofColumns("things", schema, 2, List.of(column)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a batch of \"things\" has 2 rows, the column of field \"short\" 1 values");
  }

  @Test
  void anObjectOfAColumnMayBeNull() {
    Column.Boxed column = Column.ofObjects(new Object[] {null, "x"});

    assertThat(column.isNull(0)).isTrue();
    assertThat(column.objectAt(0)).isNull();
    assertThat(column.isNull(1)).isFalse();
    assertThat(column.objectAt(1)).isEqualTo("x");
  }

  @Test
  void asManyColumnsAsFieldsAreAskedFor() {
    assertThatThrownBy(
            () ->
                RecordBatch.ofColumns(
                    "things", SCHEMA, 0, List.of(Column.ofLongs(new long[0], null))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a batch of \"things\" has 1 columns, the schema 2 fields");
    assertThatThrownBy(() -> RecordBatch.ofColumns("things", SCHEMA, -1, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rowCount must not be negative: -1");
  }

  @Test
  void aListThatIsReadFromItsBeginningIsReadOnce() {
    List<Object[]> rows = Arrays.asList(new Object[] {1L, "a"}, new Object[] {2L, "b"});
    int[] iterators = {0};
    List<Object[]> sequential =
        new AbstractSequentialList<>() {
          @Override
          public ListIterator<Object[]> listIterator(int index) {
            iterators[0]++;
            return rows.listIterator(index);
          }

          @Override
          public int size() {
            return rows.size();
          }
        };
    RecordBatch batch = RecordBatch.ofRows("things", SCHEMA, sequential);
    int once = iterators[0];
    assertThat(values(batch, 0)).containsExactly(1L, 2L);
    assertThat(values(batch, 1)).containsExactly("a", "b");
    assertThat(iterators[0]).isEqualTo(once);
  }

  @Test
  void aListWithRandomAccessIsNotCopied() {
    RandomAccessRows rows = new RandomAccessRows();
    RecordBatch batch = RecordBatch.ofRows("things", SCHEMA, rows);
    assertThat(rows.reads).isZero();
    assertThat(values(batch, 0)).containsExactly(0L, 1L, 2L);
  }

  /** Counts how often it is read. */
  private static final class RandomAccessRows extends AbstractList<Object[]>
      implements java.util.RandomAccess {

    private int reads;

    @Override
    public Object[] get(int index) {
      reads++;
      return new Object[] {(long) index, null};
    }

    @Override
    public int size() {
      return 3;
    }
  }

  @Test
  void nothingOfABatchIsNull() {
    assertThatThrownBy(() -> RecordBatch.ofRows(null, SCHEMA, List.of()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("resource");
    assertThatThrownBy(() -> RecordBatch.ofMaps("things", null, List.of()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("schema");
    assertThatThrownBy(() -> RecordBatch.ofRows("things", SCHEMA, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("records");
    assertThatThrownBy(() -> RecordBatch.ofMaps("things", SCHEMA, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("records");
    assertThatThrownBy(() -> Column.ofLongs(null, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Column.ofObjects(null)).isInstanceOf(NullPointerException.class);
  }

  private static List<Object> values(RecordBatch batch, int field) {
    Column.Boxed column = (Column.Boxed) batch.column(field);
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      values.add(column.objectAt(row));
    }
    return values;
  }

  private static String text(Column.Bytes column, int row) {
    StringBuilder text = new StringBuilder();
    column.bytesAt(
        row,
        new Column.BytesTarget() {
          @Override
          public void put(byte[] source, int offset, int length) {
            text.append(new String(source, offset, length, StandardCharsets.UTF_8));
          }

          @Override
          public void put(ByteBuffer source) {
            throw new AssertionError("an array has no buffer");
          }
        });
    return text.toString();
  }
}
