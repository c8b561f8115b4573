package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.Sink;
import io.filament.sink.micrometer.SinkMetrics;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Meters say of a run what its manifest says. */
class MetricsTest extends WithBucket {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void metersAgreeWithTheManifest() throws IOException {
    RunManifest manifest;
    try (Sink sink = sink()) {
      sink.open(run().build());
      for (int i = 0; i < 6; i++) {
        sink.write(texts("large", "x".repeat(1 << 20)));
      }
      sink.write(people("people"));
      manifest = sink.commit();
    }

    List<RunManifest.Entry> objects = manifest.resources();
    assertThat(count("rows")).isEqualTo(objects.stream().mapToLong(RunManifest.Entry::rows).sum());
    assertThat(count("bytes"))
        .isEqualTo(objects.stream().mapToLong(RunManifest.Entry::bytes).sum());
    assertThat(count("objects")).isEqualTo(2);
    assertThat(count("parts")).isEqualTo(2);
    assertThat(count("runs")).isEqualTo(1);
    assertThat(registry.get("filament.sink.commit").timer().count()).isEqualTo(1);
    assertThat(registry.get("filament.sink.part.upload").timer().count()).isEqualTo(2);
    assertThat(registry.get("filament.sink.parts.in.flight").gauge().value()).isZero();
  }

  @Test
  void noTagNamesAKeyOrARun() throws IOException {
    RunManifest manifest;
    try (Sink sink = sink()) {
      sink.open(run().build());
      sink.write(people("people"));
      manifest = sink.commit();
    }

    String key = manifest.resources().get(0).key();
    assertThat(registry.getMeters())
        .isNotEmpty()
        .flatExtracting(meter -> meter.getId().getTags())
        .extracting(Tag::getValue)
        .doesNotContain("people", manifest.run(), key);
  }

  private Sink sink() {
    S3SinkConfig config = S3SinkConfig.fromMap(bucket.settings("part_size_mib", 5));
    return S3Sink.builder(config).listener(SinkMetrics.of(registry, Tags.empty())).build();
  }

  private long count(String name) {
    return (long) registry.get("filament.sink." + name).counter().count();
  }
}
