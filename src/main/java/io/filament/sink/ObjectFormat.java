package io.filament.sink;

import java.util.Objects;
import java.util.Optional;

/**
 * A file format with its compression, and how an object of both is named and labelled.
 *
 * @param format how records are laid out
 * @param compression how bytes are compressed
 */
public record ObjectFormat(FileFormat format, Compression compression) {

  public ObjectFormat {
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(compression, "compression");
    if (format != FileFormat.PARQUET && compression == Compression.SNAPPY) {
      throw new IllegalArgumentException("snappy compresses parquet alone, not " + format.label());
    }
  }

  /** Returns the end of the object's name, with its dot. */
  public String extension() {
    String base = "." + format.label();
    if (format == FileFormat.PARQUET) {
      return base;
    }
    return switch (compression) {
      case NONE, SNAPPY -> base;
      case GZIP -> base + ".gz";
      case ZSTD -> base + ".zst";
    };
  }

  /** Returns the Content-Encoding, where the object as a whole is compressed. */
  public Optional<String> contentEncoding() {
    if (format == FileFormat.PARQUET || compression == Compression.NONE) {
      return Optional.empty();
    }
    return Optional.of(compression.label());
  }
}
