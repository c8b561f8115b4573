package io.filament.sink.quickstart;

import io.filament.sink.ConnectionLevel;
import io.filament.sink.ConnectionReport;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.S3SinkProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Writes real data to an S3 store in each format, shows what landed, and reads it back.
 *
 * <p>{@code mvn test-compile exec:java@quickstart}; with {@code -Dexec.args=--help} it tells how to
 * use a store of one's own.
 */
public final class Quickstart {

  private static final int BATCH_ROWS = 250;
  private static final String FAILING_RUN = "run-4";
  private static final List<DataSet> DATA = List.of(new Airports(), new Earthquakes());
  private static final List<Format> FORMATS =
      List.of(
          new Format("run-1", "ndjson", "gzip", ".ndjson.gz", "read_json"),
          new Format("run-2", "json", "none", ".json", "read_json"),
          new Format("run-3", "parquet", "snappy", ".parquet", "read_parquet"));

  private final Store store;
  private final String prefix;
  private final Instant startedAt;
  private final Console console;

  private Quickstart(Store store, Instant startedAt, Console console) {
    this.store = store;
    this.startedAt = startedAt;
    this.console = console;
    // A store of one's own may hold an earlier quickstart, whose run ids are the same.
    this.prefix =
        store.isEmbedded()
            ? "demo"
            : "filament-quickstart/" + startedAt.toString().replaceAll("[-:.]", "");
  }

