package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * What our page encoders write is what parquet-java's column writers write of the same rows: the
 * same values, the same statistics, and the same answers to queries that use them.
 */
final class FlatColumnsPropertyTest {

  @RepeatedTest(40)
  void filesHaveTheSameContent(RepetitionInfo repetition, @TempDir Path directory)
      throws Exception {
    long base = Long.getLong("seed", System.nanoTime());
    long seed = base + repetition.getCurrentRepetition() - 1;
    Random random = new Random(seed);
    Schema schema = schema(random);
    int count = random.nextInt(4) == 0 ? 20_000 + random.nextInt(40_000) : random.nextInt(2_000);
    Slice slice = TestVectors.slice(schema, rows(schema, count, random));
    String origin = "-Dseed=" + seed + ", " + count + " rows of " + schema;

    ParquetFile ours =
        ParquetFile.ofSlices(schema, Compression.SNAPPY, Long.MAX_VALUE, List.of(slice));
    ParquetFile theirs = byParquetJava(schema, slice);

    assertThat(ours.rows(schema)).as(origin).isEqualTo(theirs.rows(schema));
    if (count > 0) {
      checkStatistics(ours, theirs, origin);
      checkFilters(schema, slice, ours, random, origin);
      checkInDuckDb(schema, ours, theirs, random, directory, origin);
    }
  }

  private static void checkStatistics(ParquetFile ours, ParquetFile theirs, String origin) {
    List<ColumnChunkMetaData> left = ours.metadata().getBlocks().get(0).getColumns();
    List<ColumnChunkMetaData> right = theirs.metadata().getBlocks().get(0).getColumns();
    for (int i = 0; i < left.size(); i++) {
      Statistics<?> a = left.get(i).getStatistics();
      Statistics<?> b = right.get(i).getStatistics();
      String column = origin + ", column " + i;
      assertThat(a.getNumNulls()).as(column).isEqualTo(b.getNumNulls());
      assertThat(left.get(i).getValueCount()).as(column).isEqualTo(right.get(i).getValueCount());
      assertThat(a.hasNonNullValue()).as(column).isEqualTo(b.hasNonNullValue());
      if (a.hasNonNullValue()) {
        assertThat(a.getMinBytes()).as(column).isEqualTo(b.getMinBytes());
        assertThat(a.getMaxBytes()).as(column).isEqualTo(b.getMaxBytes());
      }
      assertThat(left.get(i).getSizeStatistics().getUnencodedByteArrayDataBytes())
          .as(column)
          .isEqualTo(right.get(i).getSizeStatistics().getUnencodedByteArrayDataBytes());
    }
  }

  private static void checkFilters(
      Schema schema, Slice slice, ParquetFile ours, Random random, String origin) {
    MessageType type = ParquetSchema.of(schema);
    for (int i = 0; i < schema.fields().size(); i++) {
      int row = random.nextInt(slice.rows());
      if (slice.vectors().get(i).isNull(row)) {
        continue;
      }
      PrimitiveType column = type.getType(i).asPrimitiveType();
      for (FilterPredicate predicate : predicates(column, slice.vectors().get(i), row)) {
        assertThat(ours.count(predicate, true))
            .as(origin + ", " + predicate)
            .isEqualTo(ours.count(predicate, false));
      }
    }
  }

  private static List<FilterPredicate> predicates(PrimitiveType column, Vector vector, int row) {
    String name = column.getName();
    return switch (column.getPrimitiveTypeName()) {
      case BOOLEAN -> {
        boolean value = ((Vector.Longs) vector).get(row) != 0;
        yield List.of(FilterApi.eq(FilterApi.booleanColumn(name), value));
      }
      case INT32 -> {
        int value = (int) ((Vector.Longs) vector).get(row);
        var field = FilterApi.intColumn(name);
        yield List.of(FilterApi.eq(field, value), FilterApi.lt(field, value));
      }
      case INT64 -> {
        long value = ((Vector.Longs) vector).get(row);
        var field = FilterApi.longColumn(name);
        yield List.of(FilterApi.eq(field, value), FilterApi.gt(field, value));
      }
      case FLOAT -> {
        float value = Float.intBitsToFloat((int) ((Vector.Longs) vector).get(row));
        var field = FilterApi.floatColumn(name);
        yield Float.isNaN(value)
            ? List.of()
            : List.of(FilterApi.eq(field, value), FilterApi.lt(field, value));
      }
      case DOUBLE -> {
        double value = Double.longBitsToDouble(((Vector.Longs) vector).get(row));
        var field = FilterApi.doubleColumn(name);
        yield Double.isNaN(value)
            ? List.of()
            : List.of(FilterApi.eq(field, value), FilterApi.gt(field, value));
      }
      case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> {
        Vector.Bytes bytes = (Vector.Bytes) vector;
        int length = Math.max(column.getTypeLength(), 0);
        int count = length == 0 ? bytes.length(row) : length;
        int start = bytes.start(row) + bytes.length(row) - count;
        Binary value = Binary.fromConstantByteArray(bytes.array(), start, count);
        var field = FilterApi.binaryColumn(name);
        yield List.of(FilterApi.eq(field, value), FilterApi.gtEq(field, value));
      }
    };
  }

