package io.filament.sink.jmh;

import io.filament.sink.Column;
import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.encode.EncodeThreads;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A record of four columns, encoded and dropped. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncodeBenchmark {

  private static final int ROWS = 8_192;
  private static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .required("price", FieldType.FLOAT64)
          .required("at", FieldType.TIMESTAMP)
          .required("name", FieldType.STRING)
          .build();

  /** A format with its compression. */
  @Param({
    "NDJSON NONE",
    "NDJSON GZIP",
    "NDJSON ZSTD",
    "PARQUET NONE",
    "PARQUET SNAPPY",
    "PARQUET ZSTD"
  })
  public String format;

  private ObjectFormat objectFormat;
  private RecordBatch batch;

  @Setup
  public void fill() {
    String[] words = format.split(" ", 2);
    objectFormat = new ObjectFormat(FileFormat.valueOf(words[0]), Compression.valueOf(words[1]));
    SplittableRandom random = new SplittableRandom(1);
    long[] ids = new long[ROWS];
    double[] prices = new double[ROWS];
    long[] times = new long[ROWS];
    int[] offsets = new int[ROWS + 1];
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    for (int i = 0; i < ROWS; i++) {
      ids[i] = i;
      prices[i] = random.nextInt(1_000_000) / 100.0;
      times[i] = 1_700_000_000_000_000L + random.nextInt();
      names.writeBytes(("name " + random.nextLong()).getBytes(StandardCharsets.UTF_8));
      offsets[i + 1] = names.size();
    }
    batch =
        RecordBatch.ofColumns(
            "jmh",
            SCHEMA,
            ROWS,
            List.of(
                Column.ofLongs(ids, null),
                Column.ofDoubles(prices, null),
                Column.ofLongs(times, null),
                Column.ofBytes(names.toByteArray(), offsets, null)));
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long encode() throws IOException {
    EncodeThreads own = EncodeThreads.of(1);
    OutputStream out = OutputStream.nullOutputStream();
    try (ResourceEncoder encoder = ResourceEncoder.open("jmh", SCHEMA, objectFormat, own, out)) {
      encoder.write(batch);
      encoder.finish();
      return encoder.rows();
    }
  }
}
