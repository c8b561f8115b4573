package io.filament.sink.s3.internal.encode;

import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes columns on other threads before their turn: it looks whether a dictionary pays, and if it
 * does, the column's pages are made there and kept. A column without one comes back as it was; most
 * of its work is to compress, page by page, for which see {@link PagesBeside}.
 *
 * <p>At most as many columns as there are threads are at work or kept, each with tools and memory
 * of its own. Where there are none, the column is left to the caller.
 */
final class ColumnsAhead implements AutoCloseable {

  /** A column with less is encoded faster than it is handed over. */
  static final long LEAST_BYTES = 128 << 10;

  private final List<ColumnBuffer> columns;
  private final ChunkWorkspace workspace;
  private final EncodeThreads threads;
  private final Deque<Ahead> begun = new ArrayDeque<>();
  private int next;

  /** How many have been begun and have still something that is lent. */
  private int open;

  ColumnsAhead(List<ColumnBuffer> columns, ChunkWorkspace workspace, EncodeThreads threads) {
    this.columns = columns;
    this.workspace = workspace;
    this.threads = threads;
  }

  /** Puts a column's pages, and begins some of those that come after it. In their order. */
  void put(int index, PagesBeside pages) throws IOException {
    next = Math.max(next, index + 1);
    beginNext();
    Ahead ahead = begun.peek();
    if (ahead == null || ahead.index != index) {
      columns.get(index).writeTo(pages);
      return;
    }
    List<KeptPages.Kept> kept = ahead.take();
    if (kept.isEmpty()) {
      begun.remove().end();
      ahead.column.writePlainTo(pages);
    } else {
      ahead.column.writeTo(pages, kept);
      pages.atLast(ahead::end);
      begun.remove();
    }
  }

  private void beginNext() throws IOException {
    while (next < columns.size() && open < threads.count()) {
      if (columns.get(next) instanceof FlatColumn column
          && column.mayHaveDictionary()
          && column.bytes() >= LEAST_BYTES
          && !tryBegin(column)) {
        return;
      }
      next++;
    }
  }

  /** Returns false if no thread or no memory is free. */
  private boolean tryBegin(FlatColumn column) throws IOException {
    LentTools lent = workspace.tryLend(LentTools.Use.COLUMN, LentTools.forColumn(column.rows()));
    if (lent == null) {
      return false;
    }
    long held = column.dictionaryPagesBytes();
    if (!workspace.tryHold(held)) {
      workspace.giveBack(lent);
      return false;
    }
    Ahead ahead = new Ahead(next, column, lent, held);
    begun.addLast(ahead);
    open++;
    ahead.begin();
    if (!ahead.hasBegun()) {
      begun.removeLast().end();
    }
    return ahead.hasBegun();
  }

  /** Gives up what is not written. What is at work gives its tools back when it ends. */
  @Override
  public void close() {
    begun.forEach(Ahead::end);
    begun.clear();
  }

  /** The pages of a column, or none if a dictionary does not pay. */
  private final class Ahead extends LentWork<List<KeptPages.Kept>> {

    private final int index;
    private final FlatColumn column;
    private final LentTools lent;
    private final long held;
    private @Nullable Work<List<KeptPages.Kept>> work;

    Ahead(int index, FlatColumn column, LentTools lent, long held) {
      this.index = index;
      this.column = column;
      this.lent = lent;
      this.held = held;
    }

    void begin() throws IOException {
      work = threads.tryBeginAhead(this);
    }

    boolean hasBegun() {
      return work != null;
    }

    List<KeptPages.Kept> take() throws IOException {
      return Objects.requireNonNull(work, "work").takeOrDo();
    }

    /** Gives up the work, if it is not done, and what is lent for it. */
    void end() {
      if (work != null) {
        work.drop();
      }
      open--;
      leave();
    }

    @Override
    void giveBack() {
      workspace.giveBack(lent);
      workspace.letGo(held);
    }

    @Override
    List<KeptPages.Kept> work() throws IOException {
      KeptPages pages = new KeptPages(lent.tools());
      column.putDictionaryPages(lent.tools().dictionary(), pages);
      return pages.pages();
    }
  }
}
