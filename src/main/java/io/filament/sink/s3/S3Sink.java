package io.filament.sink.s3;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import io.filament.sink.SinkException;
import io.filament.sink.SinkListener;
import io.filament.sink.SinkSpec;
import io.filament.sink.WriteReceipt;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.object.FirstFailure;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.PartLimits;
import io.filament.sink.s3.internal.object.RequestPool;
import io.filament.sink.s3.internal.object.RunEvents;
import io.filament.sink.s3.internal.object.UploadContext;
import io.filament.sink.s3.internal.publish.Attempt;
import io.filament.sink.s3.internal.publish.RunCommitter;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.RunKeys;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Writes runs into a bucket of S3 or of a store that speaks its protocol: one object a resource,
 * and a manifest that is published last.
 *
 * <p>Objects go to {@code <prefix>/<resource>/<partition>/<runId>.<extension>}, the manifest to
 * {@code <prefix>/_runs/<runId>/_SUCCESS.json}. A run is valid if and only if its manifest exists.
 * Calls, states and threads are those of {@link Sink}.
 *
 * <p>A sink makes no request before {@link #open}. Its S3 client is made by the first {@code open}
 * and closed by {@link #close}; a client that the host gave is never closed.
 */
public final class S3Sink implements Sink {

  private final S3SinkConfig config;
  private final SinkListener listener;
  private final LongSupplier clock;
  private final StoreSource source;
  private final PartLimits parts;
  private final long memoryLimitBytes;
  // Guarded by this.
  private @Nullable Run run;

  /** Makes the requests of the run that is being opened, if one is. */
  private @Nullable RequestPool opening;

  private boolean closed;

  private S3Sink(Builder builder) {
    this.config = builder.config;
    this.listener = new ContainedListener(builder.listeners);
    this.clock = builder.clock;
    this.source = builder.source;
    PartLimits equalParts = PartLimits.ofPartSize(builder.partSizeBytes);
    this.parts = builder.isAws() ? equalParts.withUnequalParts() : equalParts;
    this.memoryLimitBytes = builder.memoryLimitBytes;
  }

  /** Returns a sink with a client of its own. Does no I/O. */
  public static S3Sink create(S3SinkConfig config) {
    return builder(config).build();
  }

  /**
   * Returns a sink with a client of its own. Does no I/O.
   *
   * @throws io.filament.sink.InvalidConfigException with all problems of the configuration
   */
  public static S3Sink create(Map<String, ?> config) {
    return create(S3SinkConfig.fromMap(config));
  }

  /** Returns a builder of a sink with this configuration. */
  public static Builder builder(S3SinkConfig config) {
    return new Builder(Objects.requireNonNull(config, "config"));
  }

  @Override
  public SinkSpec spec() {
    return Settings.SPEC;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Looks whether the run's manifest exists, with one HeadObject. A store that refuses to tell
   * (status 403, which S3 gives to who may not list the bucket) doesn't stop the run: the
   * manifest's conditional put finds the conflict then.
   *
   * <p>With {@code conditional_writes} {@code probe} or {@code require} it also finds out whether
   * puts honour {@code If-None-Match}, unless that is known: with an object of one byte, which it
   * deletes again before it returns or throws, or names in a warning if it can't. Where it may not
   * delete, it makes none.
   *
   * @throws SinkException if {@code conditional_writes} is {@code require} and the store doesn't
   *     honour the condition, or that can't be found out; a StoreException if the store fails
   */
  @Override
  public void open(RunSpec spec) throws IOException {
    Objects.requireNonNull(spec, "spec");
    RunEvents events = RunEvents.of(listener, clock);
    RequestPool requests = beginOpen(events);
    Run opened;
    try {
      opened = begin(spec, requests, events);
    } finally {
      endOpen();
    }
    opened.tellOpened();
  }

  @Override
  public WriteReceipt write(RecordBatch batch) throws IOException {
    Objects.requireNonNull(batch, "batch");
    return current("write").write(batch);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Ends the object's encoding. If parts of it were sent, the rest is the last one; else its
   * bytes stay here until {@code commit} puts the object with one request, unless memory gets
   * scarce: then they are sent as an upload's only part, however few they are.
   */
  @Override
  public void finish(String resource) throws IOException {
    Objects.requireNonNull(resource, "resource");
    current("finish").finish(resource);
  }

  @Override
  public RunManifest commit() throws IOException {
    return current("commit").commit();
  }

  @Override
  public void abort() throws IOException {
    Run current;
    synchronized (this) {
      abortOpening();
      current = run;
    }
    try {
      if (current != null) {
        current.abort();
      }
    } finally {
      freeIfClosed();
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    abort();
  }

  /** Returns the memory of the run: what tests look at. */
  RunMemory memory() {
    return current("memory").memory();
  }

  private Run begin(RunSpec spec, RequestPool requests, RunEvents events) throws IOException {
    ObjectFormat format = config.objectFormat();
    RunKeys keys = config.keyLayout().forRun(spec, format);
    for (RunSpec.Resource resource : spec.resources()) {
      ObjectWriter.checkSchema(resource.name(), resource.schema(), format);
    }
    RunRoom room = new RunRoom(spec, format, memoryLimitBytes);
    RunMemory memory = room.memory(clock);
    events.counting(memory);
    ObjectStore store = source.store(keys, requests);
    try {
      RunCommitter.checkUncommitted(requests, store, keys.manifest().key(), spec.runId());
      ConditionalWrites conditions = config.conditionalWrites();
      if (conditions != ConditionalWrites.AUTO) {
        RunCommitter.checkConditions(
            requests,
            store,
            keys.probe().key(),
            spec.runId(),
            conditions == ConditionalWrites.REQUIRE);
      }
    } catch (IOException e) {
      throw requests.isCancelled() && !Thread.currentThread().isInterrupted()
          ? aborted(spec, e)
          : Interruption.named("open of run \"%s\"".formatted(spec.runId()), e);
    }
    RunSetting setting =
        new RunSetting(
            keys,
            format,
            config.contentEncoding(),
            room.parts(parts),
            Attempt.begin(spec.runId(), store.time(), keys.claim()),
            UploadContext.of(
                memory, config.encodeThreads(), store, requests, new FirstFailure(), events));
    synchronized (this) {
      if (requests.isCancelled()) {
        throw aborted(spec, null);
      }
      run = Run.begin(spec, setting);
      opening = null;
      return run;
    }
  }

  private static SinkException aborted(RunSpec spec, @Nullable IOException cause) {
    return new SinkException(
        "open: run \"%s\" was aborted while it was opened".formatted(spec.runId()), cause);
  }

  private synchronized RequestPool beginOpen(RunEvents events) {
    if (closed) {
      throw new IllegalStateException("open: the sink is closed");
    }
    if (opening != null || (run != null && !run.isOver())) {
      throw new IllegalStateException("open: a run is open; commit or abort it first");
    }
    opening = new RequestPool(config.uploadConcurrency(), events);
    return opening;
  }

  /** Ends an open, whose requests go on in the run that it has begun, if it has begun one. */
  private void endOpen() {
    synchronized (this) {
      if (opening != null) {
        opening.cancel();
        opening = null;
      }
      notifyAll();
    }
    freeIfClosed();
  }

  /** Cancels an open that is on its way and waits for its end. */
  private synchronized void abortOpening() {
    RequestPool requests = opening;
    if (requests == null) {
      return;
    }
    requests.cancel();
    boolean interrupted = false;
    while (opening == requests && !requests.isMakingRequest()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Frees the client once nothing needs it any more. */
  private void freeIfClosed() {
    synchronized (this) {
      if (!closed || opening != null || (run != null && !run.isOver())) {
        return;
      }
    }
    source.close();
  }

  private synchronized Run current(String call) {
    if (closed) {
      throw new IllegalStateException(call + ": the sink is closed");
    }
    if (run == null) {
      throw new IllegalStateException(call + ": no run is open");
    }
    return run;
  }

  /** Puts a sink together. Not for several threads. */
  public static final class Builder {

    private final S3SinkConfig config;
    private final List<SinkListener> listeners = new ArrayList<>();
    private LongSupplier clock = System::nanoTime;
    private StoreSource source;
    private long partSizeBytes;
    private long memoryLimitBytes;

    private Builder(S3SinkConfig config) {
      this.config = config;
      this.partSizeBytes = config.partSizeBytes();
      this.memoryLimitBytes = config.memoryLimitBytes();
      this.source = new OwnClient(config);
    }

    /**
     * Uses the host's client in the place of one of the sink's own. The sink never closes it. What
     * the configuration says of region, endpoint and credentials is the client's matter then.
     */
    public Builder client(S3Client client) {
      Objects.requireNonNull(client, "client");
      this.source =
          (keys, observer) ->
              config
                  .checksumMode()
                  .applied(
                      SdkObjectStore.of(client, config.bucket())
                          .with(config.objectOptions())
                          .patient(config.retryTimeout(), observer)
                          .ofHost(observer),
                      keys.probe());
      return this;
    }

    /**
     * Tells this listener how runs go on. Called again, it adds a listener: each hears every event,
     * in the order in which they were added, and what one throws is kept from the others.
     */
    public Builder listener(SinkListener listener) {
      listeners.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /** Uses another store than S3: the seam for tests with planned faults. */
    Builder store(ObjectStore store) {
      this.source = (keys, observer) -> store;
      return this;
    }

    /**
     * Cuts objects into parts of a size that no setting allows: the seam for tests with tiny parts.
     */
    Builder partSizeBytes(long value) {
      this.partSizeBytes = value;
      return this;
    }

    /** Measures time with another clock: the seam for tests of durations. */
    Builder clock(LongSupplier nanos) {
      this.clock = nanos;
      return this;
    }

    /** Bounds memory as no setting does: the seam for tests at the bound. */
    Builder memoryLimitBytes(long value) {
      this.memoryLimitBytes = value;
      return this;
    }

    /** Some stores, and who knows where a host's client goes, want parts of equal size. */
    private boolean isAws() {
      return source instanceof OwnClient && config.endpoint().isEmpty();
    }

    /** Returns the sink. Does no I/O. */
    public S3Sink build() {
      return new S3Sink(this);
    }
  }
}
