package io.filament.sink.acceptance;

import java.util.List;
import java.util.stream.Stream;

/** A file format with a compression, and what a reader is told of the object. */
record Form(
    String format, String compression, String extension, String contentType, String encoding) {

  private static final String LINES = "application/x-ndjson";
  private static final String ARRAY = "application/json";
  private static final String PARQUET = "application/vnd.apache.parquet";

  /** Returns every form of JSON. */
  static List<Form> json() {
    return List.of(
        new Form("ndjson", "none", ".ndjson", LINES, null),
        new Form("ndjson", "gzip", ".ndjson.gz", LINES, "gzip"),
        new Form("ndjson", "zstd", ".ndjson.zst", LINES, "zstd"),
        new Form("jsonl", "none", ".jsonl", LINES, null),
        new Form("jsonl", "gzip", ".jsonl.gz", LINES, "gzip"),
        new Form("jsonl", "zstd", ".jsonl.zst", LINES, "zstd"),
        new Form("json", "none", ".json", ARRAY, null),
        new Form("json", "gzip", ".json.gz", ARRAY, "gzip"),
        new Form("json", "zstd", ".json.zst", ARRAY, "zstd"));
  }

  /** Returns every form of Parquet. */
  static List<Form> parquet() {
    return Stream.of("snappy", "zstd", "gzip", "none")
        .map(compression -> new Form("parquet", compression, ".parquet", PARQUET, null))
        .toList();
  }

  /** Returns every form. */
  static Stream<Form> all() {
    return Stream.concat(json().stream(), parquet().stream());
  }

  /** Returns the settings that ask for this form, and these (name, value, name, value). */
  Object[] settings(Object... more) {
    Stream<Object> own = Stream.of("file_format", format, "compression", compression);
    return Stream.concat(own, Stream.of(more)).toArray();
  }

  boolean isParquet() {
    return format.equals("parquet");
  }

  /** Returns the text of a JSON object as it is stored. */
  String text(byte[] stored) {
    return Json.utf8(Stored.decode(compression, stored));
  }

  @Override
  public String toString() {
    return format + " " + compression;
  }
}
