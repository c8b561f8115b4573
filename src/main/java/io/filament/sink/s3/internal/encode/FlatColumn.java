package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.PrimitiveType;

/**
 * The column of one scalar field. Its values are held as they stand in PLAIN pages until the row
 * group is full; only then it is known whether a dictionary pays for all of them.
 *
 * <p>Pages end where their values do not depend on how rows are sliced: at so many bytes or rows.
 */
final class FlatColumn implements ColumnBuffer {

  /** Readers of format version 1, which the files are, know dictionaries under this name alone. */
  @SuppressWarnings("deprecation")
  private static final Encoding DICTIONARY = Encoding.PLAIN_DICTIONARY;

  /** A page's own objects. */
  private static final int PAGE_OVERHEAD_BYTES = 96;

  private final ColumnDescriptor column;
  private final PrimitiveType type;
  private final boolean nullable;
  private final PlainValues plain;
  private final ChunkWorkspace workspace;

  /** Those in use come first; the others are kept for the next row group. */
  private final List<OpenPage> pages = new ArrayList<>();

  private int pageCount;
  private long fullPageBytes;

  /** What the file's writer puts together of the other pages would hide that page's rows. */
  private boolean hasPageWithoutBounds;

  FlatColumn(ColumnDescriptor column, PlainValues plain, ChunkWorkspace workspace) {
    this.column = column;
    this.type = column.getPrimitiveType();
    this.nullable = column.getMaxDefinitionLevel() > 0;
    this.plain = plain;
    this.workspace = workspace;
  }

  @Override
  public void put(Vector values, int from, int to) {
    boolean mixed = nullable && values.hasNulls();
    int at = from;
    while (at < to) {
      OpenPage page = last();
      at += mixed ? putMixed(values, at, to, page) : putPresent(values, at, to, page);
      if (at < to) {
        nextPage();
      }
    }
  }

  private int putMixed(Vector values, int from, int to, OpenPage page) {
    int count = plain.putMixed(values, from, to, page);
    page.addMixed(values.nulls(), from, count);
    return count;
  }

  private int putPresent(Vector values, int from, int to, OpenPage page) {
    int count = plain.put(values, from, to, page);
    if (nullable) {
      page.addPresent(count);
    } else {
      page.addRequired(count);
    }
    return count;
  }

  private OpenPage last() {
    if (pageCount == 0) {
      nextPage();
    }
    return pages.get(pageCount - 1);
  }

  private void nextPage() {
    if (pageCount > 0) {
      fullPageBytes += pages.get(pageCount - 1).bytes();
    }
    if (pageCount == pages.size()) {
      OpenPage page = new OpenPage(plain.pageBytes());
      if (pageCount > 0 && workspace.isRoomy()) {
        page.values().reserve();
      }
      pages.add(page);
    }
    pageCount++;
  }

  @Override
  public void endStep(int rows) {}

  @Override
  public long bytes() {
    return pageCount == 0 ? 0 : fullPageBytes + pages.get(pageCount - 1).bytes();
  }

  @Override
  public long allocated() {
    long bytes = 0;
    for (OpenPage page : pages) {
      bytes += PAGE_OVERHEAD_BYTES + page.allocated();
    }
    return bytes;
  }

  @Override
  public long growth(Vector values, int from, int to) {
    int rows = to - from;
    long bytes = plain.bytes(values, from, to);
    if (pages.isEmpty()) {
      return PAGE_OVERHEAD_BYTES + OpenPage.firstBytes(bytes, rows);
    }
    OpenPage page = pages.get(Math.max(0, pageCount - 1));
    long growth = page.growth(bytes, rows, plain.pageBytes());
    boolean mayOverflow = rows > page.freeRows() || page.bytes() + bytes > plain.pageBytes();
    return mayOverflow
        ? growth
            + OpenPage.firstBytes(2 * bytes, rows)
            + (workspace.isRoomy() ? plain.pageBytes() : 0)
        : growth;
  }

  @Override
  public void writeTo(ParquetFileWriter file) throws IOException {
    List<OpenPage> used = pages.subList(0, pageCount);
    long rows = 0;
    for (OpenPage page : used) {
      rows += page.rows();
    }
    file.startColumn(column, rows, workspace.compressor().getCodecName());
    if (workspace.dictionary().fill(used, plain.lookup())) {
      writeDictionaryPages(used, file);
    } else {
      writePlainPages(used, file);
    }
    if (hasPageWithoutBounds) {
      file.invalidateStatistics(Statistics.getBuilderForReading(type).build());
    }
    file.endColumn();
    clear();
  }

  private void writePlainPages(List<OpenPage> used, ParquetFileWriter file) throws IOException {
    PageBytes encoded = workspace.page();
    for (OpenPage page : used) {
      Statistics<?> statistics = statistics(page);
      if (page.present() > 0) {
        plain.bound(page, statistics);
      }
      PageBytes values = page.values();
      if (nullable || !plain.isPlain()) {
        startPage(page);
        plain.encode(page, encoded);
        values = encoded;
      }
      writePage(page, values, statistics, Encoding.PLAIN, file);
      workspace.written(page);
    }
  }

  private void writeDictionaryPages(List<OpenPage> used, ParquetFileWriter file)
      throws IOException {
    ChunkDictionary dictionary = workspace.dictionary();
    PageBytes entries = dictionary.entries();
    file.writeDictionaryPage(
        new DictionaryPage(compress(entries), entries.length(), dictionary.size(), DICTIONARY));
    int width = HybridRuns.width(dictionary.size());
    int from = 0;
    for (OpenPage page : used) {
      int to = from + page.present();
      Statistics<?> statistics = statistics(page);
      if (to > from) {
        plain.bound(page, statistics);
      }
      startPage(page);
      workspace.page().putByte(width);
      HybridRuns.put(dictionary.codes(), from, to, width, workspace.page());
      writePage(page, workspace.page(), statistics, DICTIONARY, file);
      workspace.written(page);
      from = to;
    }
  }

  private Statistics<?> statistics(OpenPage page) {
    Statistics<?> statistics = Statistics.createStats(type);
    statistics.incrementNumNulls(page.rows() - page.present());
    return statistics;
  }

  private void startPage(OpenPage page) {
    workspace.page().clear();
    if (nullable) {
      HybridRuns.putLevels(page.levels(), page.rows(), workspace.page());
    }
  }

  private BytesInput compress(PageBytes bytes) throws IOException {
    return workspace.compressor().compress(bytes.array(), 0, bytes.length());
  }

  /** The levels' encodings count only where there are levels; readers look for none elsewhere. */
  private void writePage(
      OpenPage page,
      PageBytes content,
      Statistics<?> statistics,
      Encoding encoding,
      ParquetFileWriter file)
      throws IOException {
    Statistics<?> bounds = ShortBounds.shorten(statistics, type);
    hasPageWithoutBounds |= statistics.hasNonNullValue() && !bounds.hasNonNullValue();
    file.writeDataPage(
        page.rows(),
        content.length(),
        compress(content),
        bounds,
        page.rows(),
        Encoding.RLE,
        Encoding.RLE,
        encoding,
        null,
        null,
        new SizeStatistics(type, plain.unencodedBytes(page), List.of(), List.of()));
  }

  /** Keeps as many pages as were in use, for the next row group is mostly like this one. */
  private void clear() {
    pages.subList(pageCount, pages.size()).clear();
    pages.forEach(OpenPage::clear);
    pageCount = 0;
    fullPageBytes = 0;
    hasPageWithoutBounds = false;
  }
}
