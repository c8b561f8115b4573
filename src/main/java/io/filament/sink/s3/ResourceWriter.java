package io.filament.sink.s3;

import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.internal.object.FirstFailure;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes one resource's batches one after the other, in the order in which they come. Any thread
 * may call.
 */
final class ResourceWriter {

  // Fair, so that batches keep the order of their calls. It is held while a part waits for its
  // turn:
  // the batches behind could go nowhere before it.
  private final ReentrantLock turn = new ReentrantLock(true);
  private final ObjectWriter object;
  private final String uri;
  private final FirstFailure failure;

  ResourceWriter(ObjectWriter object, String uri, FirstFailure failure) {
    this.object = object;
    this.uri = uri;
    this.failure = failure;
  }

  /**
   * Refuses a batch that doesn't belong to this resource as it was declared.
   *
   * @throws IllegalArgumentException with the resource and the difference
   */
  void check(RecordBatch batch) {
    Schema declared = object.spec().schema();
    if (!batch.schema().equals(declared)) {
      throw new IllegalArgumentException(
          "resource \"%s\": the batch has %s, the resource was declared with %s"
              .formatted(object.spec().resource(), batch.schema(), declared));
    }
    if (batch.rowCount() < 0) {
      throw new IllegalArgumentException(
          "resource \"%s\": the batch has a negative number of rows, %d"
              .formatted(object.spec().resource(), batch.rowCount()));
    }
    object.checkColumns(batch);
  }

  /**
   * Writes a batch when those before it are written.
   *
   * @param stillOpen throws if the run has failed or ended while this batch waited
   */
  WriteReceipt write(RecordBatch batch, Check stillOpen) throws IOException {
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while a batch of \"%s\" waited for those before it"
              .formatted(object.spec().resource()));
    }
    try {
      stillOpen.run();
      object.write(batch);
      return new WriteReceipt(
          object.spec().resource(), batch.rowCount(), uri, object.encodedBytes());
    } catch (IOException | RuntimeException | Error e) {
      failure.record(e); // before the turn is given away: the next batch must find it
      throw e;
    } finally {
      turn.unlock();
    }
  }

  /** Ends the encoding and sends what is left; called when no batch is being written. */
  void finish() throws IOException {
    turn.lock();
    try {
      object.finish();
    } finally {
      turn.unlock();
    }
  }

  /** Waits for all parts. Called after {@link #finish}. */
  StagedObject staged() throws IOException {
    return object.staged();
  }

  Optional<Upload> upload() {
    return object.upload();
  }

  /** Frees the encoder, unless a thread is in it: that thread calls this when it leaves. */
  void closeIfIdle() {
    if (turn.tryLock()) {
      try {
        object.close();
      } finally {
        turn.unlock();
      }
    }
  }

  /** Throws if work must not go on. */
  interface Check {

    void run() throws IOException;
  }
}