  /** Runs the quickstart and ends the process with its exit code if that is not 0. */
  public static void main(String[] arguments) throws Exception {
    int exitCode = run(List.of(arguments), System.getenv(), Instant.now(), Console.ofProcess());
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  /** Returns 0 if all that was read equals what was written, 1 if not, 2 for wrong arguments. */
  static int run(
      List<String> arguments, Map<String, String> environment, Instant startedAt, Console console)
      throws Exception {
    if (arguments.contains("--help")) {
      console.text(Options.USAGE);
      return 0;
    }
    Options options;
    try {
      options = Options.of(arguments, environment);
    } catch (IllegalArgumentException e) {
      console.text("Quickstart: " + e.getMessage() + "\n" + Options.USAGE);
      return 2;
    }
    try (Store store = Store.of(options)) {
      return new Quickstart(store, startedAt, console).run() ? 0 : 1;
    } catch (IOException | SQLException | IllegalArgumentException | SdkException e) {
      console.title("FAILED: " + e.getMessage());
      return 1;
    }
  }

  private boolean run() throws IOException, SQLException {
    console.title("1. The store");
    console.line("%s, bucket \"%s\"".formatted(store.place(), store.bucket()));
    ConnectionReport report = connectionTest();
    boolean bucketIsNew = !report.ok() && store.ensureBucket();
    if (bucketIsNew) {
      console.line("the bucket was missing and is made");
      report = connectionTest();
    }
    report.messages().forEach(message -> console.line("connection test: %s".formatted(message)));
    if (!report.ok()) {
      console.title("FAILED: the store can't be used, see the connection test above.");
      return false;
    }
    console.title("2. Three runs, two resources each");
    String lastManifest = "";
    for (Format format : FORMATS) {
      console.line(
          "%s: %s, compression %s".formatted(format.run(), format.name(), format.compression()));
      lastManifest = write(format).uri();
    }
    showBucket(lastManifest);
    boolean isEqual = readBack();
    boolean isClean = failOnPurpose();
    finish(isEqual && isClean, bucketIsNew);
    return isEqual && isClean;
  }

  /** Tries to write, as the runs will: below the prefix, where rights may be limited to. */
  private ConnectionReport connectionTest() {
    Map<String, Object> config = store.connection();
    config.put("prefix", prefix);
    return new S3SinkProvider().testConnection(config, ConnectionLevel.WRITE);
  }

  private RunManifest write(Format format) throws IOException {
    try (Sink sink = sink(format)) {
      sink.open(runSpec(format.run()));
      for (DataSet data : DATA) {
        List<Object[]> rows = new ArrayList<>();
        data.forEachRow(
            row -> {
              rows.add(row);
              if (rows.size() == BATCH_ROWS) {
                sink.write(RecordBatch.ofRows(data.resource(), data.schema(), rows));
                rows.clear();
              }
            });
        sink.write(RecordBatch.ofRows(data.resource(), data.schema(), rows));
      }
      return sink.commit();
    }
  }

  private Sink sink(Format format) {
    Map<String, Object> config = store.connection();
    config.put("prefix", prefix + "/" + format.name());
    config.put("file_format", format.name());
    config.put("compression", format.compression());
    return S3Sink.builder(S3SinkConfig.fromMap(config))
        .listener(new Progress(console, System::nanoTime))
        .build();
  }

  private RunSpec runSpec(String run) {
    RunSpec.Builder spec = RunSpec.builder(run).startedAt(startedAt);
    DATA.forEach(data -> spec.resource(data.resource(), data.schema()));
    return spec.build();
  }

  private void showBucket(String manifestUri) {
    console.title("3. What landed");
    new BucketTree(store.objects(prefix), console.charset()).print(store.bucket(), console);
    console.line("");
    console.line(manifestUri);
    String manifest =
        store.text(manifestUri.substring("s3://".length() + store.bucket().length() + 1));
    manifest.replace("{\"name\"", "\n  {\"name\"").lines().forEach(line -> console.line(line));
  }

  private boolean readBack() throws IOException, SQLException {
    Path folder = Files.createTempDirectory("filament-quickstart");
    try (ReadBack readBack = new ReadBack(folder)) {
      for (String key : store.objects(prefix).keySet()) {
        store.download(key, folder);
      }
      console.title("4. Read back with DuckDB " + readBack.version());
      boolean isEqual = true;
      for (Format format : FORMATS) {
        for (DataSet data : DATA) {
          isEqual &= isEqual(readBack, format, data);
        }
      }
      return isEqual;
    } finally {
      delete(folder);
    }
  }

  private boolean isEqual(ReadBack readBack, Format format, DataSet data)
      throws IOException, SQLException {
    String glob =
        "%s/%s/%s/*/*%s".formatted(prefix, format.name(), data.resource(), format.extension());
    String from = "%s('%s', hive_partitioning = true)".formatted(format.reader(), glob);
    LocalDate partition = LocalDate.ofInstant(startedAt, ZoneOffset.UTC);
    Comparison comparison = readBack.compare(data, from, partition);
    console.line("");
    console.line("FROM %s".formatted(from));
    console.line(
        "%s rows written, %s rows read: %s"
            .formatted(
                Texts.count(comparison.written()),
                Texts.count(comparison.read()),
                comparison
                    .difference()
                    .map(what -> "DIFFERENT, " + what)
                    .orElse("all values equal")));
    Texts.table(comparison.sample()).forEach(line -> console.line("  %s".formatted(line)));
    return comparison.difference().isEmpty();
  }

  /** Shows what a host sees of a record that doesn't fit, and that nothing of its run lands. */
  private boolean failOnPurpose() throws IOException {
    console.title("5. A run with a record that doesn't fit its schema");
    DataSet airports = DATA.get(0);
    List<Object[]> rows = new ArrayList<>();
    airports.forEachRow(rows::add);
    rows.get(2)[Airports.LATITUDE] = "38.9 N";
    try (Sink sink = sink(FORMATS.get(0))) {
      sink.open(runSpec(FAILING_RUN));
      if (!refuses(sink, RecordBatch.ofRows(airports.resource(), airports.schema(), rows))) {
        return false;
      }
    }
    long objects =
        store.objects(prefix).keySet().stream().filter(key -> key.contains(FAILING_RUN)).count();
    int uploads = store.unfinishedUploads(prefix);
    console.line(
        "objects of %s: %d, unfinished uploads: %d".formatted(FAILING_RUN, objects, uploads));
    return objects == 0 && uploads == 0;
  }

  private boolean refuses(Sink sink, RecordBatch batch) throws IOException {
    try {
      sink.write(batch);
      console.line("The record was taken, which is wrong.");
      return false;
    } catch (InvalidRecordException e) {
      console.line("%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage()));
      return true;
    }
  }

  private void finish(boolean isGood, boolean bucketIsNew) {
    SortedMap<String, Long> objects = store.objects(prefix);
    if (!store.isEmbedded()) {
      console.title("Left behind in your store");
      console.line(
          "%d objects below s3://%s/%s/".formatted(objects.size(), store.bucket(), prefix));
      if (bucketIsNew) {
        console.line("the bucket \"%s\", which was made for this".formatted(store.bucket()));
      }
    }
    console.title(
        isGood
            ? "Done: every record was read back equal."
            : "FAILED: what was read differs from what was written, see above.");
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
