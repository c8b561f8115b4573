package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Sink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run tells whether the server honours conditions, if it is asked to find out. */
class ConditionsTest extends OnEveryEndpoint {

  private static final String MANIFEST = "_runs/" + RUN_ID + "/_SUCCESS.json";

  @ParameterizedTest
  @CsvSource({"auto, unknown", "probe, honoured", "require, honoured"})
  void manifestTellsWhatIsKnownAndNothingIsLeft(String mode, String word) throws IOException {
    try (Sink sink = bucket.sink("conditional_writes", mode, "part_size_mib", 5)) {
      sink.open(run().build());
      sink.write(people("small"));
      for (int i = 0; i < 6; i++) {
        sink.write(texts("large", "x".repeat(1 << 20)));
      }
      sink.commit();
    }

    assertThat(bucket.manifest(MANIFEST).get("store"))
        .isInstanceOfSatisfying(
            Map.class, store -> assertThat(store.get("conditionalPuts")).isEqualTo(word));
    assertThat(bucket.keys())
        .isEqualTo(
            List.of(
                MANIFEST,
                "large/dt=2026-09-10/" + RUN_ID + ".ndjson",
                "small/dt=2026-09-10/" + RUN_ID + ".ndjson"));
    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void runWithoutResourcesLeavesItsManifestAlone() throws IOException {
    try (Sink sink = bucket.sink("conditional_writes", "require")) {
      sink.open(run().build());
      sink.commit();
    }

    assertThat(bucket.keys()).containsExactly(MANIFEST);
  }
}
