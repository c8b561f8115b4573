package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  /** The same, and what there is behind its values. */
  private static final int NEXT_PAGE_BYTES = PAGE_OVERHEAD_BYTES + 4 * PageBytes.SLACK;

  /** What the pages of a dictionary's codes take beside these: widths, levels, objects. */
  private static final int DICTIONARY_OVERHEAD_BYTES = 64 << 10;

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
    boolean mayOverflow = rows > page.freeRows() || page.bytes() + bytes > plain.pageBytes();
    if (!mayOverflow) {
      return page.growth(bytes, rows, plain.pageBytes());
    }
    // A page takes its values at once, and so no more memory than they have.
    long next =
        OpenPage.firstBytes(bytes, rows)
            + (1 + bytes / plain.pageBytes()) * NEXT_PAGE_BYTES
            + (workspace.isRoomy() ? plain.pageBytes() : 0);
    boolean isNextOnly = rows == 1 && page.bytes() > 0;
    long free = Math.max(0, plain.pageBytes() - page.bytes());
    return isNextOnly ? next : page.growth(Math.min(bytes, free), rows, plain.pageBytes()) + next;
  }

  /** Returns how many rows it has. */
  long rows() {
    long rows = 0;
    for (OpenPage page : pages.subList(0, pageCount)) {
      rows += page.rows();
    }
    return rows;
  }

  /** Returns whether its type is one of those that dictionaries are for. */
  boolean mayHaveDictionary() {
    return plain.lookup() != PlainValues.Lookup.NONE;
  }

  /**
   * Returns about how many bytes its compressed pages have if a dictionary pays, rather too many.
   */
  long dictionaryPagesBytes() {
    long entries = Math.min(ChunkDictionary.MAX_BYTES, bytes() / 2);
    long bytes = entries + rows() * Character.BYTES + rows() / Byte.SIZE;
    return bytes + bytes / 6 + DICTIONARY_OVERHEAD_BYTES;
  }

  @Override
  public void writeTo(PageOutput out) throws IOException {
    out.then(this::start);
    if (!putDictionaryPages(workspace.dictionary(), out)) {
      putPlainPages(out);
    }
    out.then(this::end);
  }

  /** Writes it without a dictionary. */
  void writePlainTo(PageOutput out) throws IOException {
    out.then(this::start);
    putPlainPages(out);
    out.then(this::end);
  }

  /** Writes it with pages that {@link #putDictionaryPages} has put somewhere else. */
  void writeTo(PagesBeside out, List<KeptPages.Kept> kept) throws IOException {
    out.then(this::start);
    for (KeptPages.Kept page : kept) {
      out.put(page);
    }
    out.then(this::end);
  }

  private void start(ParquetFileWriter file) throws IOException {
    file.startColumn(column, rows(), workspace.getCodecName());
  }

  private void end(ParquetFileWriter file) throws IOException {
    if (hasPageWithoutBounds) {
      file.invalidateStatistics(Statistics.getBuilderForReading(type).build());
    }
    file.endColumn();
    clear();
  }

  private void putPlainPages(PageOutput out) throws IOException {
    for (OpenPage page : pages.subList(0, pageCount)) {
      Statistics<?> statistics = statistics(page);
      if (page.present() > 0) {
        plain.bound(page, statistics);
      }
      PageBytes content = page.values();
      if (nullable || !plain.isPlain()) {
        content = start(page, page.bytes(), out);
        plain.encode(page, content);
      }
      put(page, content, statistics, Encoding.PLAIN, out);
    }
  }

  /**
   * Puts its pages, that of the dictionary first, if one pays. Any thread may call while nobody
   * changes the column.
   *
   * @return whether it pays; if not, nothing was put
   */
  boolean putDictionaryPages(ChunkDictionary dictionary, PageOutput out) throws IOException {
    List<OpenPage> used = pages.subList(0, pageCount);
    if (!dictionary.fill(used, plain.lookup())) {
      return false;
    }
    int size = dictionary.size();
    out.putCopied(
        dictionary.entries(),
        (file, length, compressed) ->
            file.writeDictionaryPage(new DictionaryPage(compressed, length, size, DICTIONARY)));
    int width = HybridRuns.width(size);
    int from = 0;
    for (OpenPage page : used) {
      int to = from + page.present();
      Statistics<?> statistics = statistics(page);
      if (to > from) {
        plain.bound(page, statistics);
      }
      PageBytes content = start(page, (page.rows() + (long) width * (to - from)) / Byte.SIZE, out);
      content.putByte(width);
      HybridRuns.put(dictionary.codes(), from, to, width, content);
      put(page, content, statistics, DICTIONARY, out);
      from = to;
    }
    return true;
  }

  private Statistics<?> statistics(OpenPage page) {
    Statistics<?> statistics = Statistics.createStats(type);
    statistics.incrementNumNulls(page.rows() - page.present());
    return statistics;
  }

  /** Returns what the page's values come into, behind its levels. */
  private PageBytes start(OpenPage page, long bytes, PageOutput out) throws IOException {
    PageBytes content = out.buffer(bytes);
    if (nullable) {
      HybridRuns.putLevels(page.levels(), page.rows(), content);
    }
    return content;
  }

  /** The levels' encodings count only where there are levels; readers look for none elsewhere. */
  private void put(
      OpenPage page, PageBytes content, Statistics<?> statistics, Encoding encoding, PageOutput out)
      throws IOException {
    Statistics<?> bounds = ShortBounds.shorten(statistics, type);
    hasPageWithoutBounds |= statistics.hasNonNullValue() && !bounds.hasNonNullValue();
    out.put(
        content,
        (file, length, compressed) -> {
          file.writeDataPage(
              page.rows(),
              length,
              compressed,
              bounds,
              page.rows(),
              Encoding.RLE,
              Encoding.RLE,
              encoding,
              null,
              null,
              new SizeStatistics(type, plain.unencodedBytes(page), List.of(), List.of()));
          workspace.written(page);
        });
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
