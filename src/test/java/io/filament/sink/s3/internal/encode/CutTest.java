package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an encoder writes out early, and what it holds of its run's memory. */
final class CutTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .nullable("text", FieldType.STRING)
          .nullable("list", FieldType.list(FieldType.STRING))
          .build();
  private static final int ROWS = 2_000;

  private final RunMemory run = new RunMemory(64 << 20, 0, () -> 0);

  static Stream<ObjectFormat> formats() {
    return Stream.of(
        new ObjectFormat(FileFormat.NDJSON, Compression.NONE),
        new ObjectFormat(FileFormat.NDJSON, Compression.GZIP),
        new ObjectFormat(FileFormat.JSON, Compression.ZSTD),
        new ObjectFormat(FileFormat.PARQUET, Compression.NONE),
        new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY),
        new ObjectFormat(FileFormat.PARQUET, Compression.ZSTD),
        new ObjectFormat(FileFormat.PARQUET, Compression.GZIP));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void cutsChangeNoRecord(ObjectFormat format) throws IOException {
    Writing cut = new Writing(format);
    Writing whole = new Writing(format);
    for (int i = 0; i < 4; i++) {
      cut.encoder.write(batch(i));
      cut.encoder.cut();
      cut.encoder.cut();
      whole.encoder.write(batch(i));
    }

    assertThat(records(format, cut.finished())).isEqualTo(records(format, whole.finished()));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void nothingIsHeldOnceTheObjectHasItsEnd(ObjectFormat format) throws IOException {
    Writing writing = new Writing(format);
    for (int i = 0; i < 4; i++) {
      writing.encoder.write(batch(i));
    }
    assertThat(run.heldBytes()).isGreaterThan(writing.least);

    writing.finished();

    assertThat(run.heldBytes()).isEqualTo(writing.least);
  }

  static Stream<ObjectFormat> formatsThatHandOver() {
    return formats()
        .filter(format -> format.format() != FileFormat.PARQUET)
        .filter(format -> format.compression() != Compression.GZIP);
  }

  /** Here wherever bytes are handed over, all of them on one thread. */
  @ParameterizedTest
  @MethodSource("formatsThatHandOver")
  void recordsThatAreGivenUpAreReadAgain(ObjectFormat format) throws IOException {
    int batches = 12; // more than a block of zstd
    Writing whole = new Writing(format);
    for (int i = 0; i < batches; i++) {
      whole.encoder.write(batch(i));
    }
    Object expected = records(format, whole.finished());
    Writing writing = new Writing(format, 1);
    writing.givesUp = true;
    for (int i = 0; i < batches; i++) {
      writing.encoder.write(batch(i));
    }

    assertThat(writing.givenUp).isPositive();
    assertThat(writing.encoder.rows()).isEqualTo((long) batches * ROWS);
    assertThat(records(format, writing.finished())).isEqualTo(expected);
  }

  /** All but a Zstandard frame, whose context stays until its end. */
  @ParameterizedTest
  @MethodSource("formats")
  void aCutFreesMostOfWhatIsHeld(ObjectFormat format) throws IOException {
    long staying =
        format.format() != FileFormat.PARQUET && format.compression() == Compression.ZSTD
            ? ZstdOutput.FULL_BYTES
            : 0;
    Writing writing = new Writing(format);
    writing.encoder.write(batch(0));
    long before = run.heldBytes();

    writing.encoder.cut();

    assertThat(run.heldBytes()).isLessThanOrEqualTo(staying + before / 4);
    assertThat(run.peakBytes()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void whatRowsTakeIsReservedBeforeTheyAreThere() throws IOException {
    ObjectFormat format = new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY);
    Writing writing = new Writing(format);
    for (int i = 0; i < 10; i++) {
      writing.encoder.write(batch(i));
    }

    // Of a record, 8 bytes and a text of some 20 are counted as they stand in pages.
    assertThat(run.heldBytes()).isGreaterThan(10L * ROWS * 28);
  }

  @Test
  void aSmallRowGroupIsNotCut() throws IOException {
    Writing writing = new Writing(new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY));
    Object[] row = {1L, "a", List.of()};
    writing.encoder.write(RecordBatch.ofRows("things", SCHEMA, List.<Object[]>of(row)));

    writing.encoder.cut();

    assertThat(writing.out.size()).isZero();
  }

  @Test
  void gzipOfFewBytesIsNotCut() throws IOException {
    Writing writing = new Writing(new ObjectFormat(FileFormat.NDJSON, Compression.GZIP));
    Object[] row = {1L, "a", List.of()};
    writing.encoder.write(RecordBatch.ofRows("things", SCHEMA, List.<Object[]>of(row)));

    writing.encoder.cut();

    assertThat(writing.out.size()).isZero();
  }

  private static RecordBatch batch(int number) {
    List<Object[]> rows = new ArrayList<>();
    for (long row = (long) number * ROWS; row < (number + 1L) * ROWS; row++) {
      String text = row % 7 == 0 ? null : "text number " + row * 7919;
      rows.add(new Object[] {row, text, row % 3 == 0 ? List.of() : List.of("x", "" + row)});
    }
    return RecordBatch.ofRows("things", SCHEMA, rows);
  }

  private static Object records(ObjectFormat format, byte[] object) {
    return format.format() == FileFormat.PARQUET
        ? new ParquetFile(object).rows(SCHEMA)
        : new String(
            Encoding.decompressed(format, object), java.nio.charset.StandardCharsets.UTF_8);
  }

  private final class Writing {

    final ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] source, int offset, int count) {
            super.write(source, offset, count);
            giveUpRecords();
          }
        };
    boolean givesUp;
    int givenUp;
    final long least;
    final ResourceEncoder encoder;
    private final ResourceMemory memory;

    Writing(ObjectFormat format) throws IOException {
      this(format, 2);
    }

    Writing(ObjectFormat format, int threads) throws IOException {
      least = run.heldBytes();
      memory = run.open(() -> "things", 0, 0);
      memory.enter();
      encoder =
          ResourceEncoder.open(
              "things",
              SCHEMA,
              format,
              new EncodeContext(EncodeThreads.of(threads), new Workspaces(run), memory),
              out);
      memory.relievedBy(
          new io.filament.sink.s3.internal.memory.Relief() {
            @Override
            public void cut() throws IOException {
              encoder.cut();
            }

            @Override
            public void giveUpRecords() {
              encoder.giveUpRecords();
            }

            @Override
            public void send() {}
          });
    }

    private void giveUpRecords() {
      long before = run.heldBytes();
      if (givesUp) {
        encoder.giveUpRecords();
      }
      givenUp += run.heldBytes() < before ? 1 : 0;
    }

    byte[] finished() throws IOException {
      memory.beginWritingOut();
      encoder.finish();
      encoder.close();
      memory.endWritingOut();
      memory.leave();
      return out.toByteArray();
    }
  }
}
