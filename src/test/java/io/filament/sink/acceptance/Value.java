package io.filament.sink.acceptance;

import io.filament.sink.FieldType;

/** A value for a field of a type. */
record Value(FieldType type, Object value) {

  @Override
  public String toString() {
    String kind = value == null ? "" : value.getClass().getSimpleName() + " ";
    String text = String.valueOf(value);
    return type + " of " + kind + (text.length() > 60 ? text.substring(0, 60) + "…" : text);
  }
}
