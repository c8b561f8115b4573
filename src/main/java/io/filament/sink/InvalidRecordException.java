package io.filament.sink;

import org.jspecify.annotations.Nullable;

/**
 * A record that doesn't fit its schema. The run can only be aborted: trying again gives the same
 * failure until the source or the schema is mended.
 */
public final class InvalidRecordException extends SinkException {

  private static final long serialVersionUID = 1L;

  private final String resource;
  private final long row;
  private final String field;

  /**
   * @param resource the resource's name
   * @param row the record's number in its resource, counted from 0 over the run
   * @param field the field's name; for nested fields with {@code .} for a struct's field, {@code
   *     []} for a list's element, {@code {key}} for a map's value; empty if it is none of them, but
   *     the record as a whole
   * @param problem what is wrong, with the value and the limit
   */
  public InvalidRecordException(
      String resource, long row, String field, String problem, @Nullable Throwable cause) {
    super(
        "resource \"%s\", row %d%s: %s"
            .formatted(resource, row, field.isEmpty() ? "" : ", field \"" + field + "\"", problem),
        cause);
    this.resource = resource;
    this.row = row;
    this.field = field;
  }

  /** Returns the resource's name. */
  public String resource() {
    return resource;
  }

  /** Returns the record's number in its resource, counted from 0 over the run. */
  public long row() {
    return row;
  }

  /**
   * Returns the field's name; a nested field's begins with that of the record's field. Empty if the
   * record as a whole is wrong, as one that is null.
   */
  public String field() {
    return field;
  }
}
