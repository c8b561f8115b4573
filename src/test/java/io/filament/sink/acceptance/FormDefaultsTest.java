package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.InvalidConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is chosen where nothing is said, and what a run's bytes depend on. */
class FormDefaultsTest extends WithBucket {

  private static final String PLACE = "people/dt=2026-09-10/" + RUN_ID;

  @TempDir Path directory;

  @Test
  void isPlainNdjson() throws IOException {
    publishAndClose(bucket.sink(), run().build(), people("people"));

    byte[] stored = bucket.bytes(PLACE + ".ndjson");
    assertThat(stored[0]).isEqualTo((byte) '{');
    assertThat(stored[stored.length - 1]).isEqualTo((byte) '\n');
  }

  @Test
  void isSnappyForParquet() throws IOException, SQLException {
    publishAndClose(bucket.sink("file_format", "parquet"), run().build(), people("people"));

    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, PLACE + ".parquet");
      assertThat(duck.rows("SELECT DISTINCT compression FROM parquet_metadata('" + file + "')"))
          .containsExactly(List.of("SNAPPY"));
    }
  }

  @ParameterizedTest
  @CsvSource({"' NDJSON ', .ndjson", "Parquet, .parquet", "'JsonL', .jsonl", "' json', .json"})
  void caseAndBlanksOfTheFormatAreForgiven(String format, String extension) throws IOException {
    publishAndClose(bucket.sink("file_format", format), run().build(), people("people"));

    assertThat(bucket.keys()).contains(PLACE + extension);
  }

  @ParameterizedTest
  @CsvSource({"ndjson, snappy", "json, snappy", "parquet, lz4", "csv, none", "ndjson, ''"})
  void otherFormatsAndCompressionsAreRefused(String format, String compression) {
    assertThatThrownBy(() -> bucket.sink("file_format", format, "compression", compression))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining(format.equals("csv") ? "csv" : "compression");
  }

  @Test
  void oneNdjsonLineEndsInALineFeedToo() throws IOException {
    publishAndClose(bucket.sink(), run().build(), texts("people", "only"));

    assertThat(bucket.bytes(PLACE + ".ndjson")).endsWith("\"}\n".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void twoNdjsonObjectsBehindOneAnotherAreNdjson() throws IOException {
    publishAndClose(bucket.sink(), run("a").build(), people("people"));
    publishAndClose(bucket.sink(), run("b").build(), texts("people", "only"));

    byte[] a = bucket.bytes("people/dt=2026-09-10/a.ndjson");
    byte[] b = bucket.bytes("people/dt=2026-09-10/b.ndjson");
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    assertThat(Json.records(both)).hasSize(3);
  }

  @Test
  void gzipHeaderHoldsNeitherTimeNorName() throws IOException {
    publishAndClose(bucket.sink("compression", "gzip"), run().build(), people("people"));

    byte[] stored = bucket.bytes(PLACE + ".ndjson.gz");
    assertThat(Arrays.copyOf(stored, 3)).containsExactly(0x1f, 0x8b, 8);
    assertThat(stored[3]).as("flags").isZero();
    assertThat(Arrays.copyOfRange(stored, 4, 8)).as("time").containsOnly(0);
  }

  /** With the header, a client that honours it would decompress what is called .gz. */
  @Test
  void contentEncodingIsLeftOutWhereItIsSwitchedOff() throws IOException {
    publishAndClose(
        bucket.sink("compression", "gzip", "prefix", "with"), run().build(), people("people"));
    publishAndClose(
        bucket.sink("compression", "gzip", "prefix", "without", "content_encoding", "none"),
        run().build(),
        people("people"));

    String with = "with/" + PLACE + ".ndjson.gz";
    String without = "without/" + PLACE + ".ndjson.gz";
    assertThat(bucket.head(with).contentEncoding()).isEqualTo("gzip");
    assertThat(bucket.head(without).contentEncoding()).isNullOrEmpty();
    assertThat(bucket.bytes(without)).startsWith(0x1f, 0x8b).isEqualTo(bucket.bytes(with));
  }

  @ParameterizedTest
  @MethodSource("io.filament.sink.acceptance.Form#all")
  void sameInputGivesTheSameBytes(Form form) throws IOException {
    String[] texts = new String[5_000];
    Arrays.setAll(texts, i -> "text " + i * 31 % 977 + " é");
    String first = null;
    for (String prefix : List.of("one", "two")) {
      String crc32c =
          publishAndClose(
                  bucket.sink(form.settings("prefix", prefix)),
                  run().build(),
                  texts("people", texts),
                  texts("people", texts))
              .resources()
              .get(0)
              .crc32c();
      first = first == null ? crc32c : first;
      assertThat(crc32c).isEqualTo(first);
    }
    assertThat(bucket.bytes("one/" + PLACE + form.extension()))
        .isEqualTo(bucket.bytes("two/" + PLACE + form.extension()));
  }

  @ParameterizedTest
  @MethodSource("io.filament.sink.acceptance.Form#json")
  void bytesDoNotDependOnHowRecordsAreBatched(Form form) throws IOException {
    publishAndClose(
        bucket.sink(form.settings("prefix", "one")), run().build(), texts("people", "a", "b", "c"));
    publishAndClose(
        bucket.sink(form.settings("prefix", "two")),
        run().build(),
        texts("people", "a"),
        texts("people"),
        texts("people", "b", "c"));

    assertThat(form.text(bucket.bytes("one/" + PLACE + form.extension())))
        .isEqualTo(form.text(bucket.bytes("two/" + PLACE + form.extension())));
  }
}
