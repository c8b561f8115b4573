package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.github.luben.zstd.Zstd;
import io.filament.sink.Compression;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

final class PageCompressorTest {

  private static final byte[] TEXT =
      "one page of text, ".repeat(1000).getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @EnumSource(Compression.class)
  void pagesComeBack(Compression compression) throws IOException {
    PageCompressor compressor = PageCompressor.of(compression);

    for (byte[] page : new byte[][] {TEXT, new byte[0], {42}, TEXT}) {
      byte[] compressed = bytes(compressor.compress(BytesInput.from(page)));
      assertThat(decompressed(compressor.getCodecName(), compressed, page.length)).isEqualTo(page);
    }

    compressor.release();
  }

  /** Parquet hands pages over in pieces: levels, then values in buffers of several sizes. */
  @ParameterizedTest
  @EnumSource(Compression.class)
  void pageInPiecesIsOnePage(Compression compression) throws IOException {
    PageCompressor compressor = PageCompressor.of(compression);
    byte[] whole = bytes(compressor.compress(BytesInput.from(TEXT)));
    ByteBuffer middle = ByteBuffer.wrap(TEXT, 7, 1000);

    BytesInput pieces =
        BytesInput.concat(
            BytesInput.from(TEXT, 0, 7),
            BytesInput.from(middle.slice()),
            BytesInput.from(TEXT, 1007, TEXT.length - 1007));

    assertThat(bytes(compressor.compress(pieces))).isEqualTo(whole);
    compressor.release();
  }

  @ParameterizedTest
  @CsvSource({"NONE, UNCOMPRESSED", "SNAPPY, SNAPPY", "GZIP, GZIP", "ZSTD, ZSTD"})
  void codecIsNamedAsInTheFormat(Compression compression, CompressionCodecName name)
      throws IOException {
    PageCompressor compressor = PageCompressor.of(compression);

    assertThat(compressor.getCodecName()).isEqualTo(name);
    compressor.release();
  }

  @Test
  void gzipHeaderHasNoTime() throws IOException {
    byte[] compressed = bytes(PageCompressor.of(Compression.GZIP).compress(BytesInput.from(TEXT)));

    assertThat(compressed).startsWith(0x1f, 0x8b, 8, 0, 0, 0, 0, 0);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void releaseMayBeRepeated(Compression compression) throws IOException {
    PageCompressor compressor = PageCompressor.of(compression);
    compressor.compress(BytesInput.from(TEXT));
    compressor.release();

    assertThatCode(compressor::release).doesNotThrowAnyException();
  }

  private static byte[] bytes(BytesInput input) throws IOException {
    return input.toInputStream().readAllBytes();
  }

  private static byte[] decompressed(CompressionCodecName name, byte[] compressed, int size)
      throws IOException {
    return switch (name) {
      case UNCOMPRESSED -> compressed;
      case SNAPPY -> Snappy.uncompress(compressed);
      case ZSTD -> Zstd.decompress(compressed, size);
      case GZIP -> new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes();
      default -> throw new IOException("codec " + name);
    };
  }
}
