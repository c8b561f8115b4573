package io.filament.sink;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure of a sink. Subclasses exist only where a host must act differently. */
public class SinkException extends IOException {

  private static final long serialVersionUID = 1L;

  public SinkException(String message) {
    super(message);
  }

  public SinkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
