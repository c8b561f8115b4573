package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.Sink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that make no key are refused before anything is asked of the store. */
class RefusedNamesTest extends WithBucket {

  private Relay relay;
  private Sink sink;

  @BeforeEach
  void createSink() throws IOException {
    relay = Relay.before(endpoint());
    sink = bucket.sink("endpoint", relay.endpoint());
  }

  @AfterEach
  void closeSink() throws IOException {
    sink.close();
    relay.close();
  }

  private void assertRefused(RunSpec run, String message) {
    assertThatThrownBy(() -> sink.open(run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    assertThat(relay.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "/", ".", "..", "a\nb", "a\u0000b", "\u007f", "a\u0085b"})
  void runId(String runId) {
    assertRefused(run(runId).build(), "run");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a/b", "/a", ".", "..", "a\nb", "a\u0000b", "\t", "_runs", "_a", ".a"})
  void resourceName(String name) {
    assertRefused(run().resource(name, PEOPLE).build(), "resource");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", ".", "..", "a\nb", "_a", ".a"})
  void resourceFolder(String folder) {
    assertRefused(run().resource("accounts", PEOPLE, folder).build(), "accounts");
  }

  @Test
  void controlCharacterIsNamedAndNotRepeated() {
    assertThatThrownBy(() -> sink.open(run().resource("a\nb", PEOPLE).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"))
        .hasMessageMatching("(?i).*(000a|\\\\n|line feed).*");
  }

  @Test
  void twoResourcesInOneFolder() {
    assertRefused(run().resource("a", PEOPLE, "x").resource("b", PEOPLE, "x").build(), "x");
  }

  @Test
  void resourceDeclaredTwice() {
    assertRefused(run().resource("a", PEOPLE, "x").resource("a", PEOPLE, "y").build(), "a");
  }

  @Test
  void keyOfMoreThan1024BytesEvenIfItHasFewerCharacters() {
    assertRefused(run().resource("€".repeat(400), PEOPLE).build(), "1024");
  }

  @Test
  void keyOf1025Bytes() {
    assertRefused(run("r").resource(folderForAKeyOf(1025), PEOPLE).build(), "1025");
  }

  @Test
  void keyOf1024BytesIsAccepted() throws IOException {
    String folder = folderForAKeyOf(1024);
    publish(sink, run("r").build(), people(folder));

    assertThat(bucket.keys())
        .filteredOn(key -> !key.contains("_runs"))
        .singleElement()
        .satisfies(key -> assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSize(1024));
  }

  private static String folderForAKeyOf(int bytes) {
    return "f".repeat(bytes - "/dt=2026-09-10/r.ndjson".length());
  }

  @Test
  void keyOfTheManifestCountsToo() {
    assertRefused(run("r".repeat(1010)).build(), "1024");
  }

  @Test
  void refusedRunLeavesTheSinkReady() throws IOException {
    assertRefused(run("a/b").build(), "a/b");
    publish(sink, run("ab").build(), people("people"));

    assertThat(bucket.keys()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_a", "a/b", "", "a\u0000b"})
  void resourceOfABatchIsRefusedLikewiseAndTheRunGoesOn(String name) throws IOException {
    sink.open(run("r").build());
    assertThatThrownBy(() -> sink.write(people(name))).isInstanceOf(IllegalArgumentException.class);
    sink.write(people("people"));

    assertThat(sink.commit().resources()).hasSize(1);
  }

  @Test
  void folderOfABatchesResourceMustNotBeThatOfAnother() throws IOException {
    sink.open(run("r").resource("a", PEOPLE, "x").build());
    assertThatThrownBy(() -> sink.write(people("x"))).isInstanceOf(IllegalArgumentException.class);
    sink.write(people("a"));

    assertThat(sink.commit().resources()).hasSize(1);
  }

  @Test
  void fieldsThatDifferOnlyInCaseForParquet() throws IOException {
    Schema schema =
        Schema.builder().nullable("Id", FieldType.INT64).nullable("ID", FieldType.INT64).build();
    try (Sink parquet = bucket.sink("file_format", "parquet", "endpoint", relay.endpoint())) {
      assertThatThrownBy(() -> parquet.open(run().resource("a", schema).build()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Id")
          .hasMessageContaining("ID");
    }
    assertThat(relay.requests()).isEmpty();
  }

  @Test
  void fieldsThatDifferOnlyInCaseAreAcceptedForJson() throws IOException {
    Schema schema =
        Schema.builder()
            .nullable("Id", FieldType.INT64)
            .nullable("ID", FieldType.INT64)
            .nullable("createdAt", FieldType.INT64)
            .build();
    publish(sink, run("r").build(), Runs.batch("a", schema, Runs.row(1L, 2L, 3L)));

    assertThat(Json.records(bucket.bytes("a/dt=2026-09-10/r.ndjson")).get(0).keySet())
        .containsExactly("Id", "ID", "createdAt");
  }
}
