package io.filament.sink;

/**
 * Hears how a run goes on. All methods do nothing by default, so a listener overrides what it wants
 * to know; where an event has an older method with fewer values, the newer one calls it.
 *
 * <p><b>Threads.</b> A call comes on the thread that does the work: a thread of the host in {@code
 * open}, {@code write}, {@code commit} and {@code abort}, and a thread of the run for requests and
 * parts. Several calls come at a time, and never under a lock: a listener may call {@link
 * Sink#abort}. It should return soon, since the work waits for it; while it hears of a request,
 * that request still counts as one in flight. What it throws is logged and goes no further.
 *
 * <p><b>Order.</b> {@link #runOpened} comes first, then each {@link
 * #resourceDeclared(SinkEvent.ResourceDeclared)} of {@code open}; only {@link #requestRetried} and
 * {@link #concurrencyChanged} may come earlier, from the requests that {@code open} makes. All
 * parts of an object are heard before its {@link #objectCompleted(SinkEvent.ObjectCompleted)}, all
 * objects before {@link #runCommitted(SinkEvent.RunCommitted)}, and nothing of a run after that.
 * What {@code write} tells comes before it returns. Between threads there is no other order: parts
 * may be uploaded in any, a batch of a resource that another thread has just declared may be heard
 * before it, and a {@code write} that an abort cuts short may be heard after the abort.
 *
 * <p>A sink has one run at a time, so only the events that begin and end a run carry its id. A run
 * that can't be opened has neither.
 */
public interface SinkListener {

  /** A run is open. */
  default void runOpened(RunSpec run) {}

  /** A resource takes part in the run. */
  default void resourceDeclared(SinkEvent.ResourceDeclared event) {}

  /** A batch is encoded. Calls {@link #batchWritten(WriteReceipt)}. */
  default void batchWritten(SinkEvent.BatchWritten event) {
    batchWritten(event.receipt());
  }

  /** A batch is encoded. */
  default void batchWritten(WriteReceipt receipt) {}

  /** A {@code write}, {@code finish} or {@code commit} has waited. */
  default void writeWaited(SinkEvent.WriteWaited event) {}

  /** The upload of a part begins. */
  default void partStarted(SinkEvent.PartStarted event) {}

  /** The store has taken a part. Calls {@link #partUploaded(String, int, long)}. */
  default void partUploaded(SinkEvent.PartUploaded event) {
    partUploaded(event.resource(), event.number(), event.bytes());
  }

  /**
   * The store has taken a part; it is not visible yet.
   *
   * @param resource the resource's name
   * @param partNumber the part's number in its object, from 1
   * @param bytes the part's size
   */
  default void partUploaded(String resource, int partNumber, long bytes) {}

  /** A part could not be uploaded. */
  default void partFailed(SinkEvent.PartFailed event) {}

  /** A request has failed and will be made again. */
  default void requestRetried(SinkEvent.RequestRetried event) {}

  /** Fewer or more requests may be in flight: the store has asked to slow down, or takes more. */
  default void concurrencyChanged(SinkEvent.ConcurrencyChanged event) {}

  /** An object is complete and checked. Calls {@link #objectCompleted(RunManifest.Entry)}. */
  default void objectCompleted(SinkEvent.ObjectCompleted event) {
    objectCompleted(event.entry());
  }

  /** An object is complete and checked. The run is not valid before its manifest. */
  default void objectCompleted(RunManifest.Entry entry) {}

  /** The manifest is published. Calls {@link #runCommitted(RunManifest)}. */
  default void runCommitted(SinkEvent.RunCommitted event) {
    runCommitted(event.manifest());
  }

  /** The manifest is published. */
  default void runCommitted(RunManifest manifest) {}

  /** A run has failed, and can only be aborted. */
  default void runFailed(SinkEvent.RunFailed event) {}

  /** A run was given up. Calls {@link #runAborted(String)}. */
  default void runAborted(SinkEvent.RunAborted event) {
    runAborted(event.runId());
  }

  /** A run was given up. */
  default void runAborted(String runId) {}
}
