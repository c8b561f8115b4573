package io.filament.sink;

import org.jspecify.annotations.Nullable;

/**
 * The store holds something else than what was written: another size, checksum or number of parts.
 * The run is not valid and must not be committed as it is.
 */
public final class IntegrityException extends SinkException {

  private static final long serialVersionUID = 1L;

  public IntegrityException(String message) {
    super(message);
  }

  public IntegrityException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
