package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import java.io.IOException;
import java.text.Normalizer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys are what the names say, to the byte. */
class KeyBytesTest extends OnEveryEndpoint {

  private static final String MEBI = "x".repeat(1 << 20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=b",
        "abc@def.com",
        "b%20c",
        "100%",
        "x y  z",
        "c:d",
        "e+f",
        "g#h",
        "i?j",
        "données",
        "日本",
        "🙂",
        "a b%20c+d#e?f:g",
        "(1)!",
        "~tilde'quote*"
      })
  void prefixFolderPartitionAndRunIdStayAsTheyAre(String name) throws IOException {
    publishAndClose(
        bucket.sink("prefix", name, "partition", "dt=" + name),
        run(name).resource("r", PEOPLE, name).build(),
        people("r"));

    assertThat(bucket.keys())
        .containsExactlyInAnyOrder(
            name + "/" + name + "/dt=" + name + "/" + name + ".ndjson",
            name + "/_runs/" + name + "/_SUCCESS.json");
  }

  @Test
  void manifestHoldsTheRawKeyAndTheRawUri() throws IOException {
    String name = "a b%20c+d#e?f:g é日本🙂";
    RunManifest manifest = publishAndClose(bucket.sink("prefix", name), run().build(), people("r"));

    String key = name + "/r/dt=2026-09-10/" + Runs.RUN_ID + ".ndjson";
    assertThat(manifest.resources().get(0).key()).isEqualTo(key);
    assertThat(manifest.resources().get(0).uri()).isEqualTo("s3://" + bucket.name() + "/" + key);
    Map<String, Object> stored =
        bucket.manifestEntries(name + "/_runs/" + Runs.RUN_ID + "/_SUCCESS.json").get(0);
    assertThat(stored.get("key")).isEqualTo(key);
    assertThat(stored.get("uri")).isEqualTo("s3://" + bucket.name() + "/" + key);
  }

  @Test
  void keyOfAMultipartObjectStaysAsItIs() throws IOException {
    String prefix = "abc@def.com/x y  z/(1)!/a b%20c+d#e?f:g é日本🙂";
    publishAndClose(
        bucket.sink("prefix", prefix, "part_size_mib", 5),
        run().build(),
        texts("r", MEBI, MEBI, MEBI, MEBI, MEBI, MEBI));

    String key = prefix + "/r/dt=2026-09-10/" + Runs.RUN_ID + ".ndjson";
    assertThat(bucket.keys()).contains(key);
    assertThat(bucket.head(key).eTag()).endsWith("-2\"");
  }

  @Test
  void composedAndDecomposedLettersAreTwoNames() throws IOException {
    String composed = Normalizer.normalize("é", Normalizer.Form.NFC);
    String decomposed = Normalizer.normalize("é", Normalizer.Form.NFD);
    publishAndClose(bucket.sink(), run().build(), people(composed), people(decomposed));

    assertThat(bucket.keys())
        .contains(
            composed + "/dt=2026-09-10/" + Runs.RUN_ID + ".ndjson",
            decomposed + "/dt=2026-09-10/" + Runs.RUN_ID + ".ndjson");
  }
}
