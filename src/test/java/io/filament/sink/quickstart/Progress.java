package io.filament.sink.quickstart;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkListener;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Shows how a run goes on, with a line for each object and one for the end. Before these come a
 * line that is written over on a terminal, and a dot for each batch elsewhere.
 */
final class Progress implements SinkListener {

  private static final double SECOND_NANOS = 1e9;

  /** A shorter time makes a rate that says nothing. */
  private static final long LEAST_NANOS = 1_000_000;

  private final Console console;
  private final LongSupplier clock;
  // Guarded by this.
  private final Map<String, Long> encodedBytes = new HashMap<>();
  private String resource = "";
  private long begun;
  private long rows;
  private long parts;
  private int inFlight;

  /**
   * @param clock gives nanoseconds
   */
  Progress(Console console, LongSupplier clock) {
    this.console = console;
    this.clock = clock;
  }

  @Override
  public synchronized void runOpened(RunSpec run) {
    begun = clock.getAsLong();
  }

  @Override
  public synchronized void batchWritten(SinkEvent.BatchWritten event) {
    String written = event.receipt().resource();
    rows += event.receipt().rows();
    encodedBytes.put(written, event.receipt().encodedBytes());
    if (console.canRewrite()) {
      showStatus();
      return;
    }
    if (resource.isEmpty()) {
      console.begin("writing     ");
    }
    if (!written.equals(resource)) {
      resource = written;
      console.more(" " + resource + " ");
    }
    console.more(".");
  }

  @Override
  public synchronized void partStarted(SinkEvent.PartStarted event) {
    inFlight = event.inFlight().parts();
    showStatus();
  }

  @Override
  public synchronized void partUploaded(SinkEvent.PartUploaded event) {
    parts++;
    inFlight = event.inFlight().parts();
    showStatus();
  }

  @Override
  public synchronized void objectCompleted(RunManifest.Entry entry) {
    console.line(
        "%-12s %8s rows   %10s   crc32c %s"
            .formatted(
                entry.name(),
                Texts.count(entry.rows()),
                Texts.size(entry.bytes()),
                entry.crc32c()));
  }

  @Override
  public synchronized void runCommitted(RunManifest manifest) {
    console.line("%-12s %s".formatted("committed", manifest.uri()));
  }

  @Override
  public synchronized void runAborted(String runId) {
    console.line("%-12s %s".formatted("aborted", runId));
  }

  private void showStatus() {
    if (!console.canRewrite()) {
      return;
    }
    long bytes = encodedBytes.values().stream().mapToLong(Long::longValue).sum();
    console.status(
        "%-12s %8s rows   %10s   parts %d, in flight %d   %s rows/s"
            .formatted(
                "writing", Texts.count(rows), Texts.size(bytes), parts, inFlight, rowsPerSecond()));
  }

  private String rowsPerSecond() {
    long nanos = Math.max(LEAST_NANOS, clock.getAsLong() - begun);
    return Texts.count(Math.round(rows / (double) nanos * SECOND_NANOS));
  }
}
