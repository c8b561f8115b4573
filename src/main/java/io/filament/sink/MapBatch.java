package io.filament.sink;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Records as maps by field name. */
final class MapBatch implements RecordBatch {

  private final String resource;
  private final Schema schema;
  private final List<? extends Map<String, ?>> records;

  MapBatch(String resource, Schema schema, List<? extends Map<String, ?>> records) {
    this.resource = Objects.requireNonNull(resource, "resource");
    this.schema = Objects.requireNonNull(schema, "schema");
    this.records = RowBatch.byPosition(records);
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
    return records.size();
  }

  @Override
  public Column column(int field) {
    String name = schema.fields().get(field).name();
    return (Column.Boxed) row -> records.get(row).get(name);
  }

  /** Finds the name that is no field: its value would be lost without a word. */
  @Override
  public Optional<Misfit> misfit(int row) {
    Map<String, ?> record = records.get(row);
    if (record == null) {
      return Optional.of(new Misfit("", "the record is null"));
    }
    for (String name : record.keySet()) {
      if (name == null || schema.indexOf(name) < 0) {
        return Optional.of(
            new Misfit(String.valueOf(name), "the record has a value here, the schema no field"));
      }
    }
    return Optional.empty();
  }
}
