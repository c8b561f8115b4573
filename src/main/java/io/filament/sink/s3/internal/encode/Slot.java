package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * A place for values: of a record's field, a struct's field, a list's elements or a map's values.
 *
 * @param vector where the values go
 * @param intake what checks them
 * @param nullable whether null is a value here
 */
record Slot(Vector vector, Intake intake, boolean nullable) {

  static Slot of(FieldType type, Vector vector, boolean nullable) {
    return new Slot(vector, Intake.of(type, vector), nullable);
  }

  void put(@Nullable Object value) {
    if (value == null) {
      putNull();
    } else {
      intake.take(value);
    }
  }

  void putNull() {
    if (!nullable) {
      throw new UnfitValueException("null in a required field");
    }
    vector.addNull();
  }
}
