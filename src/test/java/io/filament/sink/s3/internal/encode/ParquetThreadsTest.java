package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import io.filament.sink.s3.internal.memory.Relief;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that several threads encode and compress. */
@Timeout(60)
final class ParquetThreadsTest {

  /** Columns with a dictionary and without, with few and with many bytes, one of them nested. */
  private static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .required("few", FieldType.INT64)
          .nullable("word", FieldType.STRING)
          .nullable("list", FieldType.list(FieldType.INT32))
          .nullable("text", FieldType.STRING)
          .required("flag", FieldType.BOOLEAN)
          .required("price", FieldType.FLOAT64)
          .build();

  private static final long ENOUGH = 256 << 20;

  @ParameterizedTest
  @EnumSource(Compression.class)
  void theBytesDoNotDependOnTheNumberOfThreads(Compression compression) throws Exception {
    List<Slice> slices = slices(SCHEMA, 30_000, new Random(1));
    byte[] expected = new Encoded(1, ENOUGH).bytes(SCHEMA, compression, slices);
    for (int count : new int[] {2, 3, 4, 8}) {
      Encoded encoded = new Encoded(count, ENOUGH);
      assertThat(encoded.bytes(SCHEMA, compression, slices))
          .as("%d threads", count)
          .isEqualTo(expected);
      encoded.end();
    }
  }

  @RepeatedTest(12)
  void randomColumnsGiveTheSameBytes(RepetitionInfo repetition) throws Exception {
    long base = Long.getLong("seed", System.nanoTime());
    long seed = base + repetition.getCurrentRepetition() - 1;
    Random random = new Random(seed);
    Schema schema = schema(random);
    List<Slice> slices = slices(schema, 1 + random.nextInt(40_000), random);
    Compression compression = List.of(Compression.values()).get(random.nextInt(4));
    long rowGroup = 1L << (19 + random.nextInt(6));
    byte[] expected = new Encoded(1, ENOUGH, rowGroup).bytes(schema, compression, slices);
    for (int count : new int[] {2, 4}) {
      Encoded encoded = new Encoded(count, ENOUGH, rowGroup);
      assertThat(encoded.bytes(schema, compression, slices))
          .as("-Dseed=%d, %d threads, %s, %s", seed, count, compression, schema)
          .isEqualTo(expected);
      encoded.end();
    }
  }

  /** What tells that threads are used: the memory that is held for what they do. */
  @Test
  void otherThreadsGetToolsOfTheirOwn() throws Exception {
    List<Slice> slices = slices(SCHEMA, 30_000, new Random(2));
    Encoded alone = new Encoded(1, ENOUGH);
    alone.bytes(SCHEMA, Compression.ZSTD, slices);
    Encoded two = new Encoded(2, ENOUGH);
    two.bytes(SCHEMA, Compression.ZSTD, slices);

    assertThat(two.run.peakBytes() - alone.run.peakBytes())
        .isGreaterThan(LentTools.Use.COLUMN.usualBytes() + LentTools.Use.PAGE.usualBytes());
    two.end();
  }

  @Test
  void aSmallRowGroupStaysWithTheCaller() throws Exception {
    List<Slice> slices = slices(SCHEMA, 2_000, new Random(3));
    Encoded alone = new Encoded(1, ENOUGH);
    alone.bytes(SCHEMA, Compression.ZSTD, slices);
    Encoded two = new Encoded(2, ENOUGH);
    two.bytes(SCHEMA, Compression.ZSTD, slices);

    assertThat(two.run.peakBytes()).isEqualTo(alone.run.peakBytes());
    two.end();
  }

  @Test
  void aRowGroupThatIsCutStaysWithTheCaller() throws Exception {
    Encoded two = new Encoded(2, ENOUGH);
    ResourceMemory memory = ResourceMemory.unbounded();
    EncodeContext context = new EncodeContext(two.threads, two.workspaces, memory);
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    try (ParquetEncoder encoder =
        new ParquetEncoder(SCHEMA, Compression.ZSTD, context, out, 16 << 20)) {
      for (Slice slice : slices(SCHEMA, 20_000, new Random(11))) {
        encoder.encode(slice);
      }
      encoder.cut();
    }

    assertThat(out.toByteArray()).hasSizeGreaterThan(100_000);
    assertThat(two.run.peakBytes()).isZero();
    two.end();
  }

