package io.filament.sink.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What is measured.
 *
 * @param rows the records of a table
 * @param warmups runs of each side before the first that counts
 * @param repeats runs of each side that count, ours and the peer's in turn
 * @param uploadMib what an upload sends
 * @param pairs the names of what is measured; empty for all
 */
record Options(int rows, int warmups, int repeats, int uploadMib, List<String> pairs) {

  private static final List<String> NAMES =
      List.of(
          "bench.rows",
          "bench.warmups",
          "bench.repeats",
          "bench.upload.mib",
          "bench.scale",
          "bench.pairs");

  static Options fromProperties() {
    String pairs = System.getProperty("bench.pairs", "");
    return new Options(
        Integer.getInteger("bench.rows", 500_000),
        Integer.getInteger("bench.warmups", 10),
        Integer.getInteger("bench.repeats", 7),
        Integer.getInteger("bench.upload.mib", 128),
        pairs.isEmpty() ? List.of() : List.of(pairs.split(",")));
  }

  boolean wants(String pair) {
    return pairs.isEmpty() || pairs.stream().anyMatch(pair::startsWith);
  }

  /** Returns the options of a JVM that is to measure the same. */
  static List<String> asArguments() {
    return NAMES.stream()
        .filter(name -> System.getProperty(name) != null)
        .map(name -> "-D" + name + "=" + System.getProperty(name))
        .toList();
  }

  /** Returns a directory in memory where there is one, so that no disk is measured. */
  static Path directory() {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
  }
}
