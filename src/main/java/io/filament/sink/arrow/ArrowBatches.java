package io.filament.sink.arrow;

import io.filament.sink.Column;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Makes batches of Arrow's vectors, without copying them: numbers are read as primitives, texts as
 * the UTF-8 that they are. Needs {@code arrow-vector} and one of Arrow's memory libraries on the
 * class path.
 */
public final class ArrowBatches {

  private ArrowBatches() {}

  /**
   * Returns the rows of {@code root} as a batch. The root stays the host's: until {@link
   * io.filament.sink.Sink#write} returns it must neither change nor be closed; then it may be
   * filled anew and be handed to this method again.
   *
   * @throws IllegalArgumentException as {@link #schema} does
   */
  public static RecordBatch of(String resource, VectorSchemaRoot root) {
    Objects.requireNonNull(resource, "resource");
    Schema schema = schema(root.getSchema());
    List<Column> columns = new ArrayList<>();
    byte[] scratch = new byte[ArrowColumns.SCRATCH_BYTES];
    for (FieldVector vector : root.getFieldVectors()) {
      columns.add(ArrowColumns.of(vector, root.getRowCount(), scratch));
    }
    return RecordBatch.ofColumns(resource, schema, root.getRowCount(), columns);
  }

  /**
   * Returns the schema that batches of this Arrow schema have.
   *
   * @throws IllegalArgumentException if a field has a type without counterpart, a dictionary, or
   *     the name of another field; the message names it
   */
  public static Schema schema(org.apache.arrow.vector.types.pojo.Schema schema) {
    return ArrowTypes.schema(schema.getFields(), "");
  }
}