  /** From what holds no page for another thread to what holds some of them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 9})
  void scarceMemoryLeavesWorkToTheCaller(int spareMib) throws Exception {
    List<Slice> slices = slices(SCHEMA, 30_000, new Random(4));
    Encoded alone = new Encoded(1, ENOUGH);
    byte[] expected = alone.bytes(SCHEMA, Compression.SNAPPY, slices);
    long limit = (alone.run.peakBytes() + ((long) spareMib << 20)) / 3 * 4;

    Encoded scarce = new Encoded(4, limit);
    byte[] bytes = scarce.bytes(SCHEMA, Compression.SNAPPY, slices);

    assertThat(bytes).isEqualTo(expected);
    assertThat(scarce.run.peakBytes()).isLessThanOrEqualTo(limit / 4 * 3 + 4);
    scarce.end();
  }

  @Test
  void aLimitThatCutsRowGroupsHoldsWithThreadsToo() throws Exception {
    List<Slice> slices = slices(SCHEMA, 30_000, new Random(5));
    List<List<Object>> expected =
        new ParquetFile(new Encoded(1, ENOUGH).bytes(SCHEMA, Compression.SNAPPY, slices))
            .rows(SCHEMA);
    long limit = 3 << 20;

    Encoded scarce = new Encoded(4, limit);
    ParquetFile file = new ParquetFile(scarce.bytes(SCHEMA, Compression.SNAPPY, slices));

    assertThat(file.footer().getRow_groupsSize()).isGreaterThan(1);
    assertThat(file.rows(SCHEMA)).isEqualTo(expected);
    assertThat(scarce.run.peakBytes()).isLessThanOrEqualTo(limit);
    scarce.end();
  }

  @Test
  void whoFindsAllPlacesTakenWorksAlone() throws Exception {
    List<Slice> slices = slices(SCHEMA, 20_000, new Random(6));
    byte[] expected = new Encoded(1, ENOUGH).bytes(SCHEMA, Compression.ZSTD, slices);
    Encoded encoded = new Encoded(2, ENOUGH);
    CountDownLatch release = new CountDownLatch(1);
    block(encoded.threads, release, 4);
    assertThat(encoded.threads.tryBegin(() -> 1)).isNull();
    assertThat(encoded.threads.tryBeginAhead(() -> 1)).isNotNull();
    assertThat(encoded.threads.tryBeginAhead(() -> 1)).isNotNull();

    assertThat(encoded.bytes(SCHEMA, Compression.ZSTD, slices)).isEqualTo(expected);

    release.countDown();
    encoded.end();
  }

  @Test
  void whoFindsAllThreadsAtWorkDoesNotWaitForThem() throws Exception {
    List<Slice> slices = slices(SCHEMA, 20_000, new Random(7));
    byte[] expected = new Encoded(1, ENOUGH).bytes(SCHEMA, Compression.ZSTD, slices);
    Encoded encoded = new Encoded(2, ENOUGH);
    CountDownLatch release = new CountDownLatch(1);
    block(encoded.threads, release, 2);

    assertThat(encoded.bytes(SCHEMA, Compression.ZSTD, slices)).isEqualTo(expected);

    release.countDown();
    encoded.end();
  }

  @Test
  void manyFilesShareTheThreads() throws Exception {
    List<Slice> slices = slices(SCHEMA, 15_000, new Random(8));
    byte[] expected = new Encoded(1, ENOUGH).bytes(SCHEMA, Compression.SNAPPY, slices);
    Encoded shared = new Encoded(2, ENOUGH, 1 << 20);
    byte[] smaller = new Encoded(1, ENOUGH, 1 << 20).bytes(SCHEMA, Compression.SNAPPY, slices);
    assertThat(smaller).isNotEqualTo(expected);
    ExecutorService callers = Executors.newFixedThreadPool(4);
    try {
      List<Callable<byte[]>> files = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        files.add(() -> shared.bytes(SCHEMA, Compression.SNAPPY, slices));
      }
      for (Future<byte[]> file : callers.invokeAll(files)) {
        assertThat(file.get()).isEqualTo(smaller);
      }
    } finally {
      callers.shutdown();
    }
    shared.end();
  }

  /** At the magic number, and while pages of one column after the other are begun. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 50_000, 100_000, 200_000, 300_000})
  void aFailedOutputGivesEverythingBack(int room) throws Exception {
    Encoded encoded = new Encoded(2, ENOUGH);
    LimitedOutput out = new LimitedOutput(room);
    List<Slice> slices = slices(SCHEMA, 30_000, new Random(9));

    ResourceMemory own = ResourceMemory.unbounded();
    assertThatThrownBy(() -> encoded.encode(SCHEMA, Compression.ZSTD, slices, own, out))
        .isInstanceOf(IOException.class)
        .hasMessage(LimitedOutput.FAILURE);

    for (int i = 0; i < 4; i++) {
      assertThat(encoded.threads.tryBegin(() -> 1)).as("place %d", i).isNotNull();
    }
    for (int i = 0; i < 2; i++) {
      assertThat(encoded.threads.tryBeginAhead(() -> 1)).as("place ahead %d", i).isNotNull();
    }
    encoded.end();
  }

  @Test
  void theEndOfTheThreadsEndsTheFile() throws Exception {
    Encoded encoded = new Encoded(2, ENOUGH);
    List<Slice> slices = slices(SCHEMA, 20_000, new Random(10));
    encoded.threads.end();

    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    ResourceMemory own = ResourceMemory.unbounded();
    assertThatThrownBy(() -> encoded.encode(SCHEMA, Compression.ZSTD, slices, own, out))
        .isInstanceOf(IOException.class)
        .hasMessage("the run was aborted");

    encoded.end();
  }

  private static void block(EncodeThreads threads, CountDownLatch release, int count)
      throws Exception {
    CountDownLatch atWork = new CountDownLatch(Math.min(2, count));
    for (int i = 0; i < count; i++) {
      Work<Integer> work =
          threads.tryBegin(
              () -> {
                atWork.countDown();
                release.await();
                return 0;
              });
      assertThat(work).isNotNull();
    }
    atWork.await();
  }

  /** Files of one run. */
  private static final class Encoded {

