package io.filament.sink.s3;

import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.object.ObjectSpec;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.RunEvents;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.object.Waits;
import io.filament.sink.s3.internal.publish.RunCommitter;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.S3Location;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run from open to its end, with the resources that take part. Any thread may call. */
final class Run {

  private final RunSpec spec;
  private final RunSetting setting;
  private final RunState state;
  private final RunEvents events;
  // Guarded by this.
  private final Map<String, ResourceWriter> resources = new LinkedHashMap<>();
  private boolean forgotten;

  private Run(RunSpec spec, RunSetting setting) {
    this.spec = spec;
    this.setting = setting;
    this.state = new RunState(spec.runId(), setting.context());
    this.events = setting.context().events();
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

  /** Tells that the run is open, and what it begins with. */
  void tellOpened() {
    events.listener().runOpened(spec);
    writers().forEach(writer -> events.listener().resourceDeclared(writer.declared()));
  }

  /** Returns what bounds its memory. */
  RunMemory memory() {
    return setting.context().memory();
  }

  /** Returns whether another run may begin. */
  boolean isOver() {
    return state.isOver();
  }

  /** See {@link io.filament.sink.Sink#write}. */
  WriteReceipt write(RecordBatch batch) throws IOException {
    long since = events.nanos();
    Waits waits = new Waits();
    WriteReceipt receipt;
    try {
      state.beginWrite("write");
      try {
        receipt = write(batch, waits);
      } finally {
        state.endWrite();
      }
    } finally {
      events.waited(batch.resource(), waits);
      tellFailure();
    }
    events.batchWritten(receipt, since);
    return receipt;
  }

  private WriteReceipt write(RecordBatch batch, Waits waits) throws IOException {
    ResourceWriter resource = resource(batch);
    resource.check(batch);
    try {
      return resource.write(batch, waits, state::checkStillOpen);
    } catch (Throwable e) { // a host's language may not know checked exceptions
      throw state.failed(e);
    } finally {
      if (state.isEnding()) {
        resource.closeIfIdle();
      }
    }
  }

  /** See {@link io.filament.sink.Sink#finish}. */
  void finish(String resource) throws IOException {
    try {
      state.beginWrite("finish");
      try {
        finish(known(resource));
      } finally {
        state.endWrite();
      }
    } finally {
      tellFailure();
    }
  }

  private void finish(ResourceWriter resource) throws IOException {
    try {
      resource.finish(state::checkStillOpen);
    } catch (IOException | RuntimeException | Error e) {
      throw state.failed(e);
    } finally {
      if (state.isEnding()) {
        resource.closeIfIdle();
      }
    }
  }

  /** See {@link io.filament.sink.Sink#commit}. */
  RunManifest commit() throws IOException {
    long since = events.nanos();
    RunManifest manifest;
    try {
      state.beginCommit();
      manifest = published();
    } finally {
      tellFailure();
    }
    events.runCommitted(manifest, since);
    return manifest;
  }

  private RunManifest published() throws IOException {
    RunManifest manifest;
    List<ResourceWriter> writers = List.of();
    try {
      state.awaitWrites();
      writers = writers();
      RunCommitter committer =
          new RunCommitter(setting.context(), setting.attempt(), setting.keys().manifest().key());
      List<RunManifest.Entry> entries = committer.complete(stagedObjects(writers));
      state.beginPublishing();
      manifest = committer.publish(entries, spec.startedAt(), setting.format());
    } catch (IOException | RuntimeException | Error e) {
      // An abort that came meanwhile could not close the encoder that this thread was in.
      writers.forEach(ResourceWriter::closeIfIdle);
      String what = "commit of run \"%s\"".formatted(spec.runId());
      throw state.failed(e instanceof IOException io ? Interruption.named(what, io) : e);
    }
    state.committed();
    forgetWriters();
    setting.context().endEncoding();
    setting.context().requests().cancel();
    return manifest;
  }

  /** Tells once that the run has failed. */
  private void tellFailure() {
    state.untoldFailure().ifPresent(cause -> events.runFailed(spec.runId(), cause));
  }

  /** See {@link io.filament.sink.Sink#abort}. */
  void abort() throws IOException {
    if (!state.beginAbort()) {
      return;
    }
    setting.context().memory().cancel();
    setting.context().requests().cancel();
    setting.context().requests().awaitIdle();
    setting.context().endEncoding();
    List<ResourceWriter> writers = writers();
    writers.forEach(ResourceWriter::closeIfIdle);
    List<Upload> uploads = writers.stream().flatMap(writer -> writer.upload().stream()).toList();
    try {
      new UploadCleanup(setting.context().store(), setting.context().requests().most())
          .abort(uploads);
    } finally {
      state.aborted();
      forgetWriters();
      events.runAborted(spec.runId());
    }
  }

  private static List<StagedObject> stagedObjects(List<ResourceWriter> writers) throws IOException {
    for (ResourceWriter writer : writers) {
      writer.finishLast();
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

  /** Lets go of the buffers, which must not live until the next run. */
  private synchronized void forgetWriters() {
    resources.clear();
    memory().forgetResources();
    forgotten = true;
  }

  private ResourceWriter known(String resource) throws IOException {
    synchronized (this) {
      ResourceWriter known = resources.get(resource);
      if (known != null) {
        return known;
      }
    }
    state.checkStillOpen(); // an abort since this call began has let go of all of them
    throw new IllegalArgumentException(
        "finish: run \"%s\" has no resource \"%s\"".formatted(spec.runId(), resource));
  }

  private ResourceWriter resource(RecordBatch batch) throws IOException {
    ResourceWriter declared;
    synchronized (this) {
      ResourceWriter known = resources.get(batch.resource());
      if (known != null) {
        return known;
      }
      if (forgotten) { // since this write began
        state.checkStillOpen();
      }
      declared = declare(batch);
    }
    events.listener().resourceDeclared(declared.declared());
    return declared;
  }

  private synchronized ResourceWriter declare(RecordBatch batch) throws IOException {
    RunSpec.Resource resource =
        new RunSpec.Resource(batch.resource(), batch.schema(), batch.resource());
    ObjectWriter.checkFirst(batch, setting.format()); // a refused batch declares nothing
    setting
        .context()
        .memory()
        .checkRoom(
            "write of \"%s\"".formatted(batch.resource()),
            setting.format().format().label(),
            ObjectWriter.leastBytes(batch.schema(), setting.format()),
            ObjectWriter.ROOM_BYTES);
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
                setting.contentEncoding().header(setting.format()),
                setting.attempt().marks()));
    return new ResourceWriter(
        ObjectWriter.open(object, setting.parts(), setting.context()),
        place.uri(),
        setting.context());
  }
}
