package io.filament.sink.scale;

import io.filament.sink.SinkEvent;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.SinkListener;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Adds up what a run waited for. Any thread may call. */
final class Heard implements SinkListener {

  // Guarded by this.
  private final Map<WaitReason, Duration> waits = new EnumMap<>(WaitReason.class);
  private OptionalLong peakMemory = OptionalLong.empty();
  private long retries;

  @Override
  public synchronized void writeWaited(SinkEvent.WriteWaited event) {
    waits.merge(event.reason(), event.duration(), Duration::plus);
  }

  @Override
  public synchronized void runCommitted(SinkEvent.RunCommitted event) {
    peakMemory = event.totals().peakMemoryBytes();
    retries = event.totals().retries();
  }

  synchronized OptionalLong peakMemory() {
    return peakMemory;
  }

  synchronized long retries() {
    return retries;
  }

  /** Returns the sum of all waits. */
  synchronized Duration waited() {
    return waits.values().stream().reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns the waits in words, as {@code requests:1.2s,memory:0.3s}, or {@code none}. */
  synchronized String waits() {
    return waits.isEmpty()
        ? "none"
        : waits.entrySet().stream()
            .map(
                wait ->
                    String.format(
                        Locale.ROOT,
                        "%s:%.1fs",
                        wait.getKey().name().toLowerCase(Locale.ROOT),
                        wait.getValue().toMillis() / 1e3))
            .collect(Collectors.joining(","));
  }
}
