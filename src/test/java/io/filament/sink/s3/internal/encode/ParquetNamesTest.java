package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetNamesTest {

  private static final List<String> ODD =
      List.of(
          " ",
          "a.b",
          "a b ",
          "a,b;{}()=\t",
          "line\nbreak",
          "\"quoted\"",
          "`tick`",
          "日本 é 🙂",
          "e\u0301",
          "list",
          "element",
          "key_value",
          "select",
          "0",
          "+1",
          "-1",
          "Id",
          "createdAt");

  @Test
  void namesAreKeptAsTheyAre(@TempDir Path directory) throws Exception {
    Schema schema =
        Schema.of(ODD.stream().map(name -> new Field(name, FieldType.INT32, false)).toList());
    List<Object> row = new ArrayList<>();
    for (long i = 0; i < ODD.size(); i++) {
      row.add(i);
    }
    ParquetFile file = ParquetFile.of(schema, Compression.NONE, List.of(row));

    assertThat(file.rows(schema)).containsExactly(row);
    assertThat(file.metadata().getFileMetaData().getSchema().getFields())
        .extracting(org.apache.parquet.schema.Type::getName)
        .isEqualTo(ODD);
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.values("SELECT column_name FROM (DESCRIBE FROM $file)")).isEqualTo(ODD);
      assertThat(duckDb.query("FROM $file").toString()).isEqualTo(List.of(row).toString());
    }
  }

  @Test
  void emptyNameIsKeptAndDuckDbPutsTheColumnsNumberInItsPlace(@TempDir Path directory)
      throws Exception {
    Schema schema =
        Schema.builder().required("a", FieldType.INT32).required("", FieldType.INT32).build();
    ParquetFile file = ParquetFile.of(schema, Compression.NONE, List.of(List.of(1L, 2L)));

    assertThat(file.rows(schema)).containsExactly(List.of(1L, 2L));
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.query("SELECT a, C1 FROM $file")).containsExactly(List.of(1, 2));
    }
  }

  @Test
  void dottedNameIsNotTheFieldOfAStruct(@TempDir Path directory) throws Exception {
    Schema schema =
        Schema.builder()
            .required("a.b", FieldType.INT32)
            .required(
                "a", FieldType.struct(Schema.builder().required("b", FieldType.INT32).build()))
            .build();
    List<List<Object>> rows = List.of(List.of(1L, List.of(2L)), List.of(3L, List.of(4L)));
    ParquetFile file = ParquetFile.of(schema, Compression.NONE, rows);

    assertThat(file.rows(schema)).isEqualTo(rows);
    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.query("SELECT \"a.b\", a.b FROM $file"))
          .containsExactly(List.of(1, 2), List.of(3, 4));
    }
  }

  @Test
  void columnsHaveTheOrderOfTheSchema(@TempDir Path directory) throws Exception {
    Schema schema =
        Schema.builder()
            .required("z", FieldType.INT32)
            .required("a", FieldType.INT32)
            .required("m", FieldType.INT32)
            .build();
    ParquetFile file = ParquetFile.of(schema, Compression.NONE, List.of(List.of(1L, 2L, 3L)));

    try (ParquetInDuckDb duckDb = new ParquetInDuckDb(file, directory)) {
      assertThat(duckDb.values("SELECT column_name FROM (DESCRIBE FROM $file)"))
          .containsExactly("z", "a", "m");
    }
  }
}
