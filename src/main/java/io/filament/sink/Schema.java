package io.filament.sink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The ordered fields of a resource's records, or of a struct. Immutable; equal by its fields. */
public final class Schema {

  private final List<Field> fields;
  private final Map<String, Integer> positions;

  private Schema(List<Field> fields) {
    this.fields = List.copyOf(fields);
    this.positions = new HashMap<>();
    for (int i = 0; i < this.fields.size(); i++) {
      String name = this.fields.get(i).name();
      Integer other = positions.putIfAbsent(name, i);
      if (other != null) {
        throw new IllegalArgumentException(
            "field \"" + name + "\" is declared twice, at positions " + other + " and " + i);
      }
    }
  }

  /** Returns a schema of these fields in this order. */
  public static Schema of(List<Field> fields) {
    return new Schema(fields);
  }

  /** Returns an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the fields in their order. */
  public List<Field> fields() {
    return fields;
  }

  /** Returns the position of a field, or -1 if there is none of this name. */
  public int indexOf(String name) {
    return positions.getOrDefault(Objects.requireNonNull(name, "name"), -1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schema schema && fields.equals(schema.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return "Schema" + fields;
  }

  /** Collects the fields of a schema. Not for several threads. */
  public static final class Builder {

    private final List<Field> fields = new ArrayList<>();

    private Builder() {}

    /** Adds a field that every record must have. */
    public Builder required(String name, FieldType type) {
      fields.add(new Field(name, type, false));
      return this;
    }

    /** Adds a field that may be null. */
    public Builder nullable(String name, FieldType type) {
      fields.add(new Field(name, type, true));
      return this;
    }

    /**
     * Returns the schema.
     *
     * @throws IllegalArgumentException if two fields have the same name
     */
    public Schema build() {
      return new Schema(fields);
    }
  }
}
