package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts that encoders get wrong at the edges of their buffers and of Unicode. */
class TextTest extends WithBucket {

  private static final String KEY = "r/dt=2026-09-10/" + RUN_ID;

  @TempDir Path directory;

  private List<String> jsonTexts(String... texts) throws IOException {
    publishAndClose(bucket.sink(), run().build(), texts("r", texts));
    return Json.records(bucket.bytes(KEY + ".ndjson")).stream()
        .map(record -> (String) record.get("text"))
        .toList();
  }

  private List<Object> parquetTexts(String... texts) throws IOException, SQLException {
    publishAndClose(bucket.sink("file_format", "parquet"), run("p").build(), texts("r", texts));
    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, "r/dt=2026-09-10/p.parquet");
      return duck.rows("SELECT text FROM '" + file + "'").stream().map(row -> row.get(0)).toList();
    }
  }

  private static String[] surrogatesAroundBufferEdges() {
    return Stream.of(IntStream.rangeClosed(3_990, 4_010), IntStream.rangeClosed(7_990, 8_010))
        .flatMapToInt(lengths -> lengths)
        .mapToObj(length -> "a".repeat(length) + "😀" + "b")
        .toArray(String[]::new);
  }

  @Test
  void surrogatePairsAreWholeWhereverTheyFall() throws IOException, SQLException {
    String[] texts = surrogatesAroundBufferEdges();

    assertThat(jsonTexts(texts)).containsExactly(texts);
    assertThat(parquetTexts(texts)).containsExactly((Object[]) texts);
  }

  @Test
  void wideLettersStayUnchanged() throws IOException, SQLException {
    String[] texts = {"，".repeat(5_000), "é".repeat(5_000), "😀".repeat(2_000)};

    assertThat(jsonTexts(texts)).containsExactly(texts);
    assertThat(parquetTexts(texts)).containsExactly((Object[]) texts);
  }

  @Test
  void controlCharactersAreEscapedAndNothingElse() throws IOException {
    StringBuilder controls = new StringBuilder();
    for (char c = 0; c < ' '; c++) {
      controls.append(c);
    }
    String text = controls + "\u007f\u2028\u2029 \"\\/<é日🙂";

    assertThat(jsonTexts(text)).containsExactly(text);
    String line = Json.lines(bucket.bytes(KEY + ".ndjson")).get(0);
    assertThat(line.chars()).noneMatch(c -> c < ' ');
    assertThat(line).contains("\u007f", "\u2028", "\u2029", "/<é日🙂").contains("\\u0000");
  }

  @Test
  void nulCharacterStaysInParquet() throws IOException, SQLException {
    assertThat(parquetTexts("\u0000abc", "a\nb")).containsExactly("\u0000abc", "a\nb");
  }

  @Test
  void sizeIsCountedInBytesNotInCharacters() throws IOException {
    long bytes =
        publishAndClose(bucket.sink(), run().build(), texts("r", "é😀日"))
            .resources()
            .get(0)
            .bytes();

    assertThat(bucket.bytes(KEY + ".ndjson")).hasSize((int) bytes);
    assertThat(Json.utf8(bucket.bytes(KEY + ".ndjson"))).contains("é😀日");
  }

  @Test
  void textStatisticsAreNotCutWithinACharacter() throws IOException, SQLException {
    String[] texts = {"😀".repeat(2_000), "é".repeat(3_000), "a"};
    parquetTexts(texts);

    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, "r/dt=2026-09-10/p.parquet");
      assertThat(duck.rows("SELECT count(*) FROM '" + file + "' WHERE text = '" + texts[0] + "'"))
          .containsExactly(List.of(1L));
      for (List<Object> bounds :
          duck.rows(
              "SELECT stats_min_value, stats_max_value FROM parquet_metadata('" + file + "')")) {
        for (Object bound : bounds) {
          if (bound != null) {
            assertThat(((String) bound).getBytes(StandardCharsets.UTF_8))
                .as("a bound without a broken character")
                .isEqualTo(((String) bound).replace("\ufffd", "").getBytes(StandardCharsets.UTF_8));
          }
        }
      }
    }
  }

  @Test
  void oddFieldNamesAreKeptAsTheyAre() throws IOException {
    Schema schema =
        Schema.builder()
            .nullable("a", FieldType.INT32)
            .nullable("A", FieldType.INT32)
            .nullable("a.b", FieldType.INT32)
            .nullable("\n", FieldType.INT32)
            .nullable("\"é\"", FieldType.INT32)
            .nullable("+1", FieldType.INT32)
            .nullable("-1", FieldType.INT32)
            .build();
    Object[] row = {1, 2, 3, 4, 5, 6, 7};
    publishAndClose(bucket.sink(), run().build(), Runs.batch("r", schema, row));

    assertThat(Json.records(bucket.bytes(KEY + ".ndjson")).get(0).keySet())
        .containsExactly("a", "A", "a.b", "\n", "\"é\"", "+1", "-1");
  }

  @Test
  void hugeExponentIsWrittenExactlyAndShortly() throws IOException {
    BigDecimal huge = new BigDecimal("9.223372E+1010671858");
    Schema schema = Schema.builder().required("n", FieldType.NUMERIC).build();
    publishAndClose(bucket.sink(), run().build(), Runs.batch("r", schema, Runs.row(huge)));

    byte[] stored = bucket.bytes(KEY + ".ndjson");
    assertThat(stored.length).isLessThan(1_000);
    assertThat((BigDecimal) Json.records(stored).get(0).get("n")).isEqualByComparingTo(huge);
  }
}
