package io.filament.sink.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Measures one thing, whose name is the argument, and prints one line of result. */
final class Child {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final ObjectFormat PARQUET =
      new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY);

  private Child() {}

  /**
   * Nanoseconds of one run.
   *
   * @param cpu of the whole process, so that collecting garbage and other threads count
   * @param wall what passed
   * @param thread of the thread that ran the side alone
   */
  private record Times(double cpu, double wall, double thread) {

    static Times of(Side side) throws Exception {
      long cpu = PROCESS.getProcessCpuTime();
      long thread = THREADS.getCurrentThreadCpuTime();
      long wall = System.nanoTime();
      side.run();
      wall = System.nanoTime() - wall;
      thread = THREADS.getCurrentThreadCpuTime() - thread;
      return new Times(PROCESS.getProcessCpuTime() - cpu, wall, thread);
    }

    static Times median(List<Times> all) {
      return new Times(
          median(all.stream().mapToDouble(Times::cpu).toArray()),
          median(all.stream().mapToDouble(Times::wall).toArray()),
          median(all.stream().mapToDouble(Times::thread).toArray()));
    }

    private static double median(double[] values) {
      Arrays.sort(values);
      int middle = values.length / 2;
      return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
  }

  public static void main(String[] arguments) throws Exception {
    Options options = Options.fromProperties();
    String name = arguments[0];
    switch (name) {
      case "garbage" -> garbage(options);
      case "scale-rows" -> scaleRows(options);
      case "scale-resources" -> scaleResources(options);
      default -> pair(name, options);
    }
    System.exit(0); // not waiting for the threads of clients
  }

  private static void pair(String name, Options options) throws Exception {
    Pair pair = Pairs.ALL.stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
    Sides sides = pair.sides().make(options);
    List<Times> ours = new ArrayList<>();
    List<Times> peers = new ArrayList<>();
    for (int i = 0; i < options.warmups() + options.repeats(); i++) {
      Times one = Times.of(sides.ours());
      Times other = Times.of(sides.peer());
      if (i >= options.warmups()) {
        ours.add(one);
        peers.add(other);
      }
    }
    Times one = Times.median(ours);
    Times other = Times.median(peers);
    print("ratio %s %.2f cpu %.2f wall", name, other.cpu() / one.cpu(), other.wall() / one.wall());
    print(
        "times %s %.0f %.0f ms cpu %.0f %.0f ms wall %.0f %.0f ms thread",
        name,
        one.cpu() / 1e6,
        other.cpu() / 1e6,
        one.wall() / 1e6,
        other.wall() / 1e6,
        one.thread() / 1e6,
        other.thread() / 1e6);
  }

  private static void garbage(Options options) throws Exception {
    RecordBatch batch = Tables.wide(options.rows()).utf8Columns();
    for (ObjectFormat format : List.of(PARQUET, Encoding.NDJSON)) {
      long bytes = 0;
      for (int i = 0; i <= options.warmups(); i++) {
        bytes = THREADS.getCurrentThreadAllocatedBytes();
        Encoding.encode(batch, format, OutputStream.nullOutputStream());
        bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      }
      print(
          "garbage %s-columns %.1f bytes/row",
          format.format().label(), (double) bytes / options.rows());
    }
  }

  /** One object of ever more records. */
  private static void scaleRows(Options options) throws Exception {
    RecordBatch batch = Tables.wide(options.rows()).utf8Columns();
    for (ObjectFormat format : List.of(PARQUET, Encoding.NDJSON)) {
      for (int i = 0; i < options.warmups(); i++) {
        encode(batch, format, 1);
      }
      for (String factor : List.of(System.getProperty("bench.scale", "5,25,50").split(","))) {
        int times = Integer.parseInt(factor);
        Times took = Times.of(() -> encode(batch, format, times));
        print(
            "scale %s %,d rows %.3f us/row cpu",
            format.format().label(),
            (long) times * options.rows(),
            took.cpu() / 1e3 / times / options.rows());
      }
    }
  }

  private static void encode(RecordBatch batch, ObjectFormat format, int times) throws Exception {
    try (ResourceEncoder encoder = Encoding.open(batch, format, OutputStream.nullOutputStream())) {
      for (int i = 0; i < times; i++) {
        encoder.write(batch);
      }
      encoder.finish();
    }
  }

  /** The same records in ever more objects that are open at once. */
  private static void scaleResources(Options options) throws Exception {
    for (ObjectFormat format : List.of(PARQUET, Encoding.NDJSON)) {
      for (int resources : new int[] {1, 20, 200}) {
        RecordBatch batch = Tables.wide(Math.max(1, options.rows() / 200)).utf8Columns();
        List<Times> all = new ArrayList<>();
        for (int i = 0; i < options.warmups() + options.repeats(); i++) {
          Times took = Times.of(() -> interleaved(batch, format, resources));
          if (i >= options.warmups()) {
            all.add(took);
          }
        }
        print(
            "scale %s %d resources %.3f us/row cpu",
            format.format().label(),
            resources,
            Times.median(all).cpu() / 1e3 / 200 / batch.rowCount());
      }
    }
  }

  private static void interleaved(RecordBatch batch, ObjectFormat format, int resources)
      throws Exception {
    List<ResourceEncoder> encoders = new ArrayList<>();
    for (int i = 0; i < resources; i++) {
      encoders.add(Encoding.open(batch, format, OutputStream.nullOutputStream()));
    }
    for (int i = 0; i < 200; i++) {
      encoders.get(i % resources).write(batch);
    }
    for (ResourceEncoder encoder : encoders) {
      encoder.finish();
      encoder.close();
    }
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
