package io.filament.sink.scale;

import io.filament.sink.scale.ScaleCase.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All that is tried, as the system properties ask for. */
final class Cases {

  private static final List<String> FORMATS = List.of("parquet", "ndjson");
  private static final long MILLION = 1_000_000;
  private static final int THREADS = 8;

  private static final int GROWTH_OBJECTS = 1_000;

  private Cases() {}

  static List<ScaleCase> all() {
    List<ScaleCase> all = new ArrayList<>();
    for (String format : FORMATS) {
      resources(all, format);
      large(all, format);
      slow(all, format);
      growth(all, format);
    }
    String wanted = System.getProperty("scale.cases", "");
    List<ScaleCase> chosen =
        all.stream()
            .filter(c -> List.of(wanted.split(",", -1)).stream().anyMatch(c.name()::startsWith))
            .toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException("scale.cases names none of " + all);
    }
    return chosen;
  }

  /**
   * Resources that are all open at once. Each has less than a part, which can't be sent before
   * {@code commit}, so all of their bytes must fit.
   */
  private static void resources(List<ScaleCase> all, String format) {
    long rows = Long.getLong("scale.resource.rows", 600);
    Map<String, Object> settings = Map.of("part_size_mib", 5, "upload_concurrency", 4);
    all.add(
        new ScaleCase(
            "resources-1000-" + format,
            format,
            "512m",
            Work.rows(1_000, THREADS, 1_000 * rows),
            0,
            settings));
    all.add(
        new ScaleCase(
            "resources-5000-" + format,
            format,
            "1g",
            Work.rows(5_000, THREADS, 5_000 * rows / 3),
            0,
            settings));
  }

  /**
   * One object that is many times the heap. 10,000 parts of 5 MiB are 48.8 GiB, so the smallest
   * part is large enough; two requests in flight, the part that fills and the one that waits are 20
   * MiB.
   */
  private static void large(List<ScaleCase> all, String format) {
    long gib = Long.getLong("scale.gib", 20);
    all.add(
        new ScaleCase(
            "object-" + gib + "gib-" + format,
            format,
            "64m",
            Work.bytes(gib << 30),
            0,
            Map.of("part_size_mib", 5, "upload_concurrency", 2)));
  }

  /** A store that takes 20 MiB a second, and a source that gives more. */
  private static void slow(List<ScaleCase> all, String format) {
    int rate = 20;
    long seconds = Long.getLong("scale.slow.seconds", 20);
    all.add(
        new ScaleCase(
            "slow-" + format,
            format,
            "256m",
            Work.bytes(rate * seconds * (1 << 20)),
            rate,
            Map.of("part_size_mib", 5, "upload_concurrency", 4)));
  }

  /**
   * The same objects in fewer runs of more resources, one after the other; the same records in more
   * resources that are open at once; and more records in one resource.
   */
  private static void growth(List<ScaleCase> all, String format) {
    Map<String, Object> settings = Map.of("part_size_mib", 5, "upload_concurrency", 4);
    Map<String, Object> bounded =
        Map.of("part_size_mib", 5, "upload_concurrency", 4, "memory_limit_mib", 64);
    long each = Long.getLong("scale.growth.each", 60_000);
    for (int resources : new int[] {1, 10, 100, GROWTH_OBJECTS}) {
      all.add(
          new ScaleCase(
              "growth-resources-" + resources + "-" + format,
              format,
              "128m",
              Work.oneByOne(resources, each, GROWTH_OBJECTS / resources),
              0,
              bounded));
    }
    String heap = System.getProperty("scale.growth.heap", "3g");
    long rows = Long.getLong("scale.growth.rows", 4 * MILLION);
    for (int resources : new int[] {1, 10, 100, 200, 1_000}) {
      all.add(
          new ScaleCase(
              "growth-open-" + resources + "-" + format,
              format,
              heap,
              Work.rows(resources, 1, rows),
              0,
              settings));
    }
    for (String millions : System.getProperty("scale.growth.millions", "1,10,100").split(",", -1)) {
      all.add(
          new ScaleCase(
              "growth-rows-" + millions + "m-" + format,
              format,
              heap,
              Work.rows(1, 1, Long.parseLong(millions) * MILLION),
              0,
              settings));
    }
  }
}
