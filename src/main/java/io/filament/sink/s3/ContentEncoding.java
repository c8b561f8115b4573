package io.filament.sink.s3;

import io.filament.sink.ObjectFormat;
import java.util.Optional;

/** Whether objects say in a header that they are compressed. */
public enum ContentEncoding {
  /** Compressed JSON objects do, so that HTTP clients decompress them. */
  AUTO("auto"),
  /** No object does. */
  NONE("none");

  private final String label;

  ContentEncoding(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration. */
  public String label() {
    return label;
  }

  Optional<String> header(ObjectFormat format) {
    return switch (this) {
      case AUTO -> format.contentEncoding();
      case NONE -> Optional.empty();
    };
  }
}
