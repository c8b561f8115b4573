package io.filament.sink;

import org.jspecify.annotations.Nullable;

/**
 * Another writer has this run: it has committed it, or it has the run in hand, and may commit it or
 * not. Nothing of a committed run is changed. The message tells which of the two was seen; whether
 * the run is committed is what its manifest shows. If there is none once the other writer has
 * ended, the run is to be tried again; if there is one, the host decides whether the run is done or
 * needs another id.
 */
public final class RunConflictException extends SinkException {

  private static final long serialVersionUID = 1L;

  public RunConflictException(String message) {
    super(message);
  }

  public RunConflictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
