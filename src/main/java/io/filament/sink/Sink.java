package io.filament.sink;

import java.io.IOException;
import java.util.Objects;

/**
 * Writes the records of one run after another, and makes each run visible only when it is complete.
 *
 * <p>The life of a run:
 *
 * <pre>{@code
 * try (Sink sink = provider.create(config)) {
 *   sink.open(run);
 *   sink.write(batch); // as often as there are batches
 *   RunManifest manifest = sink.commit();
 * }
 * }</pre>
 *
 * <p>States: <i>new</i> → <i>open</i> → <i>committing</i> → <i>committed</i>, or → <i>aborted</i>.
 * After a failure in {@code write}, {@code finish} or {@code commit} the run is <i>failed</i>: then
 * only {@code abort} and {@code close} work, and every other call throws {@link
 * IllegalStateException} with the first failure as its cause. After {@code commit} or {@code abort}
 * the next {@code open} begins a new run. After {@code close} nothing but {@code spec}, {@code
 * abort} and {@code close} works.
 *
 * <p>Threads: {@code write} may be called from several threads, for one resource or many; batches
 * of one resource are ordered as their calls begin. {@code abort} and {@code close} may be called
 * from any thread at any time. {@code open} and {@code commit} are called by one thread.
 *
 * <p>A thread that is interrupted while it waits in one of these methods gets an {@link
 * java.io.InterruptedIOException}, with its interrupt flag set; the run is failed then and nothing
 * of it gets published. Only a {@code commit} whose manifest is on its way looks what became of it,
 * and returns or throws accordingly.
 */
public interface Sink extends AutoCloseable {

  /** Describes this kind of sink and its configuration. Does no I/O and works in every state. */
  SinkSpec spec();

  /**
   * Begins a run. Everything that can be checked without I/O is checked before the first request.
   *
   * @throws IllegalStateException if a run is open, or the sink is closed
   * @throws IllegalArgumentException if the run can't be written as it is described: a name that
   *     makes no valid key, two resources in one folder, a schema that the file format can't hold,
   *     more resources than the limit of memory has room for
   * @throws RunConflictException if this run has been committed before
   * @throws SinkException if the run was aborted meanwhile; the sink stays without a run
   * @throws IOException if the store can't be asked; the sink stays without a run
   */
  void open(RunSpec run) throws IOException;

  /**
   * Writes one batch and returns when its records are encoded, though not yet durable. Waits while
   * the limit of requests in flight, or of memory, is reached. A batch of a resource that {@code
   * open} did not declare declares it.
   *
   * <p>The batch belongs to the sink until this returns, and is not kept.
   *
   * @return what is written so far; it promises nothing before {@code commit}
   * @throws IllegalStateException if no run is open, or the resource is finished
   * @throws IllegalArgumentException if the batch's schema differs from that of its resource, or if
   *     it declares a resource that {@code open} would refuse; no byte is written then and the run
   *     goes on
   * @throws InvalidRecordException if a value doesn't fit its field; no part of this record is
   *     written and the run is failed
   * @throws SinkException if the object would be too long, or if memory is short and nothing can
   *     free any; the run is failed
   * @throws IOException if the store failed for good, in this call or in one that an earlier batch
   *     began; the run is failed. So it is after what the batch itself throws, which passes through
   */
  WriteReceipt write(RecordBatch batch) throws IOException;

  /**
   * Says that a resource gets no more batches: a sink needs to hold less of it until {@code commit}
   * then. Worth calling where resources are written one after the other, or are many. Nothing
   * becomes visible, and {@code commit} does the same for each resource that is left.
   *
   * <p>Waits for the batches of this resource whose {@code write} has begun; any thread may call. A
   * {@code write} for the resource after this is refused with {@link IllegalStateException}, and
   * the run goes on without that batch; one that begins while this goes on may fail the run. Again,
   * it does nothing. A sink that has no use for it does nothing at all, as this method does unless
   * it is overridden.
   *
   * @param resource the name of one that was declared, by {@code open} or by a batch
   * @throws IllegalStateException if no run is open
   * @throws IllegalArgumentException if the run has no such resource; the run goes on
   * @throws IOException as {@code write}; the run is failed
   */
  default void finish(String resource) throws IOException {
    Objects.requireNonNull(resource, "resource");
  }

  /**
   * Ends all objects, completes them, checks them, and publishes the manifest last.
   *
   * @return the manifest as it was published
   * @throws IllegalStateException if no run is open
   * @throws RunConflictException if another writer has committed the same run, or has it in hand:
   *     then it may be that neither commits
   * @throws CommitStateUnknownException if it can't be known whether the manifest was published;
   *     nothing is deleted then
   * @throws IntegrityException if the store holds something else than what was written
   * @throws IOException if anything else failed; the run is failed and no manifest exists
   */
  RunManifest commit() throws IOException;

  /**
   * Gives the run up: cancels what is in flight and removes its unfinished uploads. Objects that a
   * failed commit has already completed stay; without a manifest they are not part of a valid run.
   * Does nothing if no run is open or if it is committed. A run that another thread is opening is
   * given up, too: its {@code open} throws then. Returns when nothing of this run is in flight; for
   * a listener, nothing but the request that it hears of.
   *
   * <p>A {@code write}, {@code finish} or {@code commit} of another thread that is cut short throws
   * a {@link SinkException}. One that begins later is a call in the wrong state and throws an
   * {@link IllegalStateException}. So a thread whose run may be aborted by another is ready for
   * both.
   *
   * @throws IOException if something could not be cleaned up; the message lists each upload with
   *     bucket, key and upload id. The run is aborted all the same
   */
  void abort() throws IOException;

  /**
   * Aborts a run that is not committed, and frees what the sink holds. Idempotent.
   *
   * @throws IOException as {@link #abort()}
   */
  @Override
  void close() throws IOException;
}
