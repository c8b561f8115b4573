package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Carries out one plan on a bucket of its own. Called once, by one thread. */
final class ChaosRun {

  static final String MANIFEST =
      ChaosWriter.PREFIX + "/_runs/" + ChaosWriter.RUN + "/_SUCCESS.json";
  static final String PROBE = ChaosWriter.PREFIX + "/_runs/" + ChaosWriter.RUN + "/_probe";
  static final byte[] NEIGHBOUR = "neighbour".getBytes(StandardCharsets.UTF_8);

  private final ChaosPlan plan;
  private final ChaosStore store;
  private final List<ChaosWriter> writers = new ArrayList<>();

  ChaosRun(ChaosPlan plan, ChaosStore store) {
    this.plan = plan;
    this.store = store;
  }

  /** What came of a plan. */
  record Outcome(int faults, boolean committed, List<String> violations) {}

  Outcome run(ChaosDecoder decoder) throws IOException {
    List<String> neighbours = putNeighbours();
    List<Upload> foreign = store.openUploads();
    store.plan();
    ChaosWriter first = writer(0, ChaosWriter.sink(plan, store.port()));
    disturbed(first, () -> attempts(first));
    store.deliverDelayed();
    ChaosCheck check = new ChaosCheck(plan, store, decoder);
    check.neighbours(neighbours, foreign);
    check.end(writers, foreign);
    check.progress(first);
    int faults = store.struck();
    boolean committed = store.keys().contains(MANIFEST);
    again(first, check);
    writers.forEach(ChaosWriter::close);
    check.neighbours(neighbours, foreign);
    check.threads();
    return new Outcome(faults, committed, check.violations());
  }

  private void attempts(ChaosWriter first) throws IOException {
    switch (plan.rival()) {
      case NONE -> first.attempt();
      case SAME_TIME -> {
        ChaosWriter second = writer(0, ChaosWriter.sink(plan, store.port()));
        Thread thread = new Thread(second::attempt, "chaos-rival");
        thread.start();
        first.attempt();
        ChaosWriter.join(List.of(thread));
        second.close();
      }
      case AFTERWARDS -> {
        ChaosWriter second = writer(1, ChaosWriter.sink(plan, store.port()));
        boolean ready = second.openAndWrite();
        first.attempt();
        first.abort();
        store.deliverDelayed();
        if (ready) {
          second.commit();
        }
        second.close();
      }
    }
    if (plan.again() == ChaosPlan.Again.SAME_SINK) {
      first.abort();
    } else {
      first.close();
    }
  }

  /** Writes the run again on a healthy store: to a good end, unless it has come to one. */
  private void again(ChaosWriter first, ChaosCheck check) throws IOException {
    store.heal();
    boolean committed = store.keys().contains(MANIFEST);
    List<Upload> left = store.openUploads();
    boolean reused =
        plan.again() == ChaosPlan.Again.SAME_SINK
            && plan.disturbance().act() != ChaosPlan.Act.CLOSE;
    ChaosPlan mended = plan.mended();
    ChaosWriter again =
        new ChaosWriter(mended, 0, reused ? first.sink() : ChaosWriter.sink(mended, store.port()));
    again.attempt();
    again.close();
    check.again(again, committed);
    if (!committed) {
      check.end(List.of(again), left);
    }
  }

  private ChaosWriter writer(int variant, S3Sink sink) {
    ChaosWriter writer = new ChaosWriter(plan, variant, sink);
    writers.add(writer);
    return writer;
  }

  /** Lets another thread act on a writer at the planned call while the attempts go on. */
  private void disturbed(ChaosWriter target, Attempts attempts) throws IOException {
    ChaosPlan.Disturbance planned = plan.disturbance();
    ChaosStore.Hang hang = store.hang(planned);
    Thread thread =
        new Thread(
            () -> {
              try {
                hang.awaitReached();
              } catch (InterruptedException e) {
                return; // the call was never reached
              }
              if (!planned.held()) {
                hang.release();
              }
              target.disturb(planned.act());
            },
            "chaos-disturbance");
    thread.start();
    attempts.run();
    // A hang that is reached is acted upon: the thread may only be ended while it waits for one.
    if (!hang.isReached()) {
      thread.interrupt();
    }
    ChaosWriter.join(List.of(thread));
    Thread.interrupted();
  }

  private List<String> putNeighbours() throws IOException {
    List<String> keys = new ArrayList<>();
    keys.add(ChaosWriter.PREFIX + "/_runs/run-10/_SUCCESS.json");
    for (ChaosRows rows : plan.resources()) {
      String folder = ChaosWriter.PREFIX + "/" + rows.resource() + "/dt=2026-09-10/";
      keys.add(folder + "run-10." + plan.format());
      keys.add(folder + "run.ndjson");
      store.startNeighbour(folder + "run-10." + plan.format());
      store.startNeighbour(folder + ChaosWriter.RUN + "." + plan.format());
    }
    for (String key : keys) {
      store.putNeighbour(key, NEIGHBOUR);
    }
    return keys;
  }

  /** What the writers do. */
  private interface Attempts {

    void run() throws IOException;
  }
}
