package io.filament.sink.s3;

import io.filament.sink.s3.testing.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * All that a seed decides of a chaos run. What it can't decide is the order in which threads go on.
 *
 * @param batches each writing thread's, in the order in which it writes them
 * @param earlyCommit whether the commit comes while threads write
 * @param wire what goes wrong over HTTP; empty for a run behind the store's port
 * @param again whether a failed run is written again on the same sink, or on a new one
 * @param finishes whether a thread that writes all of a resource says so after its last batch
 */
record ChaosPlan(
    long seed,
    String format,
    String compression,
    int partSize,
    int concurrency,
    List<ChaosRows> resources,
    List<List<ChaosRows.Batch>> batches,
    boolean earlyCommit,
    Rival rival,
    List<ChaosFault> faults,
    Optional<ChaosWire> wire,
    Disturbance disturbance,
    Again again,
    boolean finishes) {

  /** A second writer of the same run id. */
  enum Rival {
    NONE,
    /** Writes the same records at the same time. */
    SAME_TIME,
    /** Opens the run before, and commits other records after the first has ended. */
    AFTERWARDS
  }

  /** How the run is written again. */
  enum Again {
    SAME_SINK,
    NEW_SINK
  }

  /** What another thread does when a call is reached. */
  enum Act {
    NOTHING,
    ABORT,
    CLOSE,
    INTERRUPT
  }

  /**
   * A call that hangs while another thread acts.
   *
   * @param answer whether the answer hangs, not the request
   * @param held whether only an interrupt frees the call; else it is released before the act
   */
  record Disturbance(Operation operation, int nth, boolean answer, Act act, boolean held) {}

  private static final List<List<String>> FORMATS =
      List.of(
          List.of("ndjson", "none"),
          List.of("ndjson", "none"),
          List.of("ndjson", "none"),
          List.of("ndjson", "gzip"),
          List.of("json", "none"),
          List.of("json", "zstd"),
          List.of("parquet", "none"),
          List.of("parquet", "snappy"),
          List.of("parquet", "zstd"));
  // Neighbouring seeds would give alike first numbers.
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final List<Operation> HELD =
      List.of(Operation.START, Operation.PART, Operation.COMPLETE, Operation.PUT);

  /** Draws a plan. Even seeds run over HTTP, odd ones behind the store's port. */
  static ChaosPlan draw(long seed) {
    boolean overHttp = seed % 2 == 0;
    Random random = new Random(seed * SPREAD);
    List<String> format = FORMATS.get(random.nextInt(FORMATS.size()));
    int partSize = 64 + random.nextInt(449);
    List<ChaosRows> resources = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      resources.add(ChaosRows.draw(random, "r" + i, partSize));
    }
    Rival rival =
        switch (random.nextInt(6)) {
          case 0 -> Rival.SAME_TIME;
          case 1 -> Rival.AFTERWARDS;
          default -> Rival.NONE;
        };
    List<ChaosFault> faults = new ArrayList<>();
    int faultCount = random.nextInt(5);
    for (int i = 0; i < faultCount; i++) {
      faults.add(ChaosFault.draw(random, rival != Rival.NONE));
    }
    // Who is lied to and can't look can't know.
    dropWhatHides(faults, Operation.PUT_MANIFEST, Operation.HEAD);
    dropWhatHides(faults, Operation.ABORT, Operation.UPLOADS);
    return new ChaosPlan(
        seed,
        format.get(0),
        format.get(1),
        partSize,
        1 + random.nextInt(4),
        List.copyOf(resources),
        batches(random, resources, rival),
        rival == Rival.NONE && random.nextInt(12) == 0,
        rival,
        overHttp ? List.of() : List.copyOf(faults),
        overHttp
            ? Optional.of(ChaosWire.draw(new Random(~seed * SPREAD), partSize, rival))
            : Optional.empty(),
        disturbance(random, rival),
        random.nextBoolean() ? Again.SAME_SINK : Again.NEW_SINK,
        random.nextInt(3) == 0);
  }

  /** Returns what {@code open} asks of the store. */
  ConditionalWrites conditionalWrites() {
    return wire.map(ChaosWire::conditionalWrites).orElse(ConditionalWrites.AUTO);
  }

  /** Returns whether each resource is written by one thread, so that its records keep an order. */
  boolean ordered() {
    return resources.stream()
        .allMatch(
            rows ->
                batches.stream()
                        .filter(list -> list.stream().anyMatch(batch -> batch.rows().equals(rows)))
                        .count()
                    <= 1);
  }

  boolean isFaultless() {
    return faults.isEmpty() && wire.map(ChaosWire::faults).orElse(List.of()).isEmpty();
  }

  /** Returns whether a fault damages the manifest itself, behind a good answer. */
  boolean damagesManifest() {
    return faults.stream().anyMatch(ChaosFault::damagesManifest)
        || wire.map(ChaosWire::faults).orElse(List.of()).stream()
            .anyMatch(ChaosWireFault::damagesManifest);
  }

  boolean hasBadRecord() {
    return batches.stream().flatMap(List::stream).anyMatch(ChaosRows.Batch::bad);
  }

  /** Returns the plan of a host whose source is mended, and which waits before it commits. */
  ChaosPlan mended() {
    List<List<ChaosRows.Batch>> good =
        batches.stream().map(list -> list.stream().map(ChaosRows.Batch::mended).toList()).toList();
    return new ChaosPlan(
        seed,
        format,
        compression,
        partSize,
        concurrency,
        resources,
        good,
        false,
        rival,
        faults,
        wire.map(ChaosWire::lenient),
        disturbance,
        again,
        finishes);
  }

  private static List<List<ChaosRows.Batch>> batches(
      Random random, List<ChaosRows> resources, Rival rival) {
    int threads = 1 + random.nextInt(4);
    // Two writers give the same bytes only if the order of a resource's batches is fixed.
    boolean ordered = rival != Rival.NONE || random.nextBoolean();
    List<List<ChaosRows.Batch>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      all.add(new ArrayList<>());
    }
    List<List<ChaosRows.Batch>> left = new ArrayList<>();
    resources.forEach(rows -> left.add(new ArrayList<>(rows.batches(random))));
    left.removeIf(List::isEmpty);
    while (!left.isEmpty()) {
      List<ChaosRows.Batch> next = left.get(random.nextInt(left.size()));
      ChaosRows.Batch batch = next.remove(0);
      int thread = ordered ? resources.indexOf(batch.rows()) % threads : random.nextInt(threads);
      all.get(thread).add(batch);
      left.removeIf(List::isEmpty);
    }
    List<ChaosRows.Batch> spoilt = all.get(random.nextInt(threads));
    if (rival == Rival.NONE && random.nextInt(10) == 0 && !spoilt.isEmpty()) {
      int last = spoilt.size() - 1;
      ChaosRows.Batch batch = spoilt.get(last);
      spoilt.set(last, new ChaosRows.Batch(batch.rows(), batch.from(), batch.to(), true));
    }
    return all;
  }

  private static void dropWhatHides(List<ChaosFault> faults, Operation lie, Operation look) {
    if (faults.stream().anyMatch(fault -> fault.liesAbout(lie))) {
      faults.removeIf(fault -> fault.hides(look));
    }
  }

  private static Disturbance disturbance(Random random, Rival rival) {
    Act[] acts = Act.values();
    Act act = random.nextInt(3) > 0 ? Act.NOTHING : acts[random.nextInt(acts.length)];
    Operation[] all = Operation.values();
    boolean held = rival == Rival.NONE && act != Act.NOTHING && random.nextBoolean();
    Operation operation =
        held ? HELD.get(random.nextInt(HELD.size())) : all[random.nextInt(all.length)];
    // That an interrupted start leaves no upload is promised by the port, and tested there.
    boolean answer = random.nextBoolean() && operation != Operation.START;
    return new Disturbance(operation, 1 + random.nextInt(6), answer, act, held);
  }
}
