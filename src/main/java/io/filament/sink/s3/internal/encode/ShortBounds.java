package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriteStore;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.BinaryStatistics;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.statistics.geospatial.GeospatialStatistics;
import org.apache.parquet.internal.column.columnindex.BinaryTruncator;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;

/**
 * Hands pages on with the minimum and maximum of long texts cut to a few bytes.
 *
 * <p>Parquet would keep them whole until the footer is written, which cuts them only then: with
 * texts of 1 MiB that is 2 MiB of heap for each row group so far.
 */
final class ShortBounds implements PageWriteStore {

  /** As many bytes as Parquet leaves of them in its column indexes. */
  static final int BOUND_BYTES = 64;

  private final PageWriteStore pages;

  ShortBounds(PageWriteStore pages) {
    this.pages = pages;
  }

  @Override
  public PageWriter getPageWriter(ColumnDescriptor column) {
    return new Pages(pages.getPageWriter(column), column.getPrimitiveType());
  }

  /**
   * Returns statistics with bounds of at most {@link #BOUND_BYTES} bytes: a lower bound that is cut
   * is smaller than the minimum, an upper bound is cut and counted up, in whole characters where
   * the value is text. Where that can't be (nothing is above a text of only U+10FFFF), none at all.
   */
  static Statistics<?> shorten(Statistics<?> statistics, PrimitiveType type) {
    if (!(statistics instanceof BinaryStatistics full) || !full.hasNonNullValue()) {
      return statistics;
    }
    Binary min = full.genericGetMin();
    Binary max = full.genericGetMax();
    if (min.length() <= BOUND_BYTES && max.length() <= BOUND_BYTES) {
      return statistics;
    }
    BinaryTruncator truncator = BinaryTruncator.getTruncator(type);
    Binary lower = truncator.truncateMin(min, BOUND_BYTES);
    Binary upper = truncator.truncateMax(max, BOUND_BYTES);
    Statistics.Builder shorter = Statistics.getBuilderForReading(type);
    if (lower.length() <= BOUND_BYTES && upper.length() <= BOUND_BYTES) {
      shorter
          .withMin(lower.getBytes())
          .withMax(upper.getBytes())
          .withNumNulls(statistics.getNumNulls());
    }
    return shorter.build();
  }

  private record Pages(PageWriter pages, PrimitiveType type) implements PageWriter {

    @Override
    public void writePage(
        BytesInput bytes,
        int valueCount,
        int rowCount,
        Statistics<?> statistics,
        SizeStatistics sizes,
        GeospatialStatistics places,
        Encoding repetitionEncoding,
        Encoding definitionEncoding,
        Encoding valueEncoding)
        throws IOException {
      pages.writePage(
          bytes,
          valueCount,
          rowCount,
          shorten(statistics, type),
          sizes,
          places,
          repetitionEncoding,
          definitionEncoding,
          valueEncoding);
    }

    @Override
    public void writeDictionaryPage(DictionaryPage page) throws IOException {
      pages.writeDictionaryPage(page);
    }

    @Override
    public long getMemSize() {
      return pages.getMemSize();
    }

    @Override
    public long allocatedSize() {
      return pages.allocatedSize();
    }

    @Override
    public String memUsageString(String prefix) {
      return pages.memUsageString(prefix);
    }

    @Override
    public void close() {}

    // The other ways to write a page are those of older versions, and of format 2.

    @Override
    @Deprecated
    public void writePage(
        BytesInput bytes,
        int valueCount,
        Statistics<?> statistics,
        Encoding repetitionEncoding,
        Encoding definitionEncoding,
        Encoding valueEncoding) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void writePage(
        BytesInput bytes,
        int valueCount,
        int rowCount,
        Statistics<?> statistics,
        Encoding repetitionEncoding,
        Encoding definitionEncoding,
        Encoding valueEncoding) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void writePageV2(
        int rowCount,
        int nullCount,
        int valueCount,
        BytesInput repetitionLevels,
        BytesInput definitionLevels,
        Encoding valueEncoding,
        BytesInput values,
        Statistics<?> statistics) {
      throw new UnsupportedOperationException();
    }
  }
}
