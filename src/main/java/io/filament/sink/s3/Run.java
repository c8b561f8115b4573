package io.filament.sink.s3;

import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.SinkException;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.internal.object.ObjectSpec;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.publish.RunCommitter;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.S3Location;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run from open to its end: the state machine, and the resources that take part. Any thread may
 * call.
 */
final class Run {

  /** Where a run stands. */
  private enum State {
    OPEN,
    COMMITTING,
    /** The manifest is on its way: from here on an abort has to wait for what becomes of it. */
    PUBLISHING,
    COMMITTED,
    FAILED,
    ABORTING,
    ABORTED
  }

  private final RunSpec spec;
  private final RunSetting setting;
  // Both guarded by this.
  private final Map<String, ResourceWriter> resources = new LinkedHashMap<>();
  private State state = State.OPEN;
  private int writes;

  private Run(RunSpec spec, RunSetting setting) {
    this.spec = spec;
    this.setting = setting;
  }

  /** Begins a run with its declared resources. Makes no request. */
  static Run begin(RunSpec spec, RunSetting setting) throws IOException {
    Run run = new Run(spec, setting);
    try {
      for (RunSpec.Resource resource : spec.resources()) {
        run.resources.put(resource.name(), run.writer(resource));
      }
    } catch (IOException | RuntimeException | Error e) {
      run.writers().forEach(ResourceWriter::closeIfIdle);
      throw e;
    }
    return run;
  }

  /** Returns whether another run may begin. */
  synchronized boolean isOver() {
    return state == State.COMMITTED || state == State.ABORTED;
  }

  /** See {@link io.filament.sink.Sink#write}. */
  WriteReceipt write(RecordBatch batch) throws IOException {
    beginWrite();
    WriteReceipt receipt;
    try {
      ResourceWriter resource = resource(batch);
      resource.check(batch);
      try {
        receipt = resource.write(batch, this::checkStillOpen);
      } catch (Throwable e) { // a host's language may not know checked exceptions
        throw failed(e);
      } finally {
        if (isEnding()) {
          resource.closeIfIdle();
        }
      }
    } finally {
      endWrite();
    }
    setting.context().listener().batchWritten(receipt);
    return receipt;
  }

  /** See {@link io.filament.sink.Sink#commit}. */
  RunManifest commit() throws IOException {
    beginCommit();
    RunManifest manifest;
    List<ResourceWriter> writers = List.of();
    try {
      awaitWrites();
      writers = writers();
      RunCommitter committer =
          new RunCommitter(setting.context(), setting.attempt(), setting.keys().manifest().key());
      List<RunManifest.Entry> entries = committer.complete(stagedObjects(writers));
      beginPublishing();
      manifest = committer.publish(entries, spec.startedAt(), setting.format());
    } catch (IOException | RuntimeException | Error e) {
      // An abort that came meanwhile could not close the encoder that this thread was in.
      writers.forEach(ResourceWriter::closeIfIdle);
      throw failed(e);
    }
    enter(State.COMMITTED);
    setting.context().requests().cancel();
    setting.context().listener().runCommitted(manifest);
    return manifest;
  }

  /** See {@link io.filament.sink.Sink#abort}. */
  void abort() throws IOException {
    if (!beginAbort()) {
      return;
    }
    setting.context().requests().cancel();
    setting.context().requests().awaitIdle();
    List<ResourceWriter> writers = writers();
    writers.forEach(ResourceWriter::closeIfIdle);
    List<Upload> uploads = writers.stream().flatMap(writer -> writer.upload().stream()).toList();
    try {
      new UploadCleanup(setting.context().store(), setting.limit()).abort(uploads);
    } finally {
      enter(State.ABORTED);
      setting.context().listener().runAborted(spec.runId());
    }
  }

  private static List<StagedObject> stagedObjects(List<ResourceWriter> writers) throws IOException {
    for (ResourceWriter writer : writers) {
      writer.finish();
    }
    List<StagedObject> staged = new ArrayList<>(writers.size());
    for (ResourceWriter writer : writers) {
      staged.add(writer.staged());
    }
    return staged;
  }

  private synchronized List<ResourceWriter> writers() {
    return List.copyOf(resources.values());
  }

