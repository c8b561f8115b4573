package io.filament.sink;

/** How bytes are compressed: JSON formats as one stream, Parquet page by page. */
public enum Compression {
  /** Not at all. */
  NONE("none"),
  /** Snappy, for Parquet alone. */
  SNAPPY("snappy"),
  /** gzip (RFC 1952), without time stamp and file name. */
  GZIP("gzip"),
  /** Zstandard (RFC 8878). */
  ZSTD("zstd");

  private final String label;

  Compression(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration and in a manifest. */
  public String label() {
    return label;
  }
}
