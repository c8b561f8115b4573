package io.filament.sink.scale;

import com.sun.management.OperatingSystemMXBean;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.SinkListener;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.S3SinkProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tries one case, whose name is the argument, and prints a line of result. Ends with 0 if the store
 * has what was written and the case's limits were kept.
 */
final class ScaleRun {

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final String LIMIT = "memory_limit_mib";
  private static final double MIB = 1 << 20;

  /** A slow store is used to the full if nothing but the begin and the end of a run is lost. */
  private static final double LEAST_OF_RATE = 0.9;

  private final ScaleCase tried;
  private final URI store;
  private final Source source = new Source();

  private ScaleRun(ScaleCase tried, URI store) {
    this.tried = tried;
    this.store = store;
  }

  public static void main(String[] arguments) throws Exception {
    ScaleCase tried =
        Cases.all().stream().filter(c -> c.name().equals(arguments[0])).findFirst().orElseThrow();
    URI store = URI.create("http://127.0.0.1:" + Integer.getInteger("scale.port"));
    boolean good = new ScaleRun(tried, store).run();
    System.exit(good ? 0 : 1); // not waiting for the threads of clients
  }

  private boolean run() throws Exception {
    PeakHeap heap = PeakHeap.watch();
    write("warm-up", tried.work().warmUp(), new SinkListener() {});
    heap.reset();
    Heard heard = new Heard();
    long compiler = CompilerTime.nanos();
    long cpu = PROCESS.getProcessCpuTime();
    long wall = System.nanoTime();
    List<Written> all = write("run", tried.work(), heard);
    cpu = PROCESS.getProcessCpuTime() - cpu;
    compiler = CompilerTime.nanos() - compiler;
    wall = System.nanoTime() - wall;
    List<String> problems = new ArrayList<>();
    long bytes = 0;
    long rows = 0;
    for (Written written : all) {
      problems.addAll(Verdict.of(tried, written.manifest, written.rows, store));
      bytes += written.manifest.resources().stream().mapToLong(RunManifest.Entry::bytes).sum();
      rows += written.rows.values().stream().mapToLong(Long::longValue).sum();
    }
    double rate = bytes / MIB / (wall / 1e9);
    if (tried.storeMibPerSecond() > 0 && rate < LEAST_OF_RATE * tried.storeMibPerSecond()) {
      problems.add(
          "the store takes %d MiB/s; write waited %.1f of %.1f s, so %s was the slower one"
              .formatted(
                  tried.storeMibPerSecond(),
                  heard.waited().toMillis() / 1e3,
                  wall / 1e9,
                  heard.waited().toNanos() < wall / 2 ? "the source" : "the store"));
    }
    OptionalLong limit = limit();
    if (limit.isPresent()
        && heard.peakMemory().isPresent()
        && heard.peakMemory().getAsLong() > limit.getAsLong() * MIB) {
      problems.add("memory was %d bytes".formatted(heard.peakMemory().getAsLong()));
    }
    print(
        "scale name=%s resources=%d threads=%d format=%s heap=%s limit=%s %s rows=%d MiB=%.0f peak=%.1fMiB counted=%s process=%.0fMiB cpu/row=%.3fus compiler/row=%.3fus wall=%.1fs rate=%.1fMiB/s retries=%d waits=%s",
        tried.name(),
        tried.work().resources(),
        tried.work().threads(),
        tried.format(),
        tried.heap(),
        limit.isPresent() ? limit.getAsLong() + "m" : "none",
        problems.isEmpty() ? "ok" : "WRONG",
        rows,
        bytes / MIB,
        heap.bytes() / MIB,
        heard.peakMemory().isPresent()
            ? "%.1fMiB".formatted(heard.peakMemory().getAsLong() / MIB)
            : "none",
        PeakHeap.processBytes() / MIB,
        cpu / 1e3 / rows,
        compiler / 1e3 / rows,
        wall / 1e9,
        rate,
        heard.retries(),
        heard.waits());
    problems.stream().limit(20).forEach(problem -> print("problem %s", problem));
    return problems.isEmpty();
  }

  /**
   * What was handed over.
   *
   * @param rows by resource
   */
  private record Written(RunManifest manifest, Map<String, Long> rows) {}

