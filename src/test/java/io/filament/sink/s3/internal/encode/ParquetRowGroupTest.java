package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ParquetRowGroupTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .required("n", FieldType.INT64)
          .nullable("s", FieldType.STRING)
          .nullable("l", FieldType.list(FieldType.INT32))
          .build();

  private static final Schema BYTES = Schema.builder().required("b", FieldType.BYTES).build();

  @Test
  void wideValuesCutRowGroupsByTheirBytes() {
    int mebibyte = 1 << 20;
    long limit = 4L * mebibyte;
    List<List<Object>> rows = bytes(40, mebibyte, new Random(1));
    List<Slice> slices = rows.stream().map(row -> TestVectors.slice(BYTES, List.of(row))).toList();

    ParquetFile file = ParquetFile.ofSlices(BYTES, Compression.ZSTD, limit, slices);

    assertThat(sizes(file))
        .hasSizeBetween(8, 14)
        .allSatisfy(size -> assertThat(size).isLessThan(limit + mebibyte + 1024));
    assertThat(file.rows(BYTES)).isEqualTo(rows);
  }

  @Test
  void rowsThatGetWideAreNoticedInTime() {
    long limit = 4 << 20;
    Random random = new Random(2);
    List<List<Object>> rows = new ArrayList<>(bytes(1_000, 1, random));
    rows.addAll(bytes(1_000, 64 << 10, random));

    assertThat(sizes(file(BYTES, limit, rows)))
        .allSatisfy(size -> assertThat(size).isLessThan(limit + limit / 16));
  }

  @Test
  void rowGroupsComeNearTheLimit() {
    long limit = 4 << 20;

    List<Long> sizes = sizes(file(BYTES, limit, bytes(150_000, 100, new Random(3))));

    assertThat(sizes).hasSizeGreaterThan(3);
    assertThat(sizes.subList(0, sizes.size() - 1))
        .allSatisfy(size -> assertThat(size).isBetween(limit * 9 / 10, limit + limit / 16));
  }

  /** One value at first, so that the column begins with a dictionary, and then no value twice. */
  @Test
  void dictionaryCountsAlsoWhenItIsGivenUp() {
    long limit = 4 << 20;
    Random random = new Random(7);
    List<List<Object>> rows =
        new ArrayList<>(Collections.nCopies(500, bytes(1, 1_000, random).get(0)));
    rows.addAll(bytes(10_000, 1_000, random));

    assertThat(sizes(file(BYTES, limit, rows)))
        .hasSizeGreaterThan(2)
        .allSatisfy(size -> assertThat(size).isLessThan(limit + limit / 16));
  }

  @Test
  void pagesAreSmallAgainstARowGroup() throws Exception {
    ParquetFile file =
        file(BYTES, ParquetEncoder.ROW_GROUP_BYTES, bytes(30_000, 100, new Random(4)));

    try (ParquetFileReader reader = file.open()) {
      OffsetIndex pages =
          reader.readOffsetIndex(reader.getFooter().getBlocks().get(0).getColumns().get(0));
      assertThat(pages.getPageCount()).isGreaterThan(5);
      for (int page = 0; page < pages.getPageCount() - 1; page++) {
        assertThat(pages.getCompressedPageSize(page)).isBetween(230 << 10, 290 << 10);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void bytesDoNotDependOnHowRowsAreSliced(Compression compression) {
    List<List<Object>> rows = rows(5_000, new Random(5));
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] whole =
        ParquetFile.ofSlices(
                SCHEMA, compression, 32 << 10, List.of(TestVectors.slice(SCHEMA, rows)))
            .bytes();

    List<Slice> slices = new ArrayList<>();
    for (int from = 0; from < rows.size(); ) {
      int to = Math.min(rows.size(), from + random.nextInt(random.nextBoolean() ? 4 : 1_000));
      slices.add(TestVectors.slice(SCHEMA, rows.subList(from, to)));
      from = to;
    }
    ParquetFile sliced = ParquetFile.ofSlices(SCHEMA, compression, 32 << 10, slices);

    assertThat(sliced.footer().getRow_groupsSize()).isGreaterThan(3);
    assertThat(sliced.bytes()).as("-Dseed=" + seed).isEqualTo(whole);
  }

  @Test
  void duckDbReadsSeveralRowGroups(@TempDir Path directory) throws Exception {
    List<List<Object>> rows = rows(20_000, new Random(9));
    ParquetFile file = file(SCHEMA, 64 << 10, rows);
    long nulls = rows.stream().filter(row -> row.get(1) == null).count();

    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(file.footer().getRow_groupsSize()).isGreaterThan(5);
      assertThat(
              duckDb.query(
                  "SELECT count(*), count(DISTINCT n), CAST(sum(n) AS BIGINT),"
                      + " count(*) FILTER (s IS NULL) FROM $file"))
          .containsExactly(List.of(20_000L, 20_000L, 19_999L * 10_000, nulls));
      assertThat(duckDb.values("SELECT s FROM $file WHERE n = 12345"))
          .containsExactly(rows.get(12_345).get(1));
    }
  }

  @Test
  void bytesAreTheSameWhenEachRowComesAlone() {
    List<List<Object>> rows = rows(5_000, new Random(8));
    List<Slice> slices = rows.stream().map(row -> TestVectors.slice(SCHEMA, List.of(row))).toList();

    assertThat(ParquetFile.ofSlices(SCHEMA, Compression.NONE, 32 << 10, slices).bytes())
        .isEqualTo(file(SCHEMA, 32 << 10, rows).bytes());
  }

  /**
   * What the encoder keeps of a slice it must copy: dictionaries, and the least and the greatest.
   */
  @Test
  void vectorsMayBeFilledAgain() throws Exception {
    List<List<Object>> rows = rows(5_000, new Random(6));
    List<Vector> vectors = TestVectors.vectors(SCHEMA);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    try (ParquetEncoder encoder = new ParquetEncoder(SCHEMA, Compression.SNAPPY, out)) {
      for (int from = 0; from < rows.size(); from += 500) {
        TestVectors.fill(vectors, SCHEMA, rows.subList(from, from + 500));
        encoder.encode(new Slice(SCHEMA, vectors, 500));
      }
      encoder.finish();
    }

    ParquetFile refilled = new ParquetFile(out.toByteArray());
    assertThat(refilled.rows(SCHEMA)).isEqualTo(rows);
    assertThat(refilled.bytes())
        .isEqualTo(ParquetFile.of(SCHEMA, Compression.SNAPPY, rows).bytes());
  }

  /** Returns the bytes of each row group, before compression. */
  private static List<Long> sizes(ParquetFile file) {
    return file.footer().getRow_groups().stream().map(RowGroup::getTotal_byte_size).toList();
  }

  private static ParquetFile file(Schema schema, long rowGroupBytes, List<List<Object>> rows) {
    return ParquetFile.ofSlices(
        schema, Compression.NONE, rowGroupBytes, List.of(TestVectors.slice(schema, rows)));
  }

  /** Returns rows of random bytes, which neither a dictionary nor a codec makes shorter. */
  private static List<List<Object>> bytes(int count, int length, Random random) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[length];
      random.nextBytes(value);
      rows.add(List.of(ByteBuffer.wrap(value)));
    }
    return rows;
  }

  private static List<List<Object>> rows(int count, Random random) {
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      int kind = random.nextInt(10);
      rows.add(
          Arrays.asList(
              i,
              kind == 0 ? null : "text " + random.nextInt(kind < 5 ? 20 : 1_000_000_000),
              kind < 2 ? null : random.ints(random.nextInt(4)).mapToObj(n -> (long) n).toList()));
    }
    return rows;
  }
}
