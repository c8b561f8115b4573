package io.filament.sink.scale;

import java.util.Map;

/**
 * What is tried once, in a JVM of its own.
 *
 * @param name what it is called
 * @param format a file format
 * @param heap the JVM's heap, as {@code -Xmx} takes it
 * @param work what is written
 * @param storeMibPerSecond how fast the store takes bytes; 0 for as fast as it can
 * @param settings of the sink, beside the format and the store
 */
record ScaleCase(
    String name,
    String format,
    String heap,
    Work work,
    int storeMibPerSecond,
    Map<String, Object> settings) {

  /**
   * What is written.
   *
   * @param resources how many resources, their batches in turn
   * @param threads how many threads write
   * @param rows how many records in all, if they decide; else {@link Long#MAX_VALUE}
   * @param bytes how many encoded bytes in all, if they decide; else {@link Long#MAX_VALUE}
   */
  record Work(int resources, int threads, long rows, long bytes) {

    /**
     * What goes before is of the same kind, or the compiler's work would count as that of many
     * resources.
     */
    private static final long WARMUP_ROWS = 1_000_000;

    Work warmUp() {
      return rows(resources, threads, Math.min(rows, WARMUP_ROWS));
    }

    static Work rows(int resources, int threads, long rows) {
      return new Work(resources, threads, rows, Long.MAX_VALUE);
    }

    static Work bytes(long bytes) {
      return new Work(1, 1, Long.MAX_VALUE, bytes);
    }
  }
}