  private List<Written> write(String name, ScaleCase.Work work, SinkListener listener)
      throws Exception {
    List<Written> all = new ArrayList<>();
    try (S3Sink sink = S3Sink.builder(S3SinkConfig.fromMap(config())).listener(listener).build()) {
      for (int run = 0; run < work.runs(); run++) {
        RunSpec.Builder spec = RunSpec.builder("%s-%03d".formatted(name, run)).sourceName(name);
        for (int i = 0; i < work.resources(); i++) {
          spec.resource(resource(i), Source.schema());
        }
        sink.open(spec.build());
        Map<String, Long> rows =
            work.order() == ScaleCase.Work.Order.ONE_BY_ONE
                ? oneByOne(sink, work)
                : written(sink, work);
        all.add(new Written(sink.commit(), rows));
      }
    }
    return all;
  }

  private Map<String, Long> oneByOne(S3Sink sink, ScaleCase.Work work) throws IOException {
    Map<String, Long> rows = new HashMap<>();
    long each = work.rows() / work.resources();
    for (int i = 0; i < work.resources(); i++) {
      String resource = resource(i);
      for (long row = 0; row < each; row += Source.BATCH_ROWS) {
        int count = (int) Math.min(Source.BATCH_ROWS, each - row);
        sink.write(source.batch(resource, row / Source.BATCH_ROWS, count));
      }
      sink.finish(resource);
      rows.put(resource, each);
    }
    return rows;
  }

  private Map<String, Long> written(S3Sink sink, ScaleCase.Work work)
      throws IOException, InterruptedException {
    AtomicLong next = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(work.threads());
    try {
      List<Future<Map<String, Long>>> all = new ArrayList<>();
      for (int i = 0; i < work.threads(); i++) {
        Callable<Map<String, Long>> thread = () -> written(sink, work, next);
        all.add(threads.submit(thread));
      }
      Map<String, Long> sum = new HashMap<>();
      for (Future<Map<String, Long>> one : all) {
        one.get().forEach((resource, rows) -> sum.merge(resource, rows, Long::sum));
      }
      return sum;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      threads.shutdown();
    }
  }

  /** Writes batch after batch, each of the resource after the one before, whoever wrote that. */
  private Map<String, Long> written(S3Sink sink, ScaleCase.Work work, AtomicLong next)
      throws IOException {
    Map<String, Long> rows = new HashMap<>();
    long batch = Math.min(Source.BATCH_ROWS, work.rows() / work.resources()); // one each at least
    long encoded = 0;
    for (long n = next.getAndIncrement();
        n * batch < work.rows() && encoded < work.bytes();
        n = next.getAndIncrement()) {
      String resource = resource((int) (n % work.resources()));
      int count = (int) Math.min(batch, work.rows() - n * batch);
      WriteReceipt receipt = sink.write(source.batch(resource, n / work.resources(), count));
      encoded = receipt.encodedBytes();
      rows.merge(resource, receipt.rows(), Long::sum);
    }
    return rows;
  }

  private static String resource(int number) {
    return "resource_" + number;
  }

  private Map<String, Object> config() {
    Map<String, Object> config = new HashMap<>(tried.settings());
    config.put("bucket", "scale");
    config.put("endpoint", store.toString());
    config.put("auth_method", "iam_credentials");
    config.put("access_key_id", "scale");
    config.put("secret_access_key", "scale-of-the-sink");
    config.put("file_format", tried.format());
    config.put("checksum_mode", "full_object"); // the store has no probe to answer
    limit().ifPresent(mib -> config.put(LIMIT, mib));
    return config;
  }

  /**
   * What the case sets; or half of the heap, if the sink bounds its memory: the rest is the SDK's,
   * the host's and dead.
   */
  private OptionalLong limit() {
    if (tried.settings().get(LIMIT) instanceof Integer mib) {
      return OptionalLong.of(mib);
    }
    long half = (Runtime.getRuntime().maxMemory() / 2) >> 20;
    long mib = Long.getLong("scale.limit", half);
    boolean isKnown =
        new S3SinkProvider().spec().fields().stream().anyMatch(field -> field.name().equals(LIMIT));
    return isKnown && mib > 0 ? OptionalLong.of(mib) : OptionalLong.empty();
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
