package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Every format with every compression, as a reader finds the object. */
class FormsTest extends OnEveryEndpoint {

  private static final String ALL = "io.filament.sink.acceptance.Form#all";
  private static final String JSON = "io.filament.sink.acceptance.Form#json";
  private static final String PARQUET = "io.filament.sink.acceptance.Form#parquet";

  @TempDir Path directory;

  private RunManifest.Entry publishPeople(Form form) throws IOException {
    RunManifest manifest =
        publishAndClose(
            bucket.sink(form.settings()), run().build(), people("people"), people("people"));
    assertThat(manifest.resources()).hasSize(1);
    return manifest.resources().get(0);
  }

  private RunManifest.Entry publishNothing(Form form) throws IOException {
    RunManifest manifest =
        publishAndClose(bucket.sink(form.settings()), run().resource("people", PEOPLE).build());
    assertThat(manifest.resources()).hasSize(1);
    return manifest.resources().get(0);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void keyEndsInTheExtension(Form form) throws IOException {
    assertThat(publishPeople(form).key())
        .isEqualTo("people/dt=2026-09-10/" + RUN_ID + form.extension());
    assertThat(bucket.keys()).contains("people/dt=2026-09-10/" + RUN_ID + form.extension());
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void headersTellTypeAndEncoding(Form form) throws IOException {
    HeadObjectResponse head = bucket.head(publishPeople(form).key());

    assertThat(head.contentType()).isEqualTo(form.contentType());
    if (form.encoding() == null) {
      assertThat(head.contentEncoding()).isNullOrEmpty();
    } else {
      assertThat(head.contentEncoding()).isEqualTo(form.encoding());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void manifestHoldsRowsSizeAndChecksumOfTheObject(Form form) throws IOException {
    RunManifest.Entry entry = publishPeople(form);
    byte[] stored = bucket.bytes(entry.key());

    assertThat(entry.rows()).isEqualTo(4);
    assertThat(entry.bytes()).isEqualTo(stored.length);
    assertThat(entry.crc32c()).isEqualTo(Stored.crc32c(stored));
  }

  @ParameterizedTest
  @MethodSource(JSON)
  void jsonDecodesToTheRecords(Form form) throws IOException {
    String text = form.text(bucket.bytes(publishPeople(form).key()));

    List<Map<String, Object>> records =
        form.format().equals("json")
            ? Json.objects(Json.parse(text))
            : Json.records(text.getBytes(StandardCharsets.UTF_8));
    Map<String, Object> ada = Map.of("id", new BigDecimal(1), "name", "Ada");
    assertThat(records).hasSize(4);
    assertThat(records.get(0)).isEqualTo(ada);
    assertThat(records.get(2)).isEqualTo(ada);
    assertThat(records.get(1)).containsEntry("id", new BigDecimal(2)).containsEntry("name", null);
    assertThat(records.get(3)).isEqualTo(records.get(1));
    assertThat(records).allSatisfy(r -> assertThat(r.keySet()).containsExactly("id", "name"));
  }

  @ParameterizedTest
  @MethodSource(PARQUET)
  void parquetHoldsTheRecordsInTheirOrder(Form form) throws IOException, SQLException {
    String key = publishPeople(form).key();

    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, key);
      assertThat(duck.rows("SELECT * FROM '" + file + "'"))
          .containsExactly(
              Arrays.asList(1L, "Ada"),
              Arrays.asList(2L, null),
              Arrays.asList(1L, "Ada"),
              Arrays.asList(2L, null));
    }
  }

  @ParameterizedTest
  @MethodSource(PARQUET)
  void parquetPagesHaveTheCompressionThatWasAskedFor(Form form) throws IOException, SQLException {
    String key = publishPeople(form).key();

    String codec = form.compression().equals("none") ? "UNCOMPRESSED" : form.compression();
    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, key);
      assertThat(
              duck.rows("SELECT DISTINCT upper(compression) FROM parquet_metadata('" + file + "')"))
          .containsExactly(List.of(codec.toUpperCase(Locale.ROOT)));
    }
  }

  @ParameterizedTest
  @MethodSource(JSON)
  void declaredResourceWithoutRowsIsAnEmptyJsonObject(Form form) throws IOException {
    RunManifest.Entry entry = publishNothing(form);
    byte[] stored = bucket.bytes(entry.key());

    assertThat(form.text(stored)).isEqualTo(form.format().equals("json") ? "[]" : "");
    assertThat(entry.rows()).isZero();
    assertThat(entry.bytes()).isEqualTo(stored.length);
    assertThat(entry.crc32c()).isEqualTo(Stored.crc32c(stored));
    if (!form.compression().equals("none")) {
      assertThat(stored).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource(PARQUET)
  void declaredResourceWithoutRowsIsAParquetFileWithAllColumns(Form form)
      throws IOException, SQLException {
    RunManifest.Entry entry = publishNothing(form);

    assertThat(entry.rows()).isZero();
    try (Duck duck = new Duck(directory)) {
      String file = duck.fetch(bucket, entry.key());
      assertThat(duck.rows("SELECT count(*) FROM '" + file + "'")).containsExactly(List.of(0L));
      assertThat(
              duck.rows(
                  "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '" + file + "')"))
          .containsExactly(List.of("id", "BIGINT"), List.of("name", "VARCHAR"));
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void headersOfAnObjectWithoutRowsAreTheSame(Form form) throws IOException {
    HeadObjectResponse head = bucket.head(publishNothing(form).key());

    assertThat(head.contentType()).isEqualTo(form.contentType());
    assertThat(Objects.requireNonNullElse(head.contentEncoding(), ""))
        .isEqualTo(form.encoding() == null ? "" : form.encoding());
  }
}
