package io.filament.sink.s3;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.s3.internal.store.ObjectStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host that writes the planned run once, and notes all that is thrown at it. Driven by one
 * thread; {@link #abort}, {@link #close} and {@link #interrupt} may come from another.
 */
final class ChaosWriter {

  static final String RUN = "run-1";
  static final String PREFIX = "p";

  /** What a call threw. */
  record Thrown(String call, Throwable failure) {}

  private final ChaosPlan plan;
  private final int variant;
  private final S3Sink sink;
  private final List<Thread> threads = new ArrayList<>();
  // All guarded by this.
  private final List<Thrown> thrown = new ArrayList<>();
  private final Map<String, List<ChaosRows.Row>> acknowledged = new LinkedHashMap<>();
  private Optional<RunManifest> manifest = Optional.empty();
  private boolean disturbed;

  /**
   * @param variant chooses the records' ids
   */
  ChaosWriter(ChaosPlan plan, int variant, S3Sink sink) {
    this.plan = plan;
    this.variant = variant;
    this.sink = sink;
  }

  static S3Sink sink(ChaosPlan plan, ObjectStore store) {
    S3SinkConfig config =
        S3SinkConfig.fromMap(
            Map.of(
                "bucket", store.bucket(),
                "prefix", PREFIX,
                "file_format", plan.format(),
                "compression", plan.compression(),
                "upload_concurrency", plan.concurrency(),
                "conditional_writes", plan.conditionalWrites().label()));
    return S3Sink.builder(config).store(store).partSizeBytes(plan.partSize()).build();
  }

  S3Sink sink() {
    return sink;
  }

  /** Writes the run from its opening to the commit. */
  void attempt() {
    if (openAndWrite()) {
      commit();
    }
    joinWriters();
  }

  /** Returns whether a commit is called for. */
  boolean openAndWrite() {
    synchronized (this) {
      threads.add(Thread.currentThread());
    }
    if (!call("open", () -> sink.open(spec()))) {
      return false;
    }
    List<Thread> writers = new ArrayList<>();
    for (List<ChaosRows.Batch> batches : plan.batches()) {
      writers.add(new Thread(() -> writeAll(batches), "chaos-writer"));
    }
    synchronized (this) {
      threads.addAll(writers);
    }
    writers.forEach(Thread::start);
    if (!plan.earlyCommit()) {
      joinWriters();
    }
    return true;
  }

  void commit() {
    call(
        "commit",
        () -> {
          RunManifest committed = sink.commit();
          synchronized (this) {
            manifest = Optional.of(committed);
          }
        });
  }

  void abort() {
    call("abort", sink::abort);
  }

  void close() {
    call("close", sink::close);
  }

  /** Acts as the plan says, from another thread. */
  void disturb(ChaosPlan.Act act) {
    synchronized (this) {
      disturbed = act != ChaosPlan.Act.NOTHING;
    }
    switch (act) {
      case NOTHING -> {}
      case ABORT -> abort();
      case CLOSE -> close();
      case INTERRUPT -> interrupt();
    }
  }

  synchronized boolean disturbed() {
    return disturbed;
  }

  synchronized List<Thrown> thrown() {
    return List.copyOf(thrown);
  }

  synchronized Optional<RunManifest> manifest() {
    return manifest;
  }

  /** Returns the records of a resource whose writing returned normally. */
  synchronized List<ChaosRows.Row> acknowledged(String resource) {
    return List.copyOf(acknowledged.getOrDefault(resource, List.of()));
  }

  private synchronized void interrupt() {
    threads.forEach(Thread::interrupt);
  }

  private void writeAll(List<ChaosRows.Batch> batches) {
    boolean finishes = plan.finishes() && plan.ordered();
    for (int i = 0; i < batches.size(); i++) {
      ChaosRows rows = batches.get(i).rows();
      write(batches.get(i));
      boolean isLast =
          batches.subList(i + 1, batches.size()).stream()
              .noneMatch(batch -> batch.rows().equals(rows));
      if (finishes && isLast) {
        call("finish", () -> sink.finish(rows.resource()));
      }
    }
  }

  private void write(ChaosRows.Batch batch) {
    call(
        "write",
        () -> {
          sink.write(batch.records(variant));
          synchronized (this) {
            acknowledged
                .computeIfAbsent(batch.rows().resource(), name -> new ArrayList<>())
                .addAll(batch.rows().rows(batch.from(), batch.to(), variant));
          }
        });
  }

  /** Waits for the end of threads; an interrupt is for the calls that follow. */
  static void join(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void joinWriters() {
    List<Thread> writers;
    synchronized (this) {
      writers = threads.stream().filter(thread -> thread != Thread.currentThread()).toList();
    }
    join(writers);
  }

  private RunSpec spec() {
    RunSpec.Builder spec = RunSpec.builder(RUN).startedAt(Instant.parse("2026-09-10T02:00:00Z"));
    plan.resources().stream()
        .filter(ChaosRows::declared)
        .forEach(rows -> spec.resource(rows.resource(), ChaosRows.SCHEMA));
    return spec.build();
  }

  @SuppressWarnings("CatchingUnchecked") // what may be thrown is what the run is to find out
  private boolean call(String name, Call call) {
    try {
      call.run();
      return true;
    } catch (Throwable e) {
      synchronized (this) {
        thrown.add(new Thrown(name, e));
      }
      return false;
    }
  }

  /** A call of the sink. */
  private interface Call {

    void run() throws IOException;
  }
}
