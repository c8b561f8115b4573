package io.filament.sink;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SinkListener} hears in one value. Events never change and may be kept or handed to
 * other threads. Later versions may add events, and components to events.
 *
 * <p>Durations come from a clock that only goes forward ({@link System#nanoTime}); bytes are those
 * that go to the store, so after compression.
 */
public sealed interface SinkEvent {

  /**
   * A resource takes part in the run: {@code open} declared it, or its first batch did.
   *
   * @param resource the resource's name
   * @param uri where its object will be, as {@code s3://bucket/key}
   * @param mostBytes how large the object can get at most: as many parts as a store takes, each of
   *     {@code part_size_mib}; {@link Long#MAX_VALUE} if nothing limits it
   */
  record ResourceDeclared(String resource, String uri, long mostBytes) implements SinkEvent {

    public ResourceDeclared {
      Objects.requireNonNull(resource, "resource");
      Objects.requireNonNull(uri, "uri");
      requireNotNegative("mostBytes", mostBytes);
    }
  }

  /**
   * A batch is encoded. Nothing of it is durable yet, and its last bytes may still be in the
   * encoder.
   *
   * @param receipt what {@code write} returns
   * @param duration from the begin of {@code write}, with what it waited
   * @param memoryBytes what the run holds in memory; empty for a sink that does not count it
   */
  record BatchWritten(WriteReceipt receipt, Duration duration, OptionalLong memoryBytes)
      implements SinkEvent {

    public BatchWritten {
      Objects.requireNonNull(receipt, "receipt");
      requireNotNegative(duration);
      Objects.requireNonNull(memoryBytes, "memoryBytes");
    }
  }

  /**
   * A call of {@code write}, or the end of an object in {@code finish} or {@code commit}, had to
   * wait. Told once for each reason when the call has stopped waiting for good, with the sum of its
   * waits, and only if it really waited.
   *
   * @param resource the resource's name
   * @param reason what it waited for
   * @param duration how long, in all
   */
  record WriteWaited(String resource, WaitReason reason, Duration duration) implements SinkEvent {

    public WriteWaited {
      Objects.requireNonNull(resource, "resource");
      Objects.requireNonNull(reason, "reason");
      requireNotNegative(duration);
    }
  }

  /** What a call waits for. Later versions may add reasons. */
  enum WaitReason {
    /**
     * The store: for a place among the requests that may be in flight, or for the answer that
     * starts an upload.
     */
    REQUESTS,
    /** Memory: for other bytes of the run to reach the store. */
    MEMORY,
    /** Batches of the same resource whose {@code write} began earlier. */
    EARLIER_BATCH
  }

  /**
   * The request that uploads a part begins. Exactly one {@link PartUploaded} or {@link PartFailed}
   * follows.
   *
   * @param resource the resource's name
   * @param number the part's number in its object, from 1
   * @param bytes the part's size
   * @param inFlight the parts that are being uploaded, with this one
   */
  record PartStarted(String resource, int number, long bytes, InFlight inFlight)
      implements SinkEvent {

    public PartStarted {
      Objects.requireNonNull(resource, "resource");
      requireNotNegative("bytes", bytes);
      Objects.requireNonNull(inFlight, "inFlight");
    }
  }

  /**
   * The store has taken a part. It is not visible, and is gone if the run does not commit.
   *
   * @param resource the resource's name
   * @param number the part's number in its object, from 1
   * @param bytes the part's size
   * @param duration from {@link PartStarted}, with all tries and the pauses between them
   * @param inFlight the parts that are still being uploaded, without this one
   */
  record PartUploaded(String resource, int number, long bytes, Duration duration, InFlight inFlight)
      implements SinkEvent {

    public PartUploaded {
      Objects.requireNonNull(resource, "resource");
      requireNotNegative("bytes", bytes);
      requireNotNegative(duration);
      Objects.requireNonNull(inFlight, "inFlight");
    }
  }

  /**
   * A part could not be uploaded, after all tries, or was cancelled by an abort. The run fails.
   *
   * @param resource the resource's name
   * @param number the part's number in its object, from 1
   * @param bytes the part's size
   * @param duration from {@link PartStarted}, with all tries and the pauses between them
   * @param inFlight the parts that are still being uploaded, without this one
   * @param cause why
   */
  record PartFailed(
      String resource,
      int number,
      long bytes,
      Duration duration,
      InFlight inFlight,
      Throwable cause)
      implements SinkEvent {

    public PartFailed {
      Objects.requireNonNull(resource, "resource");
      requireNotNegative("bytes", bytes);
      requireNotNegative(duration);
      Objects.requireNonNull(inFlight, "inFlight");
      Objects.requireNonNull(cause, "cause");
    }
  }

  /**
   * The parts of all resources that are being uploaded at one moment.
   *
   * @param parts how many
   * @param bytes their bytes, which are held in memory
   */
  record InFlight(int parts, long bytes) {

    public InFlight {
      requireNotNegative("parts", parts);
      requireNotNegative("bytes", bytes);
    }
  }

  /**
   * A request has failed and will be made again. Told before the pause.
   *
   * @param operation S3's name of the operation, as {@code UploadPart}
   * @param bucket where it goes
   * @param key the object's key; null for an operation on the bucket
   * @param tryNumber the number of the try that comes after the pause, from 2
   * @param pause how long the request waits before
   * @param reason why it failed, in words, without what was asked for; secrets are masked
   */
  record RequestRetried(
      String operation,
      String bucket,
      @Nullable String key,
      int tryNumber,
      Duration pause,
      String reason)
      implements SinkEvent {

    public RequestRetried {
      Objects.requireNonNull(operation, "operation");
      Objects.requireNonNull(bucket, "bucket");
      requireNotNegative(pause);
      Objects.requireNonNull(reason, "reason");
      if (tryNumber < 2) {
        throw new IllegalArgumentException("tryNumber must be at least 2: " + tryNumber);
      }
    }
  }

  /**
   * Fewer or more requests may be in flight: fewer after the store has asked to slow down, or the
   * client had no connection for one, and one more after each round of requests that passed without
   * that.
   *
   * @param before how many could be in flight
   * @param now how many may be
   * @param most the limit while the store asks for nothing: {@code upload_concurrency}, or the
   *     connections of a host's client if they are fewer
   */
  record ConcurrencyChanged(int before, int now, int most) implements SinkEvent {

    public ConcurrencyChanged {
      if (before < 1 || now < 1 || before > most || now > most) {
        throw new IllegalArgumentException(
            "before and now must be 1 to %d: %d, %d".formatted(most, before, now));
      }
    }

    /** Returns whether there are fewer now. */
    public boolean isSlower() {
      return now < before;
    }
  }

  /**
   * An object is complete and checked. The run is not valid before its manifest.
   *
   * @param entry what the manifest will say of it
   * @param parts how many parts it has; 0 if it was put whole
   * @param duration of completing and checking it, with all tries
   */
  record ObjectCompleted(RunManifest.Entry entry, int parts, Duration duration)
      implements SinkEvent {

    public ObjectCompleted {
      Objects.requireNonNull(entry, "entry");
      requireNotNegative("parts", parts);
      requireNotNegative(duration);
    }
  }

  /**
   * The manifest is published: the run is valid. The last event of its run.
   *
   * @param manifest what {@code commit} returns
   * @param duration of {@code commit}
   * @param totals of the run
   */
  record RunCommitted(RunManifest manifest, Duration duration, RunTotals totals)
      implements SinkEvent {

    public RunCommitted {
      Objects.requireNonNull(manifest, "manifest");
      requireNotNegative(duration);
      Objects.requireNonNull(totals, "totals");
    }
  }

  /**
   * A run has failed: {@code write}, {@code finish} or {@code commit} is about to throw, and only
   * an abort can follow. Other calls that fail in the same run tell nothing.
   *
   * @param runId the run's id
   * @param cause the first failure, which the call throws
   * @param totals of the run so far
   */
  record RunFailed(String runId, Throwable cause, RunTotals totals) implements SinkEvent {

    public RunFailed {
      Objects.requireNonNull(runId, "runId");
      Objects.requireNonNull(cause, "cause");
      Objects.requireNonNull(totals, "totals");
    }
  }

  /**
   * A run was given up, failed or not.
   *
   * @param runId the run's id
   * @param totals of what was written in vain
   */
  record RunAborted(String runId, RunTotals totals) implements SinkEvent {

    public RunAborted {
      Objects.requireNonNull(runId, "runId");
      Objects.requireNonNull(totals, "totals");
    }
  }

  /**
   * Sums over a run and its resources.
   *
   * @param rows the records of the batches that were encoded
   * @param encodedBytes the bytes of all objects, as far as they have left the encoders
   * @param parts how many parts the store has taken
   * @param retries how many requests were made again
   * @param duration since the begin of {@code open}
   * @param peakMemoryBytes the most that the run has held in memory at once; empty for a sink that
   *     does not count it
   */
  record RunTotals(
      long rows,
      long encodedBytes,
      long parts,
      long retries,
      Duration duration,
      OptionalLong peakMemoryBytes) {

    public RunTotals {
      requireNotNegative("rows", rows);
      requireNotNegative("encodedBytes", encodedBytes);
      requireNotNegative("parts", parts);
      requireNotNegative("retries", retries);
      requireNotNegative(duration);
      Objects.requireNonNull(peakMemoryBytes, "peakMemoryBytes");
    }
  }

  private static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must not be negative: " + value);
    }
  }

  private static void requireNotNegative(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a duration must not be negative: " + duration);
    }
  }
}
