package io.filament.sink;

import java.util.List;
import java.util.Objects;

/** Columns that a host has ready. */
record ColumnarBatch(String resource, Schema schema, int rowCount, List<Column> columns)
    implements RecordBatch {

  ColumnarBatch {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(schema, "schema");
    columns = List.copyOf(columns);
    if (rowCount < 0) {
      throw new IllegalArgumentException("rowCount must not be negative: " + rowCount);
    }
    if (columns.size() != schema.fields().size()) {
      throw new IllegalArgumentException(
          "a batch of \""
              + resource
              + "\" has "
              + columns.size()
              + " columns, the schema "
              + schema.fields().size()
              + " fields");
    }
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i) instanceof ArrayColumns array && array.length() < rowCount) {
        throw new IllegalArgumentException(
            "a batch of \"%s\" has %d rows, the column of field \"%s\" %d values"
                .formatted(resource, rowCount, schema.fields().get(i).name(), array.length()));
      }
    }
  }

  @Override
  public Column column(int field) {
    return columns.get(field);
  }
}
