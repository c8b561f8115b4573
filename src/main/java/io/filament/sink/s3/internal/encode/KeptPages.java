package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.hadoop.ParquetFileWriter;

/** Compresses pages and keeps them until they are written. */
final class KeptPages implements PageOutput {

  /**
   * A page that is ready to be written.
   *
   * @param page its other part
   * @param length how many bytes it had before compression
   * @param compressed nobody changes them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Kept(Page page, int length, byte[] compressed) {

    /** Copies what a compressor has made. */
    static Kept of(Page page, int length, BytesInput compressed) {
      ByteBuffer bytes =
          compressed.toByteBuffer(HeapByteBufferAllocator.getInstance(), buffer -> {});
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return new Kept(page, length, copy);
    }

    void writeTo(ParquetFileWriter file) throws IOException {
      page.writeTo(file, length, BytesInput.from(compressed));
    }
  }

  private final ChunkTools tools;
  private final List<Kept> pages = new ArrayList<>();

  KeptPages(ChunkTools tools) {
    this.tools = tools;
  }

  List<Kept> pages() {
    return pages;
  }

  @Override
  public PageBytes buffer(long bytes) {
    PageBytes buffer = tools.page();
    buffer.clear();
    return buffer;
  }

  @Override
  public void put(PageBytes content, Page page) throws IOException {
    int length = content.length();
    pages.add(Kept.of(page, length, tools.compressor().compress(content.array(), 0, length)));
  }

  @Override
  public void putCopied(PageBytes content, Page page) throws IOException {
    put(content, page);
  }

  @Override
  public void then(Step step) {
    throw new UnsupportedOperationException("there is no file");
  }
}
