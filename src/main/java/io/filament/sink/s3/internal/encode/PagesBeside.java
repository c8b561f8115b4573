package io.filament.sink.s3.internal.encode;

import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Compresses pages on other threads while the next ones are put together, and writes them in their
 * order. So the file's bytes don't depend on how many threads there are, nor on which is faster.
 *
 * <p>A page that waits to be written has a place among the threads and tools of its own, whose
 * memory is held. Where there is none, the oldest page is written first; where none waits, the
 * caller compresses the page itself. So nobody waits for another resource.
 */
final class PagesBeside implements PageOutput, AutoCloseable {

  /** A row group with less is written before another thread would be awake. */
  static final long LEAST_BYTES = 512 << 10;

  /** A page with less is compressed faster than it is handed over. */
  static final int SMALL_BYTES = 16 << 10;

  /** How many bytes of small pages wait at most; {@link LentTools.Use#PAGE} has room for them. */
  private static final int MOST_SMALL_BYTES = 128 << 10;

  private final ParquetFileWriter file;
  private final ChunkWorkspace workspace;
  private final EncodeThreads threads;
  private final boolean compresses;
  private final Deque<Entry> waiting = new ArrayDeque<>();

  /** What the next page is put together in. */
  private @Nullable LentTools next;

  private int smallBytes;

  PagesBeside(ParquetFileWriter file, ChunkWorkspace workspace, EncodeThreads threads) {
    this.file = file;
    this.workspace = workspace;
    this.threads = threads;
    this.compresses = workspace.getCodecName() != CompressionCodecName.UNCOMPRESSED;
  }

  @Override
  public PageBytes buffer(long bytes) throws IOException {
    LentTools tools = tools(bytes);
    PageBytes buffer = tools == null ? workspace.page() : tools.tools().page();
    buffer.clear();
    return buffer;
  }

  /**
   * Returns tools for the next page, for which older pages may have to be written, or null if there
   * are none, or the page is not worth it.
   */
  private @Nullable LentTools tools(long bytes) throws IOException {
    if (bytes <= SMALL_BYTES || !compresses) {
      return null;
    }
    if (next != null && next.held() < LentTools.forPage(bytes)) {
      giveNextBack();
    }
    while (next == null) {
      next = workspace.tryLend(LentTools.Use.PAGE, LentTools.forPage(bytes));
      if (next == null) {
        if (waiting.isEmpty()) {
          return null;
        }
        writeOldest();
      }
    }
    return next;
  }

  private void giveNextBack() {
    if (next != null) {
      workspace.giveBack(next);
      next = null;
    }
  }

  @Override
  public void put(PageBytes content, Page page) throws IOException {
    writeDone();
    LentTools tools = toolsFor(content);
    if (tools == null) {
      putHere(content, page);
    } else {
      putBeside(tools, content, page);
    }
  }

  private @Nullable LentTools toolsFor(PageBytes content) throws IOException {
    if (content.length() <= SMALL_BYTES || content == workspace.page()) {
      return null; // the workspace's is filled again at once
    }
    return next != null && content == next.tools().page() ? next : tools(content.length());
  }

  @Override
  public void putCopied(PageBytes content, Page page) throws IOException {
    writeDone();
    LentTools tools = tools(content.length());
    if (tools == null) {
      putHere(content, page);
    } else {
      PageBytes copy = tools.tools().page();
      copy.clear();
      copy.put(content.array(), 0, content.length());
      putBeside(tools, copy, page);
    }
  }

  /** Without a place among the threads, the page is compressed here once it is the oldest. */
  private void putBeside(LentTools tools, PageBytes content, Page page) throws IOException {
    Given given = new Given(tools, content, page);
    waiting.addLast(given);
    next = null; // they are given back with the page
    given.begin();
    while (given.work == null && waiting.size() > 1) {
      writeOldest();
      given.begin();
    }
    if (given.work == null) {
      writeOldest();
    }
  }

  private void putHere(PageBytes content, Page page) throws IOException {
    int length = content.length();
    while (!waiting.isEmpty() && length > MOST_SMALL_BYTES - smallBytes) {
      writeOldest();
    }
    BytesInput compressed = workspace.compressor().compress(content.array(), 0, length);
    if (waiting.isEmpty()) {
      page.writeTo(file, length, compressed);
    } else {
      waiting.addLast(new Small(KeptPages.Kept.of(page, length, compressed)));
      smallBytes += length;
    }
  }

  /** Takes a page that is compressed, whose memory is held by someone else. */
  void put(KeptPages.Kept page) throws IOException {
    if (waiting.isEmpty()) {
      page.writeTo(file);
    } else {
      waiting.addLast(() -> page.writeTo(file));
    }
  }

  /** Runs something once all that came before is in the file, or is given up. */
  void atLast(Runnable end) {
    if (waiting.isEmpty()) {
      end.run();
    } else {
      waiting.addLast(new AtLast(end));
    }
  }

  @Override
  public void then(Step step) throws IOException {
    if (waiting.isEmpty()) {
      step.writeTo(file);
    } else {
      waiting.addLast(() -> step.writeTo(file));
    }
  }

  private void writeDone() throws IOException {
    Entry oldest = waiting.peek();
    while (oldest != null && oldest.isDone()) {
      writeOldest();
      oldest = waiting.peek();
    }
  }

  private void writeOldest() throws IOException {
    waiting.remove().write();
  }

  /** Writes all that waits. */
  void writeAll() throws IOException {
    while (!waiting.isEmpty()) {
      writeOldest();
    }
  }

  /** Gives up what is not written. What is being compressed gives its tools back when it ends. */
  @Override
  public void close() {
    waiting.forEach(Entry::giveUp);
    waiting.clear();
    giveNextBack();
  }

  /** What waits to be written. */
  @FunctionalInterface
  private interface Entry {

    /** Returns whether it can be written without a wait. */
    default boolean isDone() {
      return true;
    }

    void write() throws IOException;

    default void giveUp() {}
  }

  private record AtLast(Runnable end) implements Entry {

    @Override
    public void write() {
      end.run();
    }

    @Override
    public void giveUp() {
      end.run();
    }
  }

  private final class Small implements Entry {

    private final KeptPages.Kept page;

    Small(KeptPages.Kept page) {
      this.page = page;
    }

    @Override
    public void write() throws IOException {
      smallBytes -= page.length();
      page.writeTo(file);
    }
  }

  /** A page that another thread compresses, if it has begun. */
  private final class Given extends LentWork<BytesInput> implements Entry {

    private final LentTools lent;
    private final byte[] content;
    private final int length;
    private final Page page;
    private @Nullable Work<BytesInput> work;

    Given(LentTools lent, PageBytes content, Page page) {
      this.lent = lent;
      this.content = content.array();
      this.length = content.length();
      this.page = page;
    }

    void begin() throws IOException {
      work = threads.tryBegin(this);
    }

    @Override
    BytesInput work() throws IOException {
      return lent.tools().compressor().compress(content, 0, length);
    }

    @Override
    void giveBack() {
      workspace.giveBack(lent);
    }

    @Override
    public boolean isDone() {
      return work != null && work.isDone();
    }

    @Override
    public void write() throws IOException {
      try {
        page.writeTo(file, length, work == null ? call() : work.takeOrDo());
      } finally {
        leave();
      }
    }

    @Override
    public void giveUp() {
      if (work != null) {
        work.drop();
      }
      leave();
    }
  }
}
