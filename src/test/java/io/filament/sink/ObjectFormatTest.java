package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ObjectFormatTest {

  @ParameterizedTest
  @CsvSource({
    "NDJSON, NONE, .ndjson, application/x-ndjson,",
    "NDJSON, GZIP, .ndjson.gz, application/x-ndjson, gzip",
    "NDJSON, ZSTD, .ndjson.zst, application/x-ndjson, zstd",
    "JSONL, NONE, .jsonl, application/x-ndjson,",
    "JSONL, GZIP, .jsonl.gz, application/x-ndjson, gzip",
    "JSONL, ZSTD, .jsonl.zst, application/x-ndjson, zstd",
    "JSON, NONE, .json, application/json,",
    "JSON, GZIP, .json.gz, application/json, gzip",
    "JSON, ZSTD, .json.zst, application/json, zstd",
    "PARQUET, NONE, .parquet, application/vnd.apache.parquet,",
    "PARQUET, SNAPPY, .parquet, application/vnd.apache.parquet,",
    "PARQUET, GZIP, .parquet, application/vnd.apache.parquet,",
    "PARQUET, ZSTD, .parquet, application/vnd.apache.parquet,"
  })
  void anObjectIsNamedAndLabelledByItsFormat(
      FileFormat format,
      Compression compression,
      String extension,
      String contentType,
      String contentEncoding) {
    ObjectFormat object = new ObjectFormat(format, compression);
    assertThat(object.extension()).isEqualTo(extension);
    assertThat(object.format().contentType()).isEqualTo(contentType);
    assertThat(object.contentEncoding().orElse(null)).isEqualTo(contentEncoding);
  }

  @ParameterizedTest
  @EnumSource(value = FileFormat.class, mode = EnumSource.Mode.EXCLUDE, names = "PARQUET")
  void snappyIsForParquetAlone(FileFormat format) {
    assertThatThrownBy(() -> new ObjectFormat(format, Compression.SNAPPY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("snappy compresses parquet alone, not " + format.label());
  }
}
