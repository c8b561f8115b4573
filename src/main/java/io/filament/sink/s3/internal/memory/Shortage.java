package io.filament.sink.s3.internal.memory;

import io.filament.sink.SinkException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one thread does that needs more memory than is left: it waits for parts in flight; it cuts
 * the resource of which a cut frees the most; it sends the part that has the most; it waits for
 * other threads. If none of that can help, it fails.
 *
 * <p>So nothing waits for ever. A thread waits only while a part is in flight, which needs no more
 * memory, or while another thread is at work, which will end or be short itself. Before it waits,
 * it has cut its own resource. Of several that are short, one has the {@link LastRoom} until its
 * records are encoded, and the others give theirs up meanwhile. The last one sees nobody at work,
 * and fails.
 */
final class Shortage {

  private final RunMemory run;
  private final ResourceMemory resource;
  private final long bytes;
  private final Place place;

  /** Those that other threads are at, though they were not when they were chosen. */
  private final Set<ResourceMemory> refused = new HashSet<>();

  /** How many turns had been given away before they were chosen. */
  private long turnsGivenAway;

  private boolean hasWaited;
  private boolean hasGivenUpRecords;

  Shortage(RunMemory run, ResourceMemory resource, long bytes, Place place) {
    this.run = run;
    this.resource = resource;
    this.bytes = bytes;
    this.place = place;
  }

  /** What comes next, and with which resource. */
  private record Step(Kind kind, @Nullable ResourceMemory resource) {

    private enum Kind {
      RESERVED,
      DROP_SPARE,
      GIVE_UP_RECORDS,
      WAIT,
      CUT,
      SEND,
      DO_WITHOUT
    }

    static Step of(Kind kind) {
      return new Step(kind, null);
    }

    ResourceMemory target() {
      return Objects.requireNonNull(resource, "resource");
    }
  }

  /**
   * Ends it.
   *
   * @return whether the bytes are reserved. If they are not, less would do, or the resource has
   *     been cut and may need more or less now
   */
  boolean end() throws IOException {
    try {
      return tryEnd();
    } finally {
      synchronized (run) {
        run.lastRoom().leaveLine(resource);
      }
    }
  }

  private boolean tryEnd() throws IOException {
    while (true) {
      Step step = next();
      switch (step.kind) {
        case RESERVED -> {
          return true;
        }
        case DO_WITHOUT -> {
          return false;
        }
        case DROP_SPARE -> run.spare().drop();
        case CUT -> {
          relieve(step.target(), true);
          if (step.target().equals(resource)) {
            return false;
          }
        }
        case SEND -> relieve(step.target(), false);
        case GIVE_UP_RECORDS -> giveUpRecords();
        case WAIT -> throw new IllegalStateException("a wait has ended without a change");
      }
    }
  }

  private void giveUpRecords() {
    hasGivenUpRecords = true;
    resource.giveUpRecords();
  }

  private void relieve(ResourceMemory target, boolean cut) throws IOException {
    if (target.equals(resource)) {
      target.relieve(cut);
    } else if (!target.tryRelieve(cut)) {
      refused.add(target);
    }
  }

  /** Waits as long as there is nothing else to do. */
  private Step next() throws IOException {
    synchronized (run) {
      if (turnsGivenAway != run.workers().turnsGivenAway()) {
        refused.clear(); // else what was given away before the wait begins would wake nobody
      }
      Step step = look();
      while (step.kind == Step.Kind.WAIT) {
        await();
        refused.clear();
        step = look();
      }
      turnsGivenAway = run.workers().turnsGivenAway();
      return step;
    }
  }

  private void await() throws IOException {
    if (!hasWaited) {
      hasWaited = true;
      run.workers().countWait();
    }
    long since = run.nanos();
    try {
      run.workers().await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while %s waited for memory".formatted(resource.title()));
    } finally {
      resource.waited(run.nanos() - since);
    }
  }

  private Step look() throws IOException {
    if (run.isCancelled()) {
      throw new SinkException("the run was aborted");
    }
    if (run.isBeforeTurn(resource, bytes, place)) {
      if (resource.cuttable > 0) {
        return new Step(Step.Kind.CUT, resource);
      }
      run.lastRoom().take(resource);
      if (!hasGivenUpRecords) {
        return Step.of(Step.Kind.GIVE_UP_RECORDS);
      }
      if (mayWait()) {
        return Step.of(Step.Kind.WAIT);
      }
    }
    if (run.tryReserve(resource, bytes, place)) {
      return Step.of(Step.Kind.RESERVED);
    }
    if (run.spare().isThere()) {
      return Step.of(Step.Kind.DROP_SPARE);
    }
    if (run.isPartInFlight()) {
      return Step.of(Step.Kind.WAIT);
    }
    if (place == Place.OPTIONAL) {
      return Step.of(Step.Kind.DO_WITHOUT);
    }
    if (place != Place.WRITING_OUT) {
      ResourceMemory cut = most(true);
      if (cut != null) {
        return new Step(Step.Kind.CUT, cut);
      }
      ResourceMemory sent = most(false);
      if (sent != null) {
        return new Step(Step.Kind.SEND, sent);
      }
      askOthersToCut();
      return inTurn();
    }
    throw exhausted();
  }

  /** Leaves the last room to one resource at a time: the others hold no records meanwhile. */
  private Step inTurn() throws SinkException {
    run.lastRoom().take(resource);
    if (run.lastRoom().isOfAnother(resource) && !hasGivenUpRecords) {
      return Step.of(Step.Kind.GIVE_UP_RECORDS);
    }
    if (mayWait()) {
      return Step.of(Step.Kind.WAIT);
    }
    throw exhausted();
  }

  /** Returns whether something may change without this thread. */
  private boolean mayWait() {
    return run.isPartInFlight() || run.workers().isAnotherAtWork() || !refused.isEmpty();
  }

  /** Returns the resource of which a cut, or else its part's sending, frees the most. */
  private @Nullable ResourceMemory most(boolean cut) {
    boolean mayTakeOwn = !cut || place != Place.OUTPUT;
    ResourceMemory most = null;
    for (ResourceMemory other : run.resources()) {
      boolean isMine = other.equals(resource);
      boolean mayBeTaken = isMine ? mayTakeOwn : !other.isBusy && !refused.contains(other);
      if (mayBeTaken && other.freeable(cut) > (most == null ? 0 : most.freeable(cut))) {
        most = other;
      }
    }
    return most;
  }

  /** Asks those whose threads are at work to cut at their next steps, the largest first. */
  private void askOthersToCut() {
    ResourceMemory most = null;
    for (ResourceMemory other : run.resources()) {
      if (other.isBusy
          && !other.equals(resource)
          && other.cuttable > (most == null ? 0 : most.cuttable)) {
        most = other;
      }
    }
    if (most != null) {
      most.isCutWanted = true;
    }
  }

  private SinkException exhausted() {
    return new SinkException(
        ("resource %s needs %,d bytes more, and memory_limit_mib %,d is reached: of %,d bytes, %,d"
                + " are held, by %,d resources, and %,d are kept for what is written out; no part is"
                + " in flight, and nothing that is held can be sent as it is. Set a larger"
                + " memory_limit_mib, finish resources that get no more records, write to fewer at the"
                + " same time, or set a smaller part_size_mib or fewer encode_threads if these are"
                + " not the least")
            .formatted(
                resource.title(),
                bytes,
                run.limitBytes() / RunMemory.MIB,
                run.limitBytes(),
                run.heldBytes(),
                run.resources().size(),
                run.marginBytes()));
  }
}
