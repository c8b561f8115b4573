package io.filament.sink;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Some records of one resource, with their schema.
 *
 * <p>There are three doors: rows as arrays ({@link #ofRows}), rows as maps ({@link #ofMaps}), and
 * columns ({@link #ofColumns}, or an implementation of this interface over a host's own vectors),
 * which hands values over without boxing them.
 *
 * <p>A batch is read by one thread at a time, within {@link Sink#write}, and is not kept; what it
 * stands on must not change until that returns. A sink may read a value more than once.
 */
public interface RecordBatch {

  /** Returns the resource's name. */
  String resource();

  /** Returns the schema of these records; it must equal that of the resource. */
  Schema schema();

  /** Returns the number of records, 0 or more. */
  int rowCount();

  /**
   * Returns the values of one field.
   *
   * @param field the field's position in the schema
   */
  Column column(int field);

  /**
   * Returns what is wrong with a record as a whole, such as a value that belongs to no field. It is
   * asked once a record, before the record's values are read.
   */
  default Optional<Misfit> misfit(int row) {
    return Optional.empty();
  }

  /**
   * Why a record doesn't fit its schema.
   *
   * @param field the field's name, or the name that is no field
   * @param problem what is wrong
   */
  record Misfit(String field, String problem) {

    public Misfit {
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(problem, "problem");
    }
  }

  /**
   * Returns a batch of rows, each with one value a field in the schema's order, of the Java classes
   * that {@link FieldType} names.
   */
  static RecordBatch ofRows(String resource, Schema schema, List<Object[]> rows) {
    return new RowBatch(resource, schema, rows);
  }

  /**
   * Returns a batch of records by field name. A field that a record doesn't name is null; a name
   * that is no field makes the record invalid.
   */
  static RecordBatch ofMaps(
      String resource, Schema schema, List<? extends Map<String, ?>> records) {
    return new MapBatch(resource, schema, records);
  }

  /**
   * Returns a batch of columns.
   *
   * @param columns one a field, in the schema's order, each with at least {@code rowCount} values
   * @throws IllegalArgumentException if there are more or fewer columns than fields, if {@code
   *     rowCount} is negative, or if a column over arrays is shorter; others are not known to be
   *     until they are read
   */
  static RecordBatch ofColumns(String resource, Schema schema, int rowCount, List<Column> columns) {
    return new ColumnarBatch(resource, schema, rowCount, columns);
  }
}
