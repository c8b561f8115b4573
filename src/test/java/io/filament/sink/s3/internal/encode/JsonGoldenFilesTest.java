package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What readers of earlier versions have found, they find in this one. */
class JsonGoldenFilesTest {

  @ParameterizedTest
  @CsvSource({"NDJSON, types.ndjson", "JSONL, types.ndjson", "JSON, types.json"})
  void theBytesAreThoseOfTheGoldenFile(FileFormat format, String file) throws IOException {
    assertThat(text(object(format, Compression.NONE))).isEqualTo(text(golden(file)));
  }

  @ParameterizedTest
  @CsvSource({
    "NDJSON, GZIP, types.ndjson",
    "NDJSON, ZSTD, types.ndjson",
    "JSON, GZIP, types.json",
    "JSON, ZSTD, types.json"
  })
  void compressedBytesAreEqualEachTimeAndHoldTheGoldenFile(
      FileFormat format, Compression compression, String file) throws IOException {
    byte[] object = object(format, compression);
    assertThat(object(format, compression)).isEqualTo(object);
    byte[] decompressed = Encoding.decompressed(new ObjectFormat(format, compression), object);
    assertThat(text(decompressed)).isEqualTo(text(golden(file)));
  }

  private static byte[] object(FileFormat format, Compression compression) {
    return Encoding.object(
        new ObjectFormat(format, compression), GoldenRecords.SCHEMA, GoldenRecords.batch("things"));
  }

  private static byte[] golden(String file) throws IOException {
    try (InputStream in = JsonGoldenFilesTest.class.getResourceAsStream("/golden/v1/" + file)) {
      assertThat(in).as(file).isNotNull();
      return in.readAllBytes();
    }
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
