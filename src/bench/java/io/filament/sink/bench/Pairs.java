package io.filament.sink.bench;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.bench.Pair.Unit;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** All pairs, with their targets. */
final class Pairs {

  private static final ObjectFormat NDJSON_GZIP =
      new ObjectFormat(FileFormat.NDJSON, Compression.GZIP);

  /** An earthquake's map takes so much of the heap that all of {@link Options#rows} don't fit. */
  private static final int EARTHQUAKE_ROWS = 5;

  private static final ObjectFormat NDJSON_ZSTD =
      new ObjectFormat(FileFormat.NDJSON, Compression.ZSTD);

  private static final ObjectFormat PARQUET_SNAPPY =
      new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY);

  private static final ObjectFormat PARQUET_ZSTD =
      new ObjectFormat(FileFormat.PARQUET, Compression.ZSTD);

  private Pairs() {}

  static final List<Pair> ALL =
      List.of(
          encoding("parquet-snappy-columns/duckdb", 1.7, Pairs::columnsAndDuck),
          encoding(
              "parquet-zstd-columns/duckdb",
              1.7,
              (t, a, b) ->
                  new Sides(
                      Encoding.parquet(t.utf8Columns(), Compression.ZSTD, a),
                      Duck.zstdParquet(t.utf8Columns(), 1, b))),
          encoding(
              "parquet-snappy-strings/duckdb",
              1.3,
              (t, a, b) ->
                  new Sides(
                      Encoding.parquet(t.stringColumns(), Compression.SNAPPY, a),
                      Duck.parquet(t.utf8Columns(), Compression.SNAPPY, 1, b))),
          encoding(
              "parquet-snappy-columns/duckdb-2-threads",
              0,
              (t, a, b) ->
                  new Sides(
                      Encoding.parquet(t.utf8Columns(), Compression.SNAPPY, a),
                      Duck.parquet(t.utf8Columns(), Compression.SNAPPY, 2, b))),
          encoding(
              "parquet-snappy-rows/parquet-writer",
              2.0,
              (t, a, b) ->
                  new Sides(
                      Encoding.parquet(t.rowBatch(), Compression.SNAPPY, a),
                      ParquetPeers.rows(t, b))),
          encoding(
              "parquet-snappy-rows/parquet-avro",
              2.5,
              (t, a, b) ->
                  new Sides(
                      Encoding.parquet(t.rowBatch(), Compression.SNAPPY, a),
                      ParquetPeers.avro(t, b))),
          encoding("ndjson-strings/jackson-streaming", 2.2, Pairs::stringsAndJackson),
          encoding(
              "ndjson-strings/jackson-mapper",
              3.2,
              (t, a, b) ->
                  new Sides(
                      Encoding.toFile(t.stringColumns(), Encoding.NDJSON, a),
                      JacksonPeers.mapper(t.maps(), b))),
          encoding(
              "ndjson-strings/duckdb",
              2.0,
              (t, a, b) ->
                  new Sides(
                      Encoding.toFile(t.stringColumns(), Encoding.NDJSON, a),
                      Duck.json(t.utf8Columns(), 1, b))),
          new Pair(
              "ndjson-gzip/jdk-gzip",
              1.8,
              Unit.WALL,
              o ->
                  files(
                      Tables.wide(o.rows()),
                      (t, a, b) ->
                          new Sides(
                              Encoding.toFile(
                                  t.stringColumns(), NDJSON_GZIP, Encoding.TWO_THREADS, a),
                              Encoding.jdkGzip(t.stringColumns(), b)))),
          twoThreads("ndjson-zstd-2-threads/1-thread", NDJSON_ZSTD, Tables::wide),
          twoThreads("parquet-snappy-columns-2-threads/1-thread", PARQUET_SNAPPY, Tables::wide),
          twoThreads("parquet-zstd-columns-2-threads/1-thread", PARQUET_ZSTD, Tables::wide),
          twoThreads(
              "airports-parquet-columns-2-threads/1-thread",
              PARQUET_SNAPPY,
              PublicTables::airports),
          encoding(
              "airports-parquet-columns/duckdb", 0, PublicTables::airports, Pairs::columnsAndDuck),
          encoding(
              "airports-ndjson-strings/jackson-streaming",
              0,
              PublicTables::airports,
              Pairs::stringsAndJackson),
          encoding(
              "birdstrikes-parquet-columns/duckdb",
              0,
              PublicTables::birdstrikes,
              Pairs::columnsAndDuck),
          encoding(
              "birdstrikes-ndjson-strings/jackson-streaming",
              0,
              PublicTables::birdstrikes,
              Pairs::stringsAndJackson),
          earthquakes(
              "earthquakes-parquet-maps/duckdb",
              (maps, a, b) ->
                  new Sides(
                      Encoding.parquet(Earthquakes.batch(maps), Compression.SNAPPY, a),
                      Duck.parquet(Earthquakes.batch(maps), Compression.SNAPPY, 1, b))),
          earthquakes(
              "earthquakes-ndjson-maps/jackson-mapper",
              (maps, a, b) ->
                  new Sides(
                      Encoding.toFile(Earthquakes.batch(maps), Encoding.NDJSON, a),
                      JacksonPeers.mapper(maps, b))),
          // At most a tenth more processor time than the bare SDK.
          upload("upload/sdk-put", 1 / 1.1, Unit.CPU, Uploads::sdkPut),
          upload("upload/sdk-parts", 0, Unit.CPU, Uploads::sdkParts),
          upload("upload/sdk-transfer-manager", 0, Unit.CPU, Uploads::transferManager),
          upload("upload/crt", 0, Unit.CPU, Uploads::crt),
          upload("upload/jdk-http-client", 1.2, Unit.WALL, Uploads::jdkClient),
          upload("upload/socket", 0, Unit.CPU, Uploads::socket),
          whole("run-ndjson/encode-alone", Encoding.NDJSON, true),
          whole("run-ndjson/upload-alone", Encoding.NDJSON, false),
          whole("run-parquet/encode-alone", PARQUET_SNAPPY, true));

  private static Pair upload(String name, double target, Unit unit, Function<Uploads, Side> peer) {
    return new Pair(
        name,
        target,
        unit,
        o -> {
          Uploads uploads = Uploads.start(o.uploadMib());
          return new Sides(uploads.sinkStore(), peer.apply(uploads));
        });
  }

  /** Makes the sides of a pair that writes records to files. */
  private interface FileSides<T> {

    Sides make(T records, Path ours, Path peers) throws Exception;
  }

  private static Pair encoding(String name, double target, FileSides<Table> sides) {
    return encoding(name, target, Tables::wide, sides);
  }

  private static Pair encoding(String name, double target, Source source, FileSides<Table> sides) {
    return new Pair(name, target, Unit.CPU, o -> files(source.table(o.rows()), sides));
  }

  private static Sides columnsAndDuck(Table table, Path ours, Path peers) throws Exception {
    return new Sides(
        Encoding.parquet(table.utf8Columns(), Compression.SNAPPY, ours),
        Duck.parquet(table.utf8Columns(), Compression.SNAPPY, 1, peers));
  }

  private static Sides stringsAndJackson(Table table, Path ours, Path peers) {
    return new Sides(
        Encoding.toFile(table.stringColumns(), Encoding.NDJSON, ours),
        JacksonPeers.streaming(table, peers));
  }

  private static Pair earthquakes(String name, FileSides<List<Map<String, Object>>> sides) {
    return new Pair(
        name, 0, Unit.CPU, o -> files(Earthquakes.maps(o.rows() / EARTHQUAKE_ROWS), sides));
  }

  /** Makes a table of so many rows. */
  private interface Source {

    Table table(int rows) throws Exception;
  }

  /** Columns on two threads, and the same on the caller's alone. */
  private static Pair twoThreads(String name, ObjectFormat format, Source source) {
    return new Pair(
        name,
        0,
        Unit.WALL,
        o ->
            files(
                source.table(o.rows()),
                (t, a, b) ->
                    new Sides(
                        Encoding.toFile(t.utf8Columns(), format, Encoding.TWO_THREADS, a),
                        Encoding.toFile(t.utf8Columns(), format, Encoding.ONE_THREAD, b))));
  }

  private static <T> Sides files(T records, FileSides<T> sides) throws Exception {
    return sides.make(records, file(), file());
  }

  private static Path file() throws Exception {
    Path file = Files.createTempFile(Options.directory(), "bench", ".out");
    file.toFile().deleteOnExit();
    return file;
  }

  /** A run may take 1.15 times the wall time of the slower of its halves. */
  private static Pair whole(String name, ObjectFormat format, boolean encode) {
    return new Pair(
        name,
        encode ? 1 / 1.15 : 0,
        Unit.WALL,
        o -> {
          Uploads uploads = Uploads.start(1);
          Table table = Tables.wide(o.rows());
          Side run = uploads.run(table.utf8Columns(), format);
          if (encode) {
            return new Sides(
                run, Encoding.toFile(table.utf8Columns(), format, Path.of("/dev/null")));
          }
          ByteArrayOutputStream object = new ByteArrayOutputStream();
          Encoding.encode(table.utf8Columns(), format, object);
          return new Sides(run, uploads.object(object.toByteArray()));
        });
  }
}
