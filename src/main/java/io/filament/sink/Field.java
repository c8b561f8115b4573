package io.filament.sink;

import java.util.Objects;

/**
 * One named, typed field of a {@link Schema}.
 *
 * @param name the field's name at its source, kept as it is; case matters
 * @param type the field's type
 * @param nullable whether a record may have null here
 */
public record Field(String name, FieldType type, boolean nullable) {

  public Field {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
  }
}
