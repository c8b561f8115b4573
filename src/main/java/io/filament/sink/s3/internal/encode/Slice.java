package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import java.util.List;

/**
 * Some consecutive records of a resource, checked, one vector a field. It is filled again for the
 * next records, so an encoder keeps nothing of it.
 *
 * @param schema the fields
 * @param vectors one a field, in the schema's order
 * @param rows the number of records; each vector has as many values
 */
record Slice(Schema schema, List<Vector> vectors, int rows) {

  /** Returns whether its records are still there: at the memory's limit they may be given up. */
  boolean isThere() {
    return vectors.get(0).size() >= rows;
  }
}
