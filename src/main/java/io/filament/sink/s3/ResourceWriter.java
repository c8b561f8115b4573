package io.filament.sink.s3;

import io.filament.sink.Field;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent.ResourceDeclared;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.internal.memory.Turn;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.object.UploadContext;
import io.filament.sink.s3.internal.object.Waits;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes one resource's batches one after the other, in the order in which they come. Any thread
 * may call.
 */
final class ResourceWriter {

  // Fair, so that batches keep the order of their calls. It is held while a part waits for its
  // turn: the batches behind could go nowhere before it.
  private final ReentrantLock turn = new ReentrantLock(true);
  private final ObjectWriter object;
  private final String uri;
  private final UploadContext context;
  private volatile boolean closing;
  private volatile boolean finished;

  ResourceWriter(ObjectWriter object, String uri, UploadContext context) {
    this.object = object;
    this.uri = uri;
    this.context = context;
    object.takenBy(this::tryInTurn);
  }

  /** Returns what a listener hears of this resource first. */
  ResourceDeclared declared() {
    return new ResourceDeclared(object.spec().resource(), uri, object.mostBytes());
  }

  /**
   * Refuses a batch that doesn't belong to this resource as it was declared.
   *
   * @throws IllegalStateException if the resource is finished
   * @throws IllegalArgumentException with the resource and the difference
   */
  void check(RecordBatch batch) {
    checkUnfinished();
    Schema declared = object.spec().schema();
    if (!batch.schema().equals(declared)) {
      throw new IllegalArgumentException(
          "resource \"%s\": %s"
              .formatted(object.spec().resource(), difference(batch.schema(), declared)));
    }
    if (batch.rowCount() < 0) {
      throw new IllegalArgumentException(
          "resource \"%s\": the batch has a negative number of rows, %d"
              .formatted(object.spec().resource(), batch.rowCount()));
    }
    object.checkColumns(batch);
  }

  /** Returns the first field in which two schemas differ, in words. */
  private static String difference(Schema ofBatch, Schema declared) {
    List<Field> fields = ofBatch.fields();
    int common = Math.min(fields.size(), declared.fields().size());
    for (int i = 0; i < common; i++) {
      Field field = declared.fields().get(i);
      if (!fields.get(i).equals(field)) {
        return "field %d of the batch is %s, the resource was declared with %s"
            .formatted(i, fields.get(i), field);
      }
    }
    return "the batch has %d fields, the resource was declared with %d; the first of those that only one has is %s"
        .formatted(
            fields.size(),
            declared.fields().size(),
            (fields.size() > common ? fields : declared.fields()).get(common));
  }

  /**
   * Writes a batch when those before it are written.
   *
   * @param waits gets what this call has waited for, whether it succeeds or not
   * @param stillOpen throws if the run has failed or ended while this batch waited
   */
  WriteReceipt write(RecordBatch batch, Waits waits, Check stillOpen) throws IOException {
    awaitTurn(waits);
    long before = object.encodedBytes();
    try {
      stillOpen.run();
      checkUnfinished(); // by a call that came since
      named(() -> object.write(batch));
      return new WriteReceipt(
          object.spec().resource(),
          batch.rowCount(),
          uri,
          object.encodedBytes(),
          object.bytesLeft());
    } catch (IOException | RuntimeException | Error e) {
      context.failure().record(e); // before the turn is given away: the next batch must find it
      throw e;
    } finally {
      context.events().encoded(object.encodedBytes() - before);
      waits.takeFrom(object.waits());
      giveTurnAway();
    }
  }

  private void checkUnfinished() {
    if (finished) {
      throw new IllegalStateException(
          "write: resource \"%s\" is finished and takes no more batches"
              .formatted(object.spec().resource()));
    }
  }

  private void named(Turn.Work work) throws IOException {
    try {
      work.run();
    } catch (IOException e) {
      throw Interruption.named(title(), e);
    }
  }

  private String title() {
    return object.spec().title(context.store().bucket());
  }

  private void awaitTurn(Waits waits) throws InterruptedIOException {
    long since = context.events().nanos();
    try {
      if (!turn.tryLock(0, TimeUnit.SECONDS)) { // fair, which tryLock() isn't
        turn.lockInterruptibly();
        waits.add(WaitReason.EARLIER_BATCH, context.events().nanos() - since);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          title() + ": interrupted while it waited for the batches before it");
    }
  }

  /**
   * Wakes who would free this resource's memory: it could not while the turn was taken, and nobody
   * may come to the resource again.
   */
  private void giveTurnAway() {
    turn.unlock();
    context.memory().turnGivenAway();
  }

  /** Does something for another resource's memory, unless a batch is being written. */
  private boolean tryInTurn(Turn.Work work) throws IOException {
    if (!turn.tryLock()) {
      return false;
    }
    try {
      named(work);
    } catch (IOException | RuntimeException | Error e) {
      context.failure().record(e); // before the turn is given away: the next batch must find it
      throw e;
    } finally {
      giveTurnAway();
    }
    if (closing) {
      closeIfIdle();
    }
    return true;
  }

  /**
   * Ends the encoding, and sends what is left if parts were sent. Does nothing the second time.
   *
   * @param stillOpen throws if the run has failed or ended while this waited
   */
  void finish(Check stillOpen) throws IOException {
    Waits waits = new Waits();
    try {
      awaitTurn(waits);
      finishInTurn(waits, stillOpen);
    } finally {
      context.events().waited(object.spec().resource(), waits);
    }
  }

  /** Does the same for a commit, when no batch is being written. */
  void finishLast() throws IOException {
    Waits waits = new Waits();
    try {
      turn.lock();
      finishInTurn(waits, () -> {});
    } finally {
      context.events().waited(object.spec().resource(), waits);
    }
  }

  private void finishInTurn(Waits waits, Check stillOpen) throws IOException {
    long before = object.encodedBytes();
    try {
      stillOpen.run();
      if (!finished) {
        named(object::finish);
        finished = true;
      }
    } catch (IOException | RuntimeException | Error e) {
      context.failure().record(e); // before the turn is given away: the next batch must find it
      throw e;
    } finally {
      context.events().encoded(object.encodedBytes() - before);
      waits.takeFrom(object.waits());
      giveTurnAway();
    }
  }

  /** Waits for all parts. Called after {@link #finish}. */
  StagedObject staged() throws IOException {
    try {
      return object.staged();
    } catch (IOException e) {
      throw Interruption.named(title(), e);
    }
  }

  Optional<Upload> upload() {
    return object.upload();
  }

  /** Frees the encoder, unless a thread is in it: that thread calls this when it leaves. */
  void closeIfIdle() {
    closing = true;
    if (turn.tryLock()) {
      try {
        object.close();
      } finally {
        giveTurnAway();
      }
    }
  }

  /** Throws if work must not go on. */
  interface Check {

    void run() throws IOException;
  }
}
