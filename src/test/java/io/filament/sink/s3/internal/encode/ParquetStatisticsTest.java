package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetStatisticsTest {

  private static final String SMILE = "\uD83D\uDE00";

  @Test
  void nanIsNeverABoundAndZerosAreWidened() {
    Statistics<?> doubles =
        statistics(FieldType.FLOAT64, Arrays.asList(Double.NaN, -0.0, 0.0, null));
    assertThat(doubles.genericGetMin()).isEqualTo(-0.0);
    assertThat(doubles.genericGetMax()).isEqualTo(0.0);
    assertThat(doubles.getNumNulls()).isEqualTo(1);

    Statistics<?> floats = statistics(FieldType.FLOAT32, List.of(0.0f, Float.NaN, 1.0f));
    assertThat(floats.genericGetMin()).isEqualTo(-0.0f);
    assertThat(floats.genericGetMax()).isEqualTo(1.0f);

    Statistics<?> negative = statistics(FieldType.FLOAT64, List.of(-1.0, -0.0));
    assertThat(negative.genericGetMin()).isEqualTo(-1.0);
    assertThat(negative.genericGetMax()).isEqualTo(0.0);
  }

  @Test
  void columnOfNanHasNoBounds() {
    ParquetFile file = file(FieldType.FLOAT64, List.of(Double.NaN, Double.NaN));

    var statistics =
        file.footer().getRow_groups().get(0).getColumns().get(0).getMeta_data().getStatistics();
    assertThat(statistics.isSetMin_value()).isFalse();
    assertThat(statistics.isSetMax_value()).isFalse();
    assertThat(statistics.isSetMin()).isFalse();
    assertThat(statistics.isSetMax()).isFalse();
  }

  @Test
  void orderIsTheOneThatAllReadersKnow() {
    assertThat(
            ParquetFile.of(AllTypes.SCHEMA, Compression.NONE, AllTypes.rows())
                .footer()
                .getColumn_orders())
        .allMatch(org.apache.parquet.format.ColumnOrder::isSetTYPE_ORDER);
  }

  /** A first page of NaN must not spoil the next ones', nor hide its rows from a reader. */
  @Test
  void pageOfNanHidesNoRows(@TempDir Path directory) throws Exception {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      values.add(i < 50_000 ? Double.NaN : i + 0.5);
    }
    ParquetFile file = file(FieldType.FLOAT64, values);

    assertThat(pages(file)).isGreaterThan(2);
    Statistics<?> statistics = statistics(file);
    assertThat(statistics.genericGetMin()).isEqualTo(50_000.5);
    assertThat(statistics.genericGetMax()).isEqualTo(99_999.5);
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.query("SELECT count(*) FROM $file WHERE isnan(c)").get(0))
          .containsExactly(50_000L);
      assertThat(duckDb.query("SELECT count(*) FROM $file WHERE c = 60000.5").get(0))
          .containsExactly(1L);
    }
  }

  @Test
  void longTextIsBoundedInWholeCharacters(@TempDir Path directory) throws Exception {
    String text = SMILE.repeat(2000);
    ParquetFile file = file(FieldType.STRING, List.of("x".repeat(62) + SMILE, text));

    Statistics<?> statistics = statistics(file);
    assertThat(text(statistics.getMinBytes())).isEqualTo("x".repeat(62));
    assertThat(text(statistics.getMaxBytes())).isEqualTo(SMILE.repeat(15) + "\uD83D\uDE01");
    ColumnIndex index = columnIndex(file);
    assertThat(text(bytes(index.getMinValues().get(0)))).isEqualTo("x".repeat(62));
    assertThat(text(bytes(index.getMaxValues().get(0))))
        .isEqualTo(SMILE.repeat(15) + "\uD83D\uDE01");
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.query("SELECT count(*) FROM $file WHERE c = '" + text + "'").get(0))
          .containsExactly(1L);
    }
  }

  @Test
  void boundsThatFitAreExact() throws Exception {
    Statistics<?> statistics =
        statistics(FieldType.STRING, List.of("b".repeat(64), "a", "", "é".repeat(32)));

    assertThat(text(statistics.getMinBytes())).isEmpty();
    assertThat(text(statistics.getMaxBytes())).isEqualTo("é".repeat(32));
  }

  @Test
  void nothingIsSaidOfTextThatNothingShortIsAbove(@TempDir Path directory) throws Exception {
    String last = new String(Character.toChars(0x10FFFF)).repeat(100);
    ParquetFile file = file(FieldType.STRING, List.of("a", last));

    assertThat(statistics(file).isEmpty()).isTrue();
    assertThat(columnIndex(file)).isNull();
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.values("SELECT length(c) FROM $file")).containsExactly(1L, 100L);
    }
  }

  /**
   * The rows of a page that nothing is said of must not be hidden by what is said of the others.
   */
  @Test
  void nothingIsSaidOfAColumnWithAPageThatNothingIsSaidOf(@TempDir Path directory)
      throws Exception {
    String last = new String(Character.toChars(0x10FFFF)).repeat(100);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      values.add(i == 30_000 ? last : "text " + i);
    }
    ParquetFile file = file(FieldType.STRING, values);

    assertThat(pages(file)).isGreaterThan(2);
    assertThat(statistics(file).isEmpty()).isTrue();
    assertThat(columnIndex(file)).isNull();
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.query("SELECT count(*) FROM $file WHERE c > 'text a'").get(0))
          .containsExactly(1L);
    }
  }

  @Test
  void pageOfNullsHasNoBounds() throws Exception {
    List<Object> values = new ArrayList<>();
    for (long i = 0; i < 60_000; i++) {
      values.add(i < 20_000 || i >= 40_000 ? null : i);
    }
    ColumnIndex index = columnIndex(file(FieldType.INT64, values));

    assertThat(index.getNullPages()).containsExactly(true, false, true);
    assertThat(index.getNullCounts()).containsExactly(20_000L, 0L, 20_000L);
  }

  @Test
  void decimalsAreOrderedByValue() {
    FieldType decimal = FieldType.decimal(38, 0);
    Statistics<?> statistics =
        statistics(decimal, List.of(BigInteger.ONE, BigInteger.TWO.negate(), AllTypes.nines(38)));

    assertThat(new BigInteger(statistics.getMinBytes())).isEqualTo(-2);
    assertThat(new BigInteger(statistics.getMaxBytes())).isEqualTo(AllTypes.nines(38));
  }

  @Test
  void everyPageHasAChecksum() throws IOException {
    List<Object> values = new ArrayList<>();
    for (long i = 0; i < 100_000; i++) {
      values.add(i % 1000);
    }
    ParquetFile file = file(FieldType.INT64, values);
    byte[] damaged = file.bytes().clone();
    damaged[damaged.length / 2] ^= 1;

    assertThat(file.rows(Schema.builder().nullable("c", FieldType.INT64).build())).hasSize(100_000);
    assertThatThrownBy(
            () ->
                new ParquetFile(damaged)
                    .rows(Schema.builder().nullable("c", FieldType.INT64).build()))
        .hasMessageContaining("CRC");
  }

  /** Strict readers take file_offset as the start of the row group, or 0 for a column. */
  @Test
  void offsetsPointToTheFirstPage() {
    Schema schema =
        Schema.builder().required("n", FieldType.INT64).required("s", FieldType.STRING).build();
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < 20_000; i++) {
      rows.add(List.of(i, "text " + i % 7));
    }
    ParquetFile file =
        ParquetFile.ofSlices(
            schema, Compression.SNAPPY, 64 << 10, List.of(TestVectors.slice(schema, rows)));

    List<RowGroup> groups = file.footer().getRow_groups();
    assertThat(groups).hasSizeGreaterThan(2);
    long next = 4;
    for (int i = 0; i < groups.size(); i++) {
      RowGroup group = groups.get(i);
      assertThat(group.getFile_offset()).isEqualTo(next);
      assertThat(group.getOrdinal()).isEqualTo((short) i);
      long compressed = 0;
      for (ColumnChunk column : group.getColumns()) {
        var chunk = column.getMeta_data();
        assertThat(column.getFile_offset()).isZero();
        long first =
            chunk.isSetDictionary_page_offset()
                ? chunk.getDictionary_page_offset()
                : chunk.getData_page_offset();
        assertThat(first).isEqualTo(next);
        assertThat(chunk.getData_page_offset())
            .isBetween(first, first + chunk.getTotal_compressed_size() - 1);
        compressed += chunk.getTotal_compressed_size();
        next += chunk.getTotal_compressed_size();
      }
      assertThat(group.getTotal_compressed_size()).isEqualTo(compressed);
    }
    assertThat(next).isLessThan(file.bytes().length);
  }

  private static ParquetFile file(FieldType type, List<Object> values) {
    Schema schema = Schema.builder().nullable("c", type).build();
    return ParquetFile.of(
        schema, Compression.NONE, values.stream().map(Collections::singletonList).toList());
  }

  private static Statistics<?> statistics(FieldType type, List<Object> values) {
    return statistics(file(type, values));
  }

  private static Statistics<?> statistics(ParquetFile file) {
    return file.metadata().getBlocks().get(0).getColumns().get(0).getStatistics();
  }

  private static int pages(ParquetFile file) throws IOException {
    try (ParquetFileReader reader = file.open()) {
      return reader
          .readOffsetIndex(reader.getFooter().getBlocks().get(0).getColumns().get(0))
          .getPageCount();
    }
  }

  private static ColumnIndex columnIndex(ParquetFile file) throws IOException {
    try (ParquetFileReader reader = file.open()) {
      return reader.readColumnIndex(reader.getFooter().getBlocks().get(0).getColumns().get(0));
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.order(ByteOrder.BIG_ENDIAN).remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Decodes UTF-8, and fails where it is cut within a character. */
  private static String text(byte[] utf8) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
  }
}
