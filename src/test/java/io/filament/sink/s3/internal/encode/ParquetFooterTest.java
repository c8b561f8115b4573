package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ParquetFooterTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .required("n", FieldType.INT64)
          .nullable("s", FieldType.STRING)
          .nullable("nothing", FieldType.FLOAT64)
          .nullable("l", FieldType.list(FieldType.INT32))
          .build();

  private static final long ROW_GROUP_BYTES = 16 << 10;

  /**
   * parquet-java copies the row groups, and writes an end of its own behind them, with all but the
   * sizes of the values.
   */
  @ParameterizedTest
  @EnumSource(Compression.class)
  void footerSaysWhatOneFileWriterSays(Compression compression) throws IOException {
    ParquetFile file = file(compression, 6_000);
    MessageType type = ParquetSchema.of(SCHEMA);
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    ParquetFileWriter writer =
        new ParquetFileWriter(
            new UnclosedOutput(copy),
            type,
            ParquetFileWriter.Mode.CREATE,
            ROW_GROUP_BYTES,
            0,
            null,
            ParquetProperties.builder()
                .withColumnIndexTruncateLength(ShortBounds.BOUND_BYTES)
                .build());
    writer.start();
    try (ParquetFileReader reader = file.open()) {
      for (BlockMetaData rowGroup : reader.getRowGroups()) {
        writer.startBlock(rowGroup.getRowCount());
        for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
          writer.appendColumnChunk(
              type.getColumnDescription(chunk.getPath().toArray()),
              file.newStream(),
              chunk,
              null,
              reader.readColumnIndex(chunk),
              reader.readOffsetIndex(chunk));
        }
        writer.endBlock();
      }
    }
    writer.end(Map.of());

    assertThat(file.footer().getRow_groupsSize()).isGreaterThan(10);
    assertThat(withoutSizes(new ParquetFile(copy.toByteArray()))).isEqualTo(withoutSizes(file));
  }

  /** Returns the footer without what parquet-java does not copy, and what depends on that. */
  private static FileMetaData withoutSizes(ParquetFile file) {
    FileMetaData footer = file.footer();
    for (RowGroup rowGroup : footer.getRow_groups()) {
      for (ColumnChunk column : rowGroup.getColumns()) {
        column.getMeta_data().unsetSize_statistics();
        column.unsetColumn_index_offset();
        column.unsetOffset_index_offset();
        column.unsetOffset_index_length();
      }
    }
    return footer;
  }

  @Test
  void indexesStandTogetherBeforeTheFooter() {
    ParquetFile file = file(Compression.NONE, 3_000);
    List<ColumnChunk> columns =
        file.footer().getRow_groups().stream().flatMap(g -> g.getColumns().stream()).toList();

    long at = columns.get(0).getColumn_index_offset();
    for (ColumnChunk column : columns) {
      assertThat(column.getColumn_index_offset()).isEqualTo(at);
      at += column.getColumn_index_length();
    }
    for (ColumnChunk column : columns) {
      assertThat(column.getOffset_index_offset()).isEqualTo(at);
      at += column.getOffset_index_length();
    }
    assertThat(columns).hasSizeGreaterThan(4 * 5);
    assertThat(at).isEqualTo(file.footerStart());
  }

  @Test
  void indexesSayWhereThePagesOfTheirRowGroupAre() throws IOException {
    try (ParquetFileReader reader = file(Compression.SNAPPY, 3_000).open()) {
      List<BlockMetaData> rowGroups = reader.getFooter().getBlocks();
      long n = 0;
      for (BlockMetaData rowGroup : rowGroups) {
        var column = rowGroup.getColumns().get(0);
        assertThat(reader.readOffsetIndex(column).getOffset(0))
            .isEqualTo(column.getFirstDataPageOffset());
        assertThat(reader.readColumnIndex(column).getMinValues().get(0).getLong(0)).isEqualTo(n);
        n += rowGroup.getRowCount();
      }
      assertThat(n).isEqualTo(3_000);
    }
  }

  private static ParquetFile file(Compression compression, int rows) {
    return ParquetFile.ofSlices(
        SCHEMA, compression, ROW_GROUP_BYTES, List.of(TestVectors.slice(SCHEMA, rows(rows))));
  }

  private static List<List<Object>> rows(int count) {
    Random random = new Random(11);
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      rows.add(
          Arrays.asList(
              i,
              random.nextInt(5) == 0 ? null : "text " + random.nextInt(1_000_000_000),
              null,
              random.ints(random.nextInt(4)).mapToObj(n -> (long) n).toList()));
    }
    return rows;
  }
}
