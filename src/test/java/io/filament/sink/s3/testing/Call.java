package io.filament.sink.s3.testing;

/**
 * A call of an {@code ObjectStore}.
 *
 * @param operation what was called
 * @param key for which object
 * @param number the part's number, or 0 where there is none
 */
public record Call(Operation operation, String key, int number) {

  /** A call that is about no part. */
  public Call(Operation operation, String key) {
    this(operation, key, 0);
  }
}
