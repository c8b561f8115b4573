package io.filament.sink;

/** How the records of an object are laid out. */
public enum FileFormat {
  /** One JSON object a line, each ended by a line feed; extension {@code .ndjson}. */
  NDJSON("ndjson", "application/x-ndjson"),
  /** The same bytes as {@link #NDJSON}; extension {@code .jsonl}. */
  JSONL("jsonl", "application/x-ndjson"),
  /** One JSON array. */
  JSON("json", "application/json"),
  /** Apache Parquet. */
  PARQUET("parquet", "application/vnd.apache.parquet");

  private final String label;
  private final String contentType;

  FileFormat(String label, String contentType) {
    this.label = label;
    this.contentType = contentType;
  }

  /** Returns the name in a configuration, which is also the extension without its dot. */
  public String label() {
    return label;
  }

  /** Returns the media type of the object. */
  public String contentType() {
    return contentType;
  }
}
