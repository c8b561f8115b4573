package io.filament.sink.s3;

import java.io.IOException;
import java.io.InterruptedIOException;

/** Says what an interrupted thread was at: what it waited for often knows no object and no run. */
final class Interruption {

  private Interruption() {}

  /**
   * Returns the failure, with words for what was done if it is an interrupt that names no place.
   */
  static IOException named(String what, IOException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!(failure instanceof InterruptedIOException) || message.contains("s3://")) {
      return failure;
    }
    InterruptedIOException named = new InterruptedIOException(what + ": " + message);
    named.initCause(failure);
    return named;
  }
}
