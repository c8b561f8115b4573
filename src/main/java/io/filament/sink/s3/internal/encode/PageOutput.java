package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.ParquetFileWriter;

/**
 * Takes the pages of a row group's columns one after the other, and brings them into the file in
 * that order, compressed. Used by one thread at a time.
 */
interface PageOutput {

  /** What is said to a file's writer. */
  @FunctionalInterface
  interface Step {

    void writeTo(ParquetFileWriter file) throws IOException;
  }

  /** A page without its content. */
  @FunctionalInterface
  interface Page {

    /**
     * Writes the page.
     *
     * @param length how many bytes its content has
     * @param compressed the content, which stands until this returns
     */
    void writeTo(ParquetFileWriter file, int length, BytesInput compressed) throws IOException;
  }

  /**
   * Returns an empty buffer for the content of the next page.
   *
   * @param bytes about how many it will have
   */
  PageBytes buffer(long bytes) throws IOException;

  /**
   * Takes a page, which may be written later.
   *
   * @param content the buffer, or other bytes that stand until the page is written
   */
  void put(PageBytes content, Page page) throws IOException;

  /** Takes a page whose content stands only until this returns. */
  void putCopied(PageBytes content, Page page) throws IOException;

  /** Does something once all that came before is in the file. */
  void then(Step step) throws IOException;
}
