package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import org.junit.jupiter.api.Nested;

/** The contract of all formats, for Parquet. */
final class ParquetContractTest {

  /** The contract, for a codec. */
  abstract static class FileTest extends EncoderContractTest {

    private final Compression compression;

    FileTest(Compression compression) {
      this.compression = compression;
    }

    @Override
    ObjectFormat format() {
      return new ObjectFormat(FileFormat.PARQUET, compression);
    }

    @Override
    int recordsOf(byte[] object) {
      var rows = new ParquetFile(object).rows(SCHEMA);
      for (int i = 0; i < rows.size(); i++) {
        assertThat(rows.get(i).get(0)).isEqualTo((long) i);
      }
      return rows.size();
    }
  }

  @Nested
  final class SnappyTest extends FileTest {
    SnappyTest() {
      super(Compression.SNAPPY);
    }
  }

  @Nested
  final class ZstdTest extends FileTest {
    ZstdTest() {
      super(Compression.ZSTD);
    }
  }
}
