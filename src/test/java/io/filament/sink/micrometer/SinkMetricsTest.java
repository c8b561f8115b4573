package io.filament.sink.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkEvent.ConcurrencyChanged;
import io.filament.sink.SinkEvent.InFlight;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.WriteReceipt;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which meters an event moves. */
class SinkMetricsTest {

  private static final InFlight ANY = new InFlight(0, 0);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final SinkEvent.RunTotals TOTALS =
      new SinkEvent.RunTotals(1, 2, 0, 0, SECOND, OptionalLong.empty());

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SinkMetrics metrics = SinkMetrics.of(registry, Tags.of("pipeline", "nightly"));

  @Test
  void rowsAreThoseOfAllBatches() {
    metrics.batchWritten(batch("a", 3, OptionalLong.empty()));
    metrics.batchWritten(batch("b", 4, OptionalLong.empty()));

    assertThat(count("rows")).isEqualTo(7);
  }

  @Test
  void memoryIsThatOfTheBatchHeardLastAndNoneAfterTheRun() {
    assertThat(gauge("memory")).isNaN();
    metrics.batchWritten(batch("a", 3, OptionalLong.of(10)));
    assertThat(gauge("memory")).isEqualTo(10);
    metrics.runAborted(new SinkEvent.RunAborted("r", TOTALS));
    assertThat(gauge("memory")).isNaN();
  }

  @Test
  void partsAreInFlightFromTheirStartToTheirEnd() {
    metrics.partStarted(new SinkEvent.PartStarted("a", 1, 8, ANY));
    metrics.partStarted(new SinkEvent.PartStarted("a", 2, 6, ANY));
    assertThat(gauge("parts.in.flight")).isEqualTo(2);
    assertThat(gauge("bytes.in.flight")).isEqualTo(14);
    metrics.partUploaded(new SinkEvent.PartUploaded("a", 1, 8, SECOND, ANY));
    assertThat(gauge("parts.in.flight")).isEqualTo(1);
    metrics.partFailed(new SinkEvent.PartFailed("a", 2, 6, SECOND, ANY, new IOException("no")));
    assertThat(gauge("parts.in.flight")).isZero();
    assertThat(gauge("bytes.in.flight")).isZero();

    assertThat(count("bytes")).isEqualTo(8);
    assertThat(count("parts", "outcome", "uploaded")).isEqualTo(1);
    assertThat(count("parts", "outcome", "failed")).isEqualTo(1);
    assertThat(seconds("part.upload", "outcome", "uploaded")).isEqualTo(1);
  }

  @Test
  void waitsAreTimedByTheirReason() {
    metrics.writeWaited(new SinkEvent.WriteWaited("a", WaitReason.REQUESTS, SECOND));
    metrics.writeWaited(new SinkEvent.WriteWaited("b", WaitReason.REQUESTS, SECOND));
    metrics.writeWaited(new SinkEvent.WriteWaited("b", WaitReason.EARLIER_BATCH, SECOND));

    assertThat(seconds("write.wait", "reason", "requests")).isEqualTo(2);
    assertThat(seconds("write.wait", "reason", "earlier_batch")).isEqualTo(1);
  }

  @Test
  void retriesAreCountedByOperationAndSlowdownsAlone() {
    metrics.requestRetried(
        new SinkEvent.RequestRetried("UploadPart", "b", "k", 2, SECOND, "no answer"));
    metrics.concurrencyChanged(new ConcurrencyChanged(4, 2, 4));
    metrics.concurrencyChanged(new ConcurrencyChanged(2, 3, 4));

    assertThat(count("retries", "operation", "UploadPart")).isEqualTo(1);
    assertThat(count("slowdowns")).isEqualTo(1);
  }

  @Test
  void bytesOfAnObjectWithoutPartsAreCountedOnceItIsComplete() {
    RunManifest.Entry entry = new RunManifest.Entry("a", "k", "s3://b/k", 1, 20, "0a1b2c3d");
    metrics.objectCompleted(new SinkEvent.ObjectCompleted(entry, 0, SECOND));
    metrics.objectCompleted(new SinkEvent.ObjectCompleted(entry, 2, SECOND));

    assertThat(count("bytes")).isEqualTo(20);
    assertThat(count("objects")).isEqualTo(2);
  }

  @Test
  void aRunHasOneOutcome() {
    RunManifest manifest = new RunManifest(1, "r1", List.of(), "s3://b/m");
    metrics.runCommitted(new SinkEvent.RunCommitted(manifest, SECOND, TOTALS));
    metrics.runFailed(new SinkEvent.RunFailed("r2", new IOException("no"), TOTALS));
    metrics.runAborted(new SinkEvent.RunAborted("r2", TOTALS));
    metrics.runAborted(new SinkEvent.RunAborted("r3", TOTALS));

    assertThat(count("runs", "outcome", "committed")).isEqualTo(1);
    assertThat(count("runs", "outcome", "failed")).isEqualTo(1);
    assertThat(count("runs", "outcome", "aborted")).isEqualTo(1);
    assertThat(seconds("commit")).isEqualTo(1);
  }

  @Test
  void resourcesAreToldApartOnlyIfAskedFor() {
    SimpleMeterRegistry detailed = new SimpleMeterRegistry();
    SinkMetrics byResource = SinkMetrics.byResource(detailed, Tags.empty());
    for (SinkMetrics listener : new SinkMetrics[] {metrics, byResource}) {
      listener.batchWritten(batch("a", 1, OptionalLong.empty()));
      listener.batchWritten(batch("b", 1, OptionalLong.empty()));
      listener.writeWaited(new SinkEvent.WriteWaited("b", WaitReason.MEMORY, SECOND));
    }

    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .allSatisfy(id -> assertThat(id.getTag("resource")).isNull())
        .allSatisfy(id -> assertThat(id.getTags()).contains(Tag.of("pipeline", "nightly")))
        .allSatisfy(id -> assertThat(id.getName()).startsWith("filament.sink."))
        .allSatisfy(id -> assertThat(id.getDescription()).isNotBlank());
    assertThat(detailed.find("filament.sink.rows").counters())
        .extracting(counter -> counter.getId().getTag("resource"))
        .containsExactlyInAnyOrder("a", "b");
  }

  private static SinkEvent.BatchWritten batch(String resource, long rows, OptionalLong memory) {
    return new SinkEvent.BatchWritten(
        new WriteReceipt(resource, rows, "s3://b/k", 9), SECOND, memory);
  }

  private double count(String name, String... tags) {
    return registry.get("filament.sink." + name).tags(tags).counter().count();
  }

  private double gauge(String name) {
    return registry.get("filament.sink." + name).gauge().value();
  }

  private double seconds(String name, String... tags) {
    return registry.get("filament.sink." + name).tags(tags).timer().totalTime(TimeUnit.SECONDS);
  }
}
