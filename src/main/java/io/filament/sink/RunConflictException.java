package io.filament.sink;

import org.jspecify.annotations.Nullable;

/**
 * A run that has been committed already, by this or another writer. Nothing of the committed run is
 * changed; the host decides whether the run is done or needs another id.
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
