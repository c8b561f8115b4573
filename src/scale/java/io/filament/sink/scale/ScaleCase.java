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
   * @param resources how many resources
   * @param threads how many threads write
   * @param rows how many records in a run, if they decide; else {@link Long#MAX_VALUE}
   * @param bytes how many encoded bytes in a run, if they decide; else {@link Long#MAX_VALUE}
   * @param order in which their batches come
   * @param runs how often it is written, one run after the other
   */
  record Work(int resources, int threads, long rows, long bytes, Order order, int runs) {

    /** How the batches of several resources follow each other. */
    enum Order {
      /** One of each in turn: all resources are open at once. */
      IN_TURN,
      /** All of one resource, which is finished then, before the next. */
      ONE_BY_ONE
    }

    /**
     * What goes before is of the same kind, or the compiler's work would count as that of many
     * resources.
     */
    private static final long WARMUP_ROWS = 1_000_000;

    Work warmUp() {
      if (order == Order.IN_TURN) {
        return rows(resources, threads, Math.min(rows, WARMUP_ROWS));
      }
      long each = rows / resources;
      return oneByOne((int) Math.min(resources, WARMUP_ROWS / each), each, 1);
    }

    static Work rows(int resources, int threads, long rows) {
      return new Work(resources, threads, rows, Long.MAX_VALUE, Order.IN_TURN, 1);
    }

    static Work bytes(long bytes) {
      return new Work(1, 1, Long.MAX_VALUE, bytes, Order.IN_TURN, 1);
    }

    static Work oneByOne(int resources, long rowsEach, int runs) {
      return new Work(resources, 1, resources * rowsEach, Long.MAX_VALUE, Order.ONE_BY_ONE, runs);
    }
  }
}
