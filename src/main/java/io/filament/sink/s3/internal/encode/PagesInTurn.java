package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import org.apache.parquet.hadoop.ParquetFileWriter;

/** Compresses and writes each page as it comes. */
final class PagesInTurn implements PageOutput {

  private final ParquetFileWriter file;
  private final ChunkWorkspace workspace;

  PagesInTurn(ParquetFileWriter file, ChunkWorkspace workspace) {
    this.file = file;
    this.workspace = workspace;
  }

  @Override
  public PageBytes buffer(long bytes) {
    PageBytes buffer = workspace.page();
    buffer.clear();
    return buffer;
  }

  @Override
  public void put(PageBytes content, Page page) throws IOException {
    int length = content.length();
    page.writeTo(file, length, workspace.compressor().compress(content.array(), 0, length));
  }

  @Override
  public void putCopied(PageBytes content, Page page) throws IOException {
    put(content, page);
  }

  @Override
  public void then(Step step) throws IOException {
    step.writeTo(file);
  }
}
