package io.filament.sink.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quickstart's comparison sees what is missing, different or too much. */
class ReadBackTest {

  @TempDir private Path folder;

  @Test
  void equalRecordsHaveNoDifference() throws Exception {
    Comparison comparison = compare("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":null}");

    assertThat(comparison.difference()).isEmpty();
    assertThat(comparison.written()).isEqualTo(2);
    assertThat(comparison.read()).isEqualTo(2);
    assertThat(comparison.sample())
        .containsExactly(
            List.of("row", "", "id", "name", "dt"),
            List.of("0", "written", "1", "a", "2026-09-10"),
            List.of("", "read", "1", "a", "2026-09-10"));
  }

  @Test
  void otherValueIsADifference() throws Exception {
    assertThat(compare("{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":\"b\"}").difference())
        .contains("row 1, name: written null, read b");
  }

  @Test
  void missingRecordIsADifference() throws Exception {
    Comparison comparison = compare("{\"id\":1,\"name\":\"a\"}");

    assertThat(comparison.difference()).contains("row 1 is missing");
    assertThat(comparison.read()).isEqualTo(1);
  }

  @Test
  void surplusRecordIsADifference() throws Exception {
    Comparison comparison =
        compare(
            "{\"id\":1,\"name\":\"a\"}", "{\"id\":2,\"name\":null}", "{\"id\":3,\"name\":null}");

    assertThat(comparison.difference()).contains("row 2 was never written");
    assertThat(comparison.read()).isEqualTo(3);
  }

  private Comparison compare(String... lines) throws Exception {
    Path file = folder.resolve("names/dt=2026-09-10/run.ndjson");
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
    try (ReadBack readBack = new ReadBack(folder)) {
      return readBack.compare(
          new Names(),
          "read_json('names/*/*.ndjson', hive_partitioning = true)",
          LocalDate.of(2026, 9, 10));
    }
  }

  /** Two rows. */
  private static final class Names implements DataSet {

    @Override
    public String resource() {
      return "names";
    }

    @Override
    public Schema schema() {
      return Schema.builder()
          .required("id", FieldType.INT64)
          .nullable("name", FieldType.STRING)
          .build();
    }

    @Override
    public List<Reading> readings() {
      return List.of(
          Reading.shown("id", "id", row -> row[0]), Reading.shown("name", "name", row -> row[1]));
    }

    @Override
    public void forEachRow(RowConsumer consumer) throws IOException {
      consumer.accept(new Object[] {1L, "a"});
      consumer.accept(new Object[] {2L, null});
    }
  }
}
