package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import io.filament.sink.s3.testing.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row group is bounded by the heap that it takes, whatever is in it. */
final class ParquetHeapTest {

  /** Rows that take much heap for few bytes in the file, each in its way. */
  enum Rows {
    /** Values of 1 MiB, of which a row group holds few. */
    WIDE(1, 150),
    /** Many columns, each with an open page and a hash table. */
    UNIQUE(60, 40_000),
    /** Columns whose dictionaries grow after the first page, when it is too late to do without. */
    GROWING(30, 200_000);

    private final int columns;
    private final int rows;

    Rows(int columns, int rows) {
      this.columns = columns;
      this.rows = rows;
    }

    Schema schema() {
      FieldType type =
          switch (this) {
            case WIDE -> FieldType.BYTES;
            case UNIQUE -> FieldType.INT64;
            case GROWING -> FieldType.INT32;
          };
      Schema.Builder builder = Schema.builder();
      for (int i = 0; i < columns; i++) {
        builder.required("c" + i, type);
      }
      return builder.build();
    }
  }

  @ParameterizedTest
  @EnumSource(Rows.class)
  void heapOf64MebibytesIsEnough(Rows rows) throws Exception {
    assertEnough("-Xmx64m", rows.name());
  }

  /** A run may have hundreds of resources, most of which have few records. */
  @Test
  void fiveHundredResourcesOfFewRowsTakeLittle() throws Exception {
    assertEnough("-Xmx48m", "RESOURCES");
  }

  /** What a file's end says of 50,000 column chunks stands in memory until it is written. */
  @Test
  void manyRowGroupsTakeLittle() throws Exception {
    assertEnough("-Xmx48m", "ROW_GROUPS");
  }

  private static void assertEnough(String heap, String work) throws Exception {
    ChildJvm.Result result =
        ChildJvm.run(
            ParquetHeapTest.class, ChildJvm.classPath(), List.of(heap, "-XX:+UseSerialGC"), work);

    assertThat(result.output()).isEqualTo(work + " done\n");
    assertThat(result.exitCode()).isZero();
  }

  private static void writeManyRowGroups() throws IOException {
    int columns = 50;
    int rows = 64;
    Schema.Builder builder = Schema.builder();
    for (int i = 0; i < columns; i++) {
      builder.required("c" + i, FieldType.INT64);
    }
    Schema schema = builder.build();
    List<Vector> vectors = TestVectors.vectors(schema);
    Random random = new Random(1);
    long rowGroupBytes = (long) columns * rows * Long.BYTES;
    try (ParquetEncoder encoder =
        new ParquetEncoder(
            schema, Compression.NONE, OutputStream.nullOutputStream(), rowGroupBytes)) {
      for (int i = 0; i < 1_000; i++) {
        for (Vector vector : vectors) {
          vector.clear();
          fill(vector, Rows.UNIQUE, 0, rows, random);
        }
        encoder.encode(new Slice(schema, vectors, rows));
      }
      encoder.finish();
    }
    System.out.println("ROW_GROUPS done");
  }

  private static void openManyResources() throws IOException {
    Schema.Builder builder = Schema.builder();
    for (int i = 0; i < 20; i++) {
      builder.nullable("c" + i, i % 2 == 0 ? FieldType.INT64 : FieldType.STRING);
    }
    Schema schema = builder.build();
    List<Object> row = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      row.add(i % 2 == 0 ? (Object) 1L : "a text");
    }
    Slice slice = TestVectors.slice(schema, List.of(row, row, row));
    List<ParquetEncoder> encoders = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ParquetEncoder encoder =
          new ParquetEncoder(schema, Compression.SNAPPY, OutputStream.nullOutputStream());
      encoder.encode(slice);
      encoders.add(encoder);
    }
    for (ParquetEncoder encoder : encoders) {
      encoder.finish();
    }
    for (ParquetEncoder encoder : encoders) {
      encoder.close();
    }
    System.out.println("RESOURCES done");
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals("RESOURCES")) {
      openManyResources();
      return;
    }
    if (arguments[0].equals("ROW_GROUPS")) {
      writeManyRowGroups();
      return;
    }
    Rows rows = Rows.valueOf(arguments[0]);
    Schema schema = rows.schema();
    List<Vector> vectors = TestVectors.vectors(schema);
    Random random = new Random(1);
    int batch = rows == Rows.WIDE ? 1 : 2_000;
    try (ParquetEncoder encoder =
        new ParquetEncoder(schema, Compression.SNAPPY, OutputStream.nullOutputStream())) {
      for (int row = 0; row < rows.rows; row += batch) {
        for (Vector vector : vectors) {
          vector.clear();
          fill(vector, rows, row, batch, random);
        }
        encoder.encode(new Slice(schema, vectors, batch));
      }
      encoder.finish();
    }
    System.out.println(rows.name() + " done");
  }

  private static void fill(Vector vector, Rows rows, int from, int count, Random random) {
    for (int row = from; row < from + count; row++) {
      switch (rows) {
        case WIDE -> {
          byte[] value = new byte[1 << 20];
          random.nextBytes(value);
          ((Vector.Bytes) vector).put(value, 0, value.length);
          ((Vector.Bytes) vector).endValue();
        }
        case UNIQUE -> ((Vector.Longs) vector).add(random.nextLong());
        case GROWING ->
            ((Vector.Longs) vector).add(row < 50_000 ? random.nextInt(100) : random.nextInt());
      }
    }
  }
}
