package io.filament.sink.s3.internal.object;

import io.filament.sink.RunManifest;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkEvent.InFlight;
import io.filament.sink.SinkListener;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener what happens in one run, and counts what its totals are made of. Must not be
 * called under a lock, since a listener may do anything. Any thread may call.
 */
public final class RunEvents {

  private final SinkListener listener;
  private final LongSupplier clock;
  private final long begun;
  private final LongAdder rows = new LongAdder();
  private final LongAdder encodedBytes = new LongAdder();
  private final LongAdder parts = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private volatile @Nullable RunMemory memory;
  // Guarded by this.
  private InFlight inFlight = new InFlight(0, 0);

  private RunEvents(SinkListener listener, LongSupplier clock) {
    this.listener = listener;
    this.clock = clock;
    this.begun = clock.getAsLong();
  }

  /**
   * Returns the events of a run that begins at this moment.
   *
   * @param listener hears them; it never throws
   * @param clock gives nanoseconds, as {@link System#nanoTime} does
   */
  public static RunEvents of(SinkListener listener, LongSupplier clock) {
    return new RunEvents(listener, clock);
  }

  /** Returns events that nobody hears. */
  public static RunEvents none() {
    return of(new SinkListener() {}, System::nanoTime);
  }

  /** Tells from here on what the run holds in memory. */
  public void counting(RunMemory counted) {
    memory = counted;
  }

  /** Returns the time, of which only differences mean something. */
  public long nanos() {
    return clock.getAsLong();
  }

  /** Returns who hears the events that are told as they are. */
  public SinkListener listener() {
    return listener;
  }

  /** Counts bytes that have left an encoder. May be called under a lock. */
  public void encoded(long bytes) {
    encodedBytes.add(bytes);
  }

  /** A batch is encoded, by a call that began at this time. */
  public void batchWritten(WriteReceipt receipt, long since) {
    rows.add(receipt.rows());
    listener.batchWritten(new SinkEvent.BatchWritten(receipt, duration(since), memoryBytes()));
  }

  /** Tells what a call has waited for, if it has waited. */
  public void waited(String resource, Waits waits) {
    waits.forEach(
        (reason, nanos) ->
            listener.writeWaited(
                new SinkEvent.WriteWaited(resource, reason, Duration.ofNanos(nanos))));
  }

  void partStarted(String resource, int number, long bytes) {
    listener.partStarted(new SinkEvent.PartStarted(resource, number, bytes, inFlight(1, bytes)));
  }

  void partUploaded(String resource, int number, long bytes, long since) {
    parts.increment();
    listener.partUploaded(
        new SinkEvent.PartUploaded(resource, number, bytes, duration(since), inFlight(-1, -bytes)));
  }

  void partFailed(String resource, int number, long bytes, long since, Throwable cause) {
    listener.partFailed(
        new SinkEvent.PartFailed(
            resource, number, bytes, duration(since), inFlight(-1, -bytes), cause));
  }

  void requestRetried(SinkEvent.RequestRetried event) {
    retries.increment();
    listener.requestRetried(event);
  }

  /** An object is complete, by work that began at this time. */
  public void objectCompleted(RunManifest.Entry entry, int partCount, long since) {
    listener.objectCompleted(new SinkEvent.ObjectCompleted(entry, partCount, duration(since)));
  }

  /** The run is committed, by a call that began at this time. */
  public void runCommitted(RunManifest manifest, long since) {
    listener.runCommitted(new SinkEvent.RunCommitted(manifest, duration(since), totals()));
  }

  /** The run has failed. */
  public void runFailed(String runId, Throwable cause) {
    listener.runFailed(new SinkEvent.RunFailed(runId, cause, totals()));
  }

  /** The run is aborted. */
  public void runAborted(String runId) {
    listener.runAborted(new SinkEvent.RunAborted(runId, totals()));
  }

  private synchronized InFlight inFlight(int moreParts, long moreBytes) {
    inFlight = new InFlight(inFlight.parts() + moreParts, inFlight.bytes() + moreBytes);
    return inFlight;
  }

  private SinkEvent.RunTotals totals() {
    return new SinkEvent.RunTotals(
        rows.sum(),
        encodedBytes.sum(),
        parts.sum(),
        retries.sum(),
        duration(begun),
        peakMemoryBytes());
  }

  private OptionalLong memoryBytes() {
    RunMemory counted = memory;
    return counted == null ? OptionalLong.empty() : OptionalLong.of(counted.heldBytes());
  }

  private OptionalLong peakMemoryBytes() {
    RunMemory counted = memory;
    return counted == null ? OptionalLong.empty() : OptionalLong.of(counted.peakBytes());
  }

  private Duration duration(long since) {
    return Duration.ofNanos(nanos() - since);
  }
}
