package io.filament.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;

/** Rows as arrays. */
final class RowBatch implements RecordBatch {

  private final String resource;
  private final Schema schema;
  private final List<Object[]> rows;

  RowBatch(String resource, Schema schema, List<Object[]> rows) {
    this.resource = Objects.requireNonNull(resource, "resource");
    this.schema = Objects.requireNonNull(schema, "schema");
    this.rows = byPosition(rows);
  }

  /** Returns the list, or a copy of it where reading it column by column would take square time. */
  static <T> List<T> byPosition(List<T> list) {
    Objects.requireNonNull(list, "records");
    return list instanceof RandomAccess ? list : new ArrayList<>(list);
  }

  @Override
  public String resource() {
    return resource;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public int rowCount() {
    return rows.size();
  }

  @Override
  public Column column(int field) {
    Objects.checkIndex(field, schema.fields().size());
    return (Column.Boxed) row -> rows.get(row)[field];
  }

  @Override
  public Optional<Misfit> misfit(int row) {
    Object[] values = rows.get(row);
    List<Field> fields = schema.fields();
    if (values != null && values.length == fields.size()) {
      return Optional.empty();
    }
    if (values == null) {
      return Optional.of(new Misfit("", "the row is null"));
    }
    String field = values.length < fields.size() ? fields.get(values.length).name() : "";
    return Optional.of(
        new Misfit(
            field,
            "the row has " + values.length + " values, the schema " + fields.size() + " fields"));
  }
}
