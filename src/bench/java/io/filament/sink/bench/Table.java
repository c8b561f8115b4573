package io.filament.sink.bench;

import io.filament.sink.Column;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records in memory, in each form that a host may have them in. */
final class Table {

  private static final long MICROS_A_SECOND = 1_000_000;

  private final Schema schema;
  private final int rows;
  private final List<Values> columns;

  /**
   * One column.
   *
   * @param longs what {@link Column.Longs} takes, or null
   * @param doubles what {@link Column.Doubles} takes, or null
   * @param texts the strings, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares columns
  record Values(
      Field field,
      long @Nullable [] longs,
      double @Nullable [] doubles,
      String @Nullable [] texts,
      boolean @Nullable [] nulls) {

    boolean isNull(int row) {
      return nulls != null && nulls[row];
    }

    @Nullable Object object(int row) {
      if (isNull(row)) {
        return null;
      }
      if (texts != null) {
        return texts[row];
      }
      if (doubles != null) {
        return doubles[row];
      }
      long value = longs[row];
      if (field.type() instanceof DecimalType decimal) {
        return BigDecimal.valueOf(value, decimal.scale());
      }
      return switch ((FieldType.Primitive) field.type()) {
        case BOOLEAN -> value != 0;
        case INT32 -> (int) value;
        case DATE -> LocalDate.ofEpochDay(value);
        case TIMESTAMP ->
            LocalDateTime.ofEpochSecond(
                value / MICROS_A_SECOND, (int) (value % MICROS_A_SECOND) * 1000, ZoneOffset.UTC);
        default -> value;
      };
    }
  }

  Table(int rows, List<Values> columns) {
    this.schema = Schema.of(columns.stream().map(Values::field).toList());
    this.rows = rows;
    this.columns = columns;
  }

  Schema schema() {
    return schema;
  }

  int rows() {
    return rows;
  }

  List<Values> columns() {
    return columns;
  }

  /** Texts are bytes in UTF-8: what a host with columns has. */
  RecordBatch utf8Columns() {
    return batch(Table::utf8);
  }

  /** Texts are Strings, everything else is primitive. */
  RecordBatch stringColumns() {
    return batch(values -> Column.ofObjects(values.texts()));
  }

  private RecordBatch batch(java.util.function.Function<Values, Column> text) {
    List<Column> ours = new ArrayList<>();
    for (Values values : columns) {
      if (values.texts() != null) {
        ours.add(text.apply(values));
      } else if (values.doubles() != null) {
        ours.add(Column.ofDoubles(values.doubles(), values.nulls()));
      } else {
        ours.add(Column.ofLongs(values.longs(), values.nulls()));
      }
    }
    return RecordBatch.ofColumns("bench", schema, rows, ours);
  }

  private static Column utf8(Values values) {
    int[] offsets = new int[values.texts().length + 1];
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    for (int row = 0; row < values.texts().length; row++) {
      if (!values.isNull(row)) {
        bytes.writeBytes(values.texts()[row].getBytes(StandardCharsets.UTF_8));
      }
      offsets[row + 1] = bytes.size();
    }
    return Column.ofBytes(bytes.toByteArray(), offsets, values.nulls());
  }

  RecordBatch rowBatch() {
    return RecordBatch.ofRows("bench", schema, objects());
  }

  List<Object[]> objects() {
    List<Object[]> all = new ArrayList<>(rows);
    for (int row = 0; row < rows; row++) {
      Object[] values = new Object[columns.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = columns.get(i).object(row);
      }
      all.add(values);
    }
    return all;
  }

  List<Map<String, Object>> maps() {
    List<Map<String, Object>> all = new ArrayList<>(rows);
    for (Object[] values : objects()) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < values.length; i++) {
        map.put(columns.get(i).field().name(), values[i]);
      }
      all.add(map);
    }
    return all;
  }
}
