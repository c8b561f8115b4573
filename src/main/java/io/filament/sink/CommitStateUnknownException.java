package io.filament.sink;

import org.jspecify.annotations.Nullable;

/**
 * It can't be known whether the manifest was published. Nothing is deleted: look for the manifest
 * before the run is tried again.
 */
public final class CommitStateUnknownException extends SinkException {

  private static final long serialVersionUID = 1L;

  public CommitStateUnknownException(String message) {
    super(message);
  }

  public CommitStateUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
