package io.filament.sink.s3.internal.encode;

/**
 * A value that doesn't fit its field, on its way to the place that knows resource and row.
 * Unchecked because it passes through {@link io.filament.sink.Column.BytesTarget}, which hosts
 * call; it never leaves this package.
 */
final class UnfitValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String path;
  private final String problem;

  /**
   * @param problem what is wrong, with the value and the limit
   */
  UnfitValueException(String problem) {
    this("", problem);
  }

  private UnfitValueException(String path, String problem) {
    super(problem, null, false, false);
    this.path = path;
    this.problem = problem;
  }

  /** Returns this problem as one of a struct's field. */
  UnfitValueException inField(String name) {
    return new UnfitValueException("." + name + path, problem);
  }

  /** Returns this problem as one of a list's element. */
  UnfitValueException inElement(int index) {
    return new UnfitValueException("[]" + path, "element " + index + ": " + problem);
  }

  /** Returns this problem as one of the value under a map's key. */
  UnfitValueException underKey(String key) {
    return new UnfitValueException("{" + key + "}" + path, problem);
  }

  /** Returns the way from the record's field to the value; empty if they are the same. */
  String path() {
    return path;
  }

  /** Returns what is wrong. */
  String problem() {
    return problem;
  }
}
