package io.filament.sink.micrometer;

import io.filament.sink.SinkEvent;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.SinkListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Keeps meters of what sinks do: a listener to hand to a sink's builder. One listener serves any
 * number of sinks, and adds up what they do; a second one with the same registry and tags would
 * find the gauges of the first.
 *
 * <p>All names begin with {@code filament.sink.}. No tag holds a key or a run id, and none a
 * resource unless {@link #byResource} made the listener.
 */
public final class SinkMetrics implements SinkListener {

  private static final String PREFIX = "filament.sink.";
  private static final String OUTCOME = "outcome";

  private final MeterRegistry registry;
  private final Tags tags;
  private final boolean tagsResources;
  private final AtomicInteger partsInFlight = new AtomicInteger();
  private final AtomicLong bytesInFlight = new AtomicLong();
  private final AtomicLong memory = new AtomicLong(-1);

  /** Runs that are counted as failed, and will be heard of again when they are aborted. */
  private final Set<String> failedRuns = ConcurrentHashMap.newKeySet();

  private SinkMetrics(MeterRegistry registry, Iterable<Tag> tags, boolean tagsResources) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.tags = Tags.of(tags);
    this.tagsResources = tagsResources;
    gauge("parts.in.flight", "Parts that are being uploaded", "parts", partsInFlight::get);
    gauge("bytes.in.flight", "Bytes of parts that are being uploaded", "bytes", bytesInFlight::get);
    gauge(
        "memory",
        "Memory that the run heard of last holds; not a number until that is counted",
        "bytes",
        this::memory);
  }

  /**
   * Returns a listener whose meters all have these tags.
   *
   * @param tags the host's own, as the name of a pipeline
   */
  public static SinkMetrics of(MeterRegistry registry, Iterable<Tag> tags) {
    return new SinkMetrics(registry, tags, false);
  }

  /**
   * As {@link #of}, and rows, bytes, parts, uploads and waits are also told apart by the tag {@code
   * resource}. For hosts that know how many resources they have: each adds a dozen meters.
   */
  public static SinkMetrics byResource(MeterRegistry registry, Iterable<Tag> tags) {
    return new SinkMetrics(registry, tags, true);
  }

  @Override
  public void batchWritten(SinkEvent.BatchWritten event) {
    counter("rows", "Records that were encoded", "rows", of(event.receipt().resource()))
        .increment((double) event.receipt().rows());
    hold(event.memoryBytes());
  }

  @Override
  public void writeWaited(SinkEvent.WriteWaited event) {
    timer(
            "write.wait",
            "What write waited for",
            of(event.resource()).and("reason", name(event.reason())))
        .record(event.duration());
  }

  @Override
  public void partStarted(SinkEvent.PartStarted event) {
    partsInFlight.incrementAndGet();
    bytesInFlight.addAndGet(event.bytes());
  }

  @Override
  public void partUploaded(SinkEvent.PartUploaded event) {
    partEnded(event.bytes());
    Tags where = of(event.resource());
    bytes(where).increment((double) event.bytes());
    parts(where, "uploaded").increment();
    upload(where, "uploaded").record(event.duration());
  }

  @Override
  public void partFailed(SinkEvent.PartFailed event) {
    partEnded(event.bytes());
    Tags where = of(event.resource());
    parts(where, "failed").increment();
    upload(where, "failed").record(event.duration());
  }

  @Override
  public void requestRetried(SinkEvent.RequestRetried event) {
    counter(
            "retries",
            "Requests that were made again",
            "requests",
            tag("operation", event.operation()))
        .increment();
  }

  @Override
  public void concurrencyChanged(SinkEvent.ConcurrencyChanged event) {
    if (event.isSlower()) {
      counter("slowdowns", "Times that the store got fewer requests at once", "slowdowns", tags)
          .increment();
    }
  }

  @Override
  public void objectCompleted(SinkEvent.ObjectCompleted event) {
    Tags where = of(event.entry().name());
    counter("objects", "Objects that are complete and checked", "objects", where).increment();
    if (event.parts() == 0) {
      bytes(where).increment((double) event.entry().bytes());
    }
  }

  @Override
  public void runCommitted(SinkEvent.RunCommitted event) {
    runEnded("committed");
    timer("commit", "Commits that published a run", tags).record(event.duration());
    hold(OptionalLong.empty());
  }

  @Override
  public void runFailed(SinkEvent.RunFailed event) {
    failedRuns.add(event.runId());
    runEnded("failed");
  }

  @Override
  public void runAborted(SinkEvent.RunAborted event) {
    if (!failedRuns.remove(event.runId())) {
      runEnded("aborted");
    }
    hold(OptionalLong.empty());
  }

  private void partEnded(long bytes) {
    partsInFlight.decrementAndGet();
    bytesInFlight.addAndGet(-bytes);
  }

  private void runEnded(String outcome) {
    counter("runs", "Runs that have ended", "runs", tag(OUTCOME, outcome)).increment();
  }

  private void hold(OptionalLong bytes) {
    memory.set(bytes.orElse(-1));
  }

  private double memory() {
    long bytes = memory.get();
    return bytes < 0 ? Double.NaN : bytes;
  }

  private Counter bytes(Tags where) {
    return counter("bytes", "Bytes that the store has taken", "bytes", where);
  }

  private Counter parts(Tags where, String outcome) {
    return counter("parts", "Parts that were sent", "parts", where.and(OUTCOME, outcome));
  }

  private Timer upload(Tags where, String outcome) {
    return timer("part.upload", "Uploads of parts, with all tries", where.and(OUTCOME, outcome));
  }

  private Tags of(String resource) {
    return tagsResources ? tag("resource", resource) : tags;
  }

  private Tags tag(String key, String value) {
    return tags.and(key, value);
  }

  private static String name(WaitReason reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  private Counter counter(String name, String description, String unit, Tags with) {
    return Counter.builder(PREFIX + name)
        .description(description)
        .baseUnit(unit)
        .tags(with)
        .register(registry);
  }

  private Timer timer(String name, String description, Tags with) {
    return Timer.builder(PREFIX + name).description(description).tags(with).register(registry);
  }

  private void gauge(String name, String description, String unit, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value)
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }
}
