package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.Sink;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to protect objects gives the same objects, on each server. */
class ChecksumModesTest extends OnEveryEndpoint {

  @ParameterizedTest
  @ValueSource(strings = {"auto", "full_object", "composite", "none"})
  void runIsWrittenAndStated(String mode) throws IOException {
    RunManifest manifest;
    try (Sink sink = bucket.sink("checksum_mode", mode, "part_size_mib", 5)) {
      sink.open(run().build());
      sink.write(people("small"));
      for (int i = 0; i < 11; i++) {
        sink.write(texts("large", "x".repeat(1 << 20)));
      }
      manifest = sink.commit();
    }

    assertThat(bucket.keys())
        .containsExactly(
            "_runs/" + RUN_ID + "/_SUCCESS.json",
            "large/dt=2026-09-10/" + RUN_ID + ".ndjson",
            "small/dt=2026-09-10/" + RUN_ID + ".ndjson");
    assertThat(bucket.uploads()).isEmpty();
    assertThat(manifest.resources())
        .hasSize(2)
        .allSatisfy(
            entry -> {
              assertThat(entry.bytes()).isEqualTo(bucket.bytes(entry.key()).length);
              assertThat(entry.crc32c()).isEqualTo(Stored.crc32c(bucket.bytes(entry.key())));
            });
  }
}
