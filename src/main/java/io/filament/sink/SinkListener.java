package io.filament.sink;

/**
 * Hears how a run goes on. Calls come from the thread that does the work, several at a time, and
 * never under a lock; they should return soon. What a listener throws is logged and goes no
 * further.
 */
public interface SinkListener {

  /** A run is open. */
  default void runOpened(RunSpec run) {}

  /** A batch is encoded. */
  default void batchWritten(WriteReceipt receipt) {}

  /**
   * The store has taken a part; it is not visible yet.
   *
   * @param resource the resource's name
   * @param partNumber the part's number in its object, from 1
   * @param bytes the part's size
   */
  default void partUploaded(String resource, int partNumber, long bytes) {}

  /** An object is complete and checked. The run is not valid before its manifest. */
  default void objectCompleted(RunManifest.Entry entry) {}

  /** The manifest is published. */
  default void runCommitted(RunManifest manifest) {}

  /** A run was given up. */
  default void runAborted(String runId) {}
}