  private synchronized ResourceWriter resource(RecordBatch batch) throws IOException {
    ResourceWriter known = resources.get(batch.resource());
    if (known != null) {
      return known;
    }
    RunSpec.Resource resource =
        new RunSpec.Resource(batch.resource(), batch.schema(), batch.resource());
    ObjectWriter.checkSchema(resource.name(), resource.schema(), setting.format());
    setting.keys().declare(resource);
    ResourceWriter writer = writer(resource);
    resources.put(resource.name(), writer);
    return writer;
  }

  private ResourceWriter writer(RunSpec.Resource resource) throws IOException {
    S3Location place = setting.keys().object(resource);
    ObjectSpec object =
        new ObjectSpec(
            resource.name(),
            resource.schema(),
            setting.format(),
            place.key(),
            new ObjectHeaders(
                setting.format().format().contentType(),
                setting.format().contentEncoding(),
                setting.attempt().marks()));
    return new ResourceWriter(
        ObjectWriter.open(object, setting.parts(), setting.context()), place.uri());
  }

  private synchronized void beginWrite() throws IOException {
    checkOpen("write");
    writes++;
  }

  private synchronized void endWrite() {
    writes--;
    notifyAll();
  }

  private synchronized void beginCommit() throws IOException {
    checkOpen("commit");
    state = State.COMMITTING;
  }

  /** A write that began before the commit is part of the run; what it throws fails the commit. */
  private synchronized void awaitWrites() throws IOException {
    while (writes > 0 && state == State.COMMITTING) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while the last batches were written");
      }
    }
    checkStillOpen();
  }

  private synchronized void beginPublishing() throws IOException {
    checkStillOpen();
    state = State.PUBLISHING;
  }

  /** Returns false if there is nothing to abort. */
  private synchronized boolean beginAbort() {
    if (state == State.ABORTING && setting.context().requests().isMakingRequest()) {
      return false; // a listener's call: who aborts already waits for the request that it is in
    }
    boolean interrupted = false;
    while (state == State.PUBLISHING || state == State.ABORTING) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (isOver()) {
      return false;
    }
    state = State.ABORTING;
    notifyAll();
    return true;
  }

  private synchronized void enter(State next) {
    state = next;
    if (isOver()) {
      resources.clear(); // their buffers must not live until the next run
    }
    notifyAll();
  }

  private synchronized boolean isEnding() {
    return state == State.ABORTING || state == State.ABORTED || state == State.FAILED;
  }

  /**
   * Refuses a call that the state doesn't allow, and shows a failure that no call has shown yet.
   */
  private synchronized void checkOpen(String call) throws IOException {
    Throwable failure = setting.context().failure().first();
    if (state == State.OPEN && failure != null) {
      state = State.FAILED;
      throw thrown(failure);
    }
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "%s: run \"%s\" is %s".formatted(call, spec.runId(), describe(state)), failure);
    }
  }

  /** Throws if the run has failed or was aborted since the call began. */
  private synchronized void checkStillOpen() throws IOException {
    if (state == State.ABORTING || state == State.ABORTED) {
      throw aborted(null);
    }
    Throwable failure = setting.context().failure().first();
    if (failure != null) {
      throw thrown(failure);
    }
  }

  /** Records a failure and returns what the caller throws: the run's first. */
  private synchronized IOException failed(Throwable e) {
    if (state != State.ABORTING && state != State.ABORTED) {
      setting.context().failure().record(e);
      enter(State.FAILED);
      Throwable first = setting.context().failure().first();
      return thrown(first == null ? e : first);
    }
    return aborted(e);
  }

  private SinkException aborted(@Nullable Throwable cause) {
    return new SinkException("run \"%s\" was aborted".formatted(spec.runId()), cause);
  }

  private static IOException thrown(Throwable failure) {
    if (failure instanceof IOException e) {
      return e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return new SinkException("the run failed", failure);
  }

  private static String describe(State state) {
    return switch (state) {
      case OPEN -> "open";
      case COMMITTING, PUBLISHING -> "being committed";
      case COMMITTED -> "committed";
      case FAILED -> "failed; abort it";
      case ABORTING, ABORTED -> "aborted";
    };
  }
}