  private static void checkInDuckDb(
      Schema schema,
      ParquetFile ours,
      ParquetFile theirs,
      Random random,
      Path directory,
      String origin)
      throws Exception {
    try (ParquetInDuckDb left = new ParquetInDuckDb(ours, directory);
        ParquetInDuckDb right = new ParquetInDuckDb(theirs, directory)) {
      right.execute("CREATE TABLE t AS FROM '" + right.path() + "'");
      String difference =
          "SELECT count(*) FROM (FROM t EXCEPT ALL FROM '%s')".formatted(left.path());
      assertThat(right.values(difference)).as(origin).containsExactly(0L);
      long rows = (long) right.values("SELECT count(*) FROM t").get(0);
      for (Field field : schema.fields()) {
        String name = field.name();
        Object bound =
            right
                .values(
                    "SELECT CAST(%s AS VARCHAR) FROM t OFFSET %d"
                        .formatted(name, random.nextInt((int) rows)))
                .get(0);
        if (bound != null) {
          String where =
              " WHERE %s >= CAST('%s' AS %s)".formatted(name, bound, duckDbType(right, name));
          assertThat(left.values("SELECT count(*) FROM $file" + where))
              .as(origin + where)
              .isEqualTo(right.values("SELECT count(*) FROM t" + where));
        }
      }
    }
  }

  private static Object duckDbType(ParquetInDuckDb duckDb, String column) throws Exception {
    return duckDb
        .values("SELECT column_type FROM (DESCRIBE t) WHERE column_name = '" + column + "'")
        .get(0);
  }

  /** Writes every field through parquet-java's column writers, as nested ones always are. */
  private static ParquetFile byParquetJava(Schema schema, Slice slice) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MessageType type = ParquetSchema.of(schema);
    ParquetProperties properties =
        ParquetProperties.builder()
            .withPageSize(OpenPage.MAX_BYTES)
            .withColumnIndexTruncateLength(ShortBounds.BOUND_BYTES)
            .build();
    PageCompressor compressor = PageCompressor.of(Compression.NONE);
    ParquetFileWriter file =
        new ParquetFileWriter(
            new UnclosedOutput(out), type, ParquetFileWriter.Mode.CREATE, 1, 0, null, properties);
    file.start();
    if (slice.rows() > 0) {
      file.startBlock(slice.rows());
      for (int i = 0; i < schema.fields().size(); i++) {
        MessageType alone = new MessageType("schema", type.getType(i));
        NestedColumns column =
            new NestedColumns(schema.fields().get(i), alone, properties, compressor);
        column.put(slice.vectors().get(i), 0, slice.rows());
        column.endStep(slice.rows());
        column.writeTo(file);
      }
      file.endBlock();
    }
    file.end(Map.of());
    return new ParquetFile(out.toByteArray());
  }

  private static Schema schema(Random random) {
    List<Field> fields = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      fields.add(new Field("f" + i, type(random), random.nextBoolean()));
    }
    return Schema.of(fields);
  }

  private static FieldType type(Random random) {
    FieldType.Primitive[] primitives = FieldType.Primitive.values();
    int choice = random.nextInt(primitives.length + 3);
    if (choice < primitives.length) {
      return primitives[choice];
    }
    int precision = 1 + random.nextInt(38);
    return FieldType.decimal(precision, random.nextInt(precision + 1));
  }

  private static List<List<Object>> rows(Schema schema, int count, Random random) {
    List<IntFunction<Object>> columns = new ArrayList<>();
    for (Field field : schema.fields()) {
      columns.add(column(field, random));
    }
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      List<Object> values = new ArrayList<>();
      for (IntFunction<Object> column : columns) {
        values.add(column.apply(row));
      }
      rows.add(values);
    }
    return rows;
  }

  /**
   * Returns values of one habit: few or many distinct ones, in runs or mixed, with or without
   * nulls.
   */
  private static IntFunction<Object> column(Field field, Random random) {
    int distinct = 1 << random.nextInt(17);
    int run = 1 << random.nextInt(6);
    int nullRun = 1 << random.nextInt(16);
    boolean sorted = random.nextBoolean();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < distinct; i++) {
      values.add(value(field.type(), random));
    }
    return row -> {
      if (field.nullable() && (row / nullRun) % 3 == 0) {
        return null;
      }
      return values.get(sorted ? (row / run) % distinct : random.nextInt(distinct));
    };
  }

  private static Object value(FieldType type, Random random) {
    if (type instanceof FieldType.DecimalType decimal) {
      BigInteger limit = AllTypes.nines(decimal.precision());
      BigInteger magnitude =
          new BigInteger(1 + random.nextInt(limit.bitLength()), random).min(limit);
      return random.nextBoolean() ? magnitude : magnitude.negate();
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> random.nextBoolean();
      case INT16 -> (long) (short) random.nextInt();
      case INT32 -> (long) random.nextInt() >> random.nextInt(32);
      case DATE -> (long) random.nextInt(4_000_000) - 700_000;
      case TIME -> Math.floorMod(random.nextLong(), TimeIntakes.MICROS_A_DAY);
      case TIMESTAMP, TIMESTAMPTZ -> random.nextLong() >> 6;
      case INT64 -> random.nextLong() >> random.nextInt(64);
      case FLOAT32 ->
          random.nextInt(50_000) == 0
              ? Float.NaN
              : (float) (random.nextInt(20) == 0 ? -0.0 : random.nextGaussian());
      case FLOAT64 ->
          random.nextInt(50_000) == 0
              ? Double.NaN
              : random.nextInt(20) == 0 ? 0.0 : random.nextGaussian();
      case BYTES -> {
        byte[] bytes = new byte[random.nextInt(random.nextInt(100) == 0 ? 200 : 12)];
        random.nextBytes(bytes);
        yield ByteBuffer.wrap(bytes);
      }
      case STRING, JSON, UUID, NUMERIC -> text(random);
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "the same beginning " : "");
    for (int i = random.nextInt(random.nextInt(100) == 0 ? 100 : 12); i > 0; i--) {
      int kind = random.nextInt(20);
      text.appendCodePoint(
          kind < 17 ? 'a' + random.nextInt(26) : kind < 19 ? 1 + random.nextInt(0xD7FF) : 0x1F600);
    }
    String made = text.toString().replace('\'', ' ');
    return new String(made.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