    final RunMemory run;
    final Workspaces workspaces;
    final EncodeThreads threads;
    private final long rowGroupBytes;

    Encoded(int threads, long limit) {
      this(threads, limit, ParquetEncoder.ROW_GROUP_BYTES);
    }

    Encoded(int threads, long limit, long rowGroupBytes) {
      this.run = new RunMemory(limit, 256 << 10, () -> 0);
      this.workspaces = new Workspaces(run);
      this.threads = EncodeThreads.of(threads);
      this.rowGroupBytes = rowGroupBytes;
    }

    byte[] bytes(Schema schema, Compression compression, List<Slice> slices) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ResourceMemory memory = run.open(() -> "things", 0, 0);
      memory.enter();
      encode(schema, compression, slices, memory, out);
      memory.leave();
      return out.toByteArray();
    }

    void encode(
        Schema schema,
        Compression compression,
        List<Slice> slices,
        ResourceMemory memory,
        OutputStream out)
        throws IOException {
      EncodeContext context = new EncodeContext(threads, workspaces, memory);
      try (ParquetEncoder encoder =
          new ParquetEncoder(schema, compression, context, out, rowGroupBytes)) {
        memory.relievedBy(
            new Relief() {
              @Override
              public void giveUpRecords() {}

              @Override
              public void cut() throws IOException {
                encoder.cut();
              }

              @Override
              public void send() {}
            });
        for (Slice slice : slices) {
          encoder.encode(slice);
        }
        memory.beginWritingOut();
        encoder.finish();
        memory.endWritingOut();
      }
    }

    /** Ends the threads, after which nothing is held for them any more. */
    void end() {
      threads.end();
      workspaces.close();
      assertThat(run.heldBytes()).isZero();
    }
  }

  private static Schema schema(Random random) {
    List<Field> fields = new ArrayList<>();
    int count = 1 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      fields.add(new Field("f" + i, type(random), random.nextBoolean()));
    }
    return Schema.of(fields);
  }

  private static FieldType type(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> FieldType.list(FieldType.INT32);
      case 1 -> FieldType.struct(Schema.builder().nullable("s", FieldType.STRING).build());
      case 2 -> FieldType.BOOLEAN;
      case 3 -> FieldType.FLOAT64;
      case 4 -> FieldType.INT64;
      case 5 -> FieldType.INT32;
      case 6 -> FieldType.BYTES;
      case 7 -> FieldType.decimal(30, 2);
      default -> FieldType.STRING;
    };
  }

  private static List<Slice> slices(Schema schema, int count, Random random) {
    int[] distinct = random.ints(schema.fields().size(), 0, 3).toArray();
    List<Slice> slices = new ArrayList<>();
    for (int from = 0; from < count; from += 1_000) {
      List<List<Object>> rows = new ArrayList<>();
      for (int row = from; row < Math.min(count, from + 1_000); row++) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < schema.fields().size(); i++) {
          Field field = schema.fields().get(i);
          int bound = distinct[i] == 0 ? 20 : distinct[i] == 1 ? 3_000 : Integer.MAX_VALUE;
          boolean isNull = field.nullable() && random.nextInt(10) == 0;
          values.add(isNull ? null : value(field.type(), random.nextInt(bound), random));
        }
        rows.add(values);
      }
      slices.add(TestVectors.slice(schema, rows));
    }
    return slices;
  }

  private static Object value(FieldType type, int number, Random random) {
    if (type instanceof FieldType.ListType) {
      return List.of((long) number, (long) random.nextInt(9));
    }
    if (type instanceof FieldType.StructType) {
      return List.of("text " + number);
    }
    if (type instanceof FieldType.DecimalType) {
      return BigInteger.valueOf(number);
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> number % 2 == 0;
      case FLOAT64 -> number / 8.0;
      case BYTES ->
          ByteBuffer.wrap(
              Integer.toString(number).repeat(1 + number % 30).getBytes(StandardCharsets.US_ASCII));
      case STRING -> "a text of some length " + number + " ".repeat(number % 40) + number;
      default -> (long) number;
    };
  }
}
