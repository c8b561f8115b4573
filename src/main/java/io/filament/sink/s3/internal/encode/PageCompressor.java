package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.filament.sink.Compression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * Compresses Parquet's pages. Parquet's own compressors are Hadoop's, and Hadoop is not there at
 * run time.
 *
 * <p>The same page gives the same bytes. Used by one thread at a time, and released once.
 */
abstract sealed class PageCompressor implements BytesInputCompressor {

  /** Against 3, zstd's default: a tenth more bytes, and a third less time for the whole file. */
  private static final int ZSTD_LEVEL = 1;

  /** Against 6, zlib's default: a tenth more bytes in less than half the time. */
  private static final int GZIP_LEVEL = 1;

  /** What an unusually large page needs is not kept. */
  private static final int MAX_KEPT_BYTES = 2 << 20;

  private static final int SMALL_BYTES = 32 << 10;

  /** What a full page needs, whichever the codec. */
  private static final int USUAL_BYTES = OpenPage.MAX_BYTES / 4 * 5;

  private final CompressionCodecName name;
  private byte[] room = new byte[0];

  private PageCompressor(CompressionCodecName name) {
    this.name = name;
  }

  /**
   * Returns a compressor.
   *
   * @throws IOException if its native library can't be loaded
   */
  static PageCompressor of(Compression compression) throws IOException {
    return switch (compression) {
      case NONE -> new Uncompressed();
      case SNAPPY -> NativeLibrary.SNAPPY.load(SnappyBlocks::new);
      case ZSTD -> NativeLibrary.ZSTD.load(ZstdFrames::new);
      case GZIP -> new GzipMembers();
    };
  }

  @Override
  public final CompressionCodecName getCodecName() {
    return name;
  }

  @Override
  public void release() {}

  @Override
  public BytesInput compress(BytesInput page) throws IOException {
    ByteBuffer whole = page.toByteBuffer(HeapByteBufferAllocator.getInstance(), buffer -> {});
    return compress(whole.array(), whole.arrayOffset() + whole.position(), whole.remaining());
  }

  /** Returns a page compressed. The bytes stand until the next page is compressed. */
  abstract BytesInput compress(byte[] page, int start, int length) throws IOException;

  /** Returns an array for compressed bytes, which is mostly the one of the page before. */
  final byte[] room(int count) {
    if (count > MAX_KEPT_BYTES) {
      return new byte[count];
    }
    if (count > room.length) {
      room = new byte[count <= SMALL_BYTES ? count : Math.max(count, USUAL_BYTES)];
    }
    return room;
  }

  private static final class Uncompressed extends PageCompressor {

    Uncompressed() {
      super(CompressionCodecName.UNCOMPRESSED);
    }

    @Override
    public BytesInput compress(BytesInput page) {
      return page;
    }

    @Override
    BytesInput compress(byte[] page, int start, int length) {
      return BytesInput.from(page, start, length);
    }
  }

  private static final class SnappyBlocks extends PageCompressor {

    SnappyBlocks() {
      super(CompressionCodecName.SNAPPY);
      Snappy.getNativeLibraryVersion();
    }

    @Override
    BytesInput compress(byte[] page, int start, int length) throws IOException {
      byte[] out = room(Snappy.maxCompressedLength(length));
      return BytesInput.from(out, 0, Snappy.compress(page, start, length, out, 0));
    }
  }

  private static final class ZstdFrames extends PageCompressor {

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(ZSTD_LEVEL);

    ZstdFrames() {
      super(CompressionCodecName.ZSTD);
    }

    @Override
    BytesInput compress(byte[] page, int start, int length) {
      byte[] out = room(Math.toIntExact(Zstd.compressBound(length)));
      int size = context.compressByteArray(out, 0, out.length, page, start, length);
      return BytesInput.from(out, 0, size);
    }

    @Override
    public void release() {
      context.close();
    }
  }

  private static final class GzipMembers extends PageCompressor {

    GzipMembers() {
      super(CompressionCodecName.GZIP);
    }

    @Override
    BytesInput compress(byte[] page, int start, int length) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream(length / 2 + 64);
      try (OutputStream gzip = new Member(out)) {
        gzip.write(page, start, length);
      }
      return BytesInput.from(out.toByteArray());
    }
  }

  /** One gzip stream. The JDK writes no time stamp into its header. */
  private static final class Member extends GZIPOutputStream {

    Member(OutputStream out) throws IOException {
      super(out, 8192);
      def.setLevel(GZIP_LEVEL);
    }
  }
}
