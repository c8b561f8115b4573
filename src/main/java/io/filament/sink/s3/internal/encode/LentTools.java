package io.filament.sink.s3.internal.encode;

/**
 * Tools for work on another thread.
 *
 * @param use what for
 * @param tools nobody else uses them
 * @param held how many bytes of memory are held for them
 */
record LentTools(Use use, ChunkTools tools, long held) {

  /** What they are lent for. */
  enum Use {
    /** A page, the same compressed, a compressor, and some small pages that wait behind it. */
    PAGE(1 << 20),
    /** All that one column needs. */
    COLUMN(Workspaces.BYTES);

    private final long usualBytes;

    Use(long usualBytes) {
      this.usualBytes = usualBytes;
    }

    /** Returns what they usually take. */
    long usualBytes() {
      return usualBytes;
    }
  }

  /** Returns how much memory is to be held to compress a page; a codec may add a sixth to it. */
  static long forPage(long bytes) {
    long usual = Use.PAGE.usualBytes();
    return bytes <= OpenPage.MAX_BYTES + OpenPage.MAX_ROWS ? usual : usual + 2 * bytes + bytes / 4;
  }

  /** Returns how much memory is to be held to encode a column; each row may have a code. */
  static long forColumn(long rows) {
    long usual = Use.COLUMN.usualBytes();
    return rows <= ChunkDictionary.MAX_KEPT_CODES ? usual : usual + Character.BYTES * rows;
  }

  /** Returns whether more is held than such tools usually take. */
  boolean areUnusual() {
    return held > use.usualBytes();
  }
}
