package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ParquetLifecycleTest {

  private static final Schema SCHEMA =
      Schema.builder().required("n", FieldType.INT64).nullable("s", FieldType.STRING).build();

  private final Output out = new Output();

  @ParameterizedTest
  @EnumSource(Compression.class)
  void noRowsGiveAFileWithAllColumns(Compression compression, @TempDir Path directory)
      throws Exception {
    try (ParquetEncoder encoder = new ParquetEncoder(AllTypes.SCHEMA, compression, out)) {
      encoder.finish();
    }
    ParquetFile file = new ParquetFile(out.toByteArray());

    assertThat(file.rows(AllTypes.SCHEMA)).isEmpty();
    assertThat(file.metadata().getFileMetaData().getSchema())
        .isEqualTo(ParquetSchema.of(AllTypes.SCHEMA));
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.query("FROM $file")).isEmpty();
      assertThat(duckDb.values("SELECT column_name FROM (DESCRIBE FROM $file)"))
          .hasSize(AllTypes.SCHEMA.fields().size());
    }
  }

  @Test
  void emptySlicesGiveTheFileOfNoRows() throws Exception {
    byte[] without;
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.SNAPPY, out)) {
      encoder.finish();
      without = out.toByteArray();
    }
    out.reset();

    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.SNAPPY, out)) {
      encoder.encode(TestVectors.slice(SCHEMA, List.of()));
      encoder.finish();
    }

    assertThat(out.toByteArray()).isEqualTo(without);
  }

  @Test
  void nothingIsWrittenBeforeARowGroupIsFull() throws Exception {
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.SNAPPY, out)) {
      encoder.encode(rows(1_000));

      assertThat(out.size()).isZero();
    }
  }

  @Test
  void closeWithoutFinishWritesNothing() throws Exception {
    ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.ZSTD, out, 4 << 10);
    encoder.encode(rows(1_000));
    byte[] before = out.toByteArray();

    encoder.close();
    encoder.close();

    assertThat(before).isNotEmpty();
    assertThat(out.toByteArray()).isEqualTo(before);
    assertThatThrownBy(() -> encoder.encode(rows(1))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closeAfterFinishWritesNothing() throws Exception {
    ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.ZSTD, out);
    encoder.encode(rows(10));
    encoder.finish();
    byte[] before = out.toByteArray();

    encoder.close();
    encoder.close();

    assertThat(out.toByteArray()).isEqualTo(before);
  }

  @Test
  void finishedFileTakesNoMore() throws Exception {
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.SNAPPY, out)) {
      encoder.finish();
      byte[] before = out.toByteArray();

      assertThatThrownBy(() -> encoder.encode(rows(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the encoder has failed, is finished or is closed");
      assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
      assertThat(out.toByteArray()).isEqualTo(before);
    }
  }

  /** At the magic number, within the pages of a row group, and in a later one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 100, 5_000, 12_000})
  void failedWriteIsPassedOnAndIsTheLast(int room) throws Exception {
    IOException failure = new IOException("no room");
    out.failAfter(room, failure);
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.NONE, out, 4 << 10)) {

      assertThatThrownBy(() -> encoder.encode(rows(10_000))).isSameAs(failure);

      assertThatThrownBy(() -> encoder.encode(rows(1))).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
    }
    assertThat(out.writesAfterFailure()).isZero();
  }

  @Test
  void failureInTheFooterIsPassedOnAndIsTheLast() throws Exception {
    IOException failure = new IOException("no room");
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.NONE, out)) {
      encoder.encode(rows(10));
      out.failAfter(400, failure);

      assertThatThrownBy(encoder::finish).isSameAs(failure);
    }
    assertThat(out.size()).isGreaterThan(200);
    assertThat(out.writesAfterFailure()).isZero();
  }

  @Test
  void errorIsTheLastTooSoThatNoPartOfARecordIsLeft() throws Exception {
    Schema wrong = Schema.builder().required("n", FieldType.STRING).build();
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.NONE, out)) {
      encoder.encode(rows(10));

      assertThatThrownBy(() -> encoder.encode(TestVectors.slice(wrong, List.of(List.of("x")))))
          .isInstanceOf(RuntimeException.class);

      assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
    }
    assertThat(out.size()).isZero();
  }

  @Test
  void interruptedThreadGetsAnExceptionAndKeepsItsFlag() throws Exception {
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.NONE, out, 4 << 10)) {
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> encoder.encode(rows(10_000)))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessage("interrupted while writing a Parquet row group");

      assertThat(Thread.interrupted()).isTrue();
      assertThatThrownBy(encoder::finish).isInstanceOf(IllegalStateException.class);
    }
    assertThat(out.closed).isFalse();
  }

  @Test
  void streamIsNeitherFlushedNorClosed() throws Exception {
    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.GZIP, out, 4 << 10)) {
      encoder.encode(rows(1_000));
      encoder.finish();
    }

    assertThat(out.flushed).isFalse();
    assertThat(out.closed).isFalse();
  }

  private static Slice rows(int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      rows.add(List.of(i, "text " + i));
    }
    return TestVectors.slice(SCHEMA, rows);
  }

  /** Fails once after so many bytes, and then counts what still comes. */
  private static final class Output extends OutputStream {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private IOException failure;
    private int room;
    private boolean failed;
    private int writesAfterFailure;
    private boolean flushed;
    private boolean closed;

    void failAfter(int room, IOException failure) {
      this.room = room;
      this.failure = failure;
    }

    int writesAfterFailure() {
      return writesAfterFailure;
    }

    byte[] toByteArray() {
      return bytes.toByteArray();
    }

    int size() {
      return bytes.size();
    }

    void reset() {
      bytes.reset();
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      if (failed) {
        writesAfterFailure++;
      }
      if (failure != null && bytes.size() + length > room) {
        failed = true;
        throw failure;
      }
      bytes.write(source, offset, length);
    }

    @Override
    public void flush() {
      flushed = true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
