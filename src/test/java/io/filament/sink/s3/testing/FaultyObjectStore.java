package io.filament.sink.s3.testing;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoreProfile;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Another store whose calls fail, hang or lose their answer as planned. Calls of each operation are
 * counted from 1, in the order in which they begin; a fault is planned before its call begins.
 */
public final class FaultyObjectStore implements ObjectStore {

  private static final Answer INTERNAL_ERROR = new Answer(500, "InternalError", "faulty");

  private final ObjectStore store;
  private final List<Fault> faults = new ArrayList<>();
  private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
  private final Queue<Query<?>> delayed = new ArrayDeque<>();
  private int struck;

  public FaultyObjectStore(ObjectStore store) {
    this.store = store;
  }

  /** The n-th call is refused with status 500 and does nothing. */
  public FaultyObjectStore fail(Operation operation, int nth) {
    return refuse(operation, nth, INTERNAL_ERROR);
  }

  /** Every call from the n-th on is refused with status 500 and does nothing. */
  public FaultyObjectStore failFrom(Operation operation, int nth) {
    return refuseFrom(operation, nth, INTERNAL_ERROR);
  }

  /** Every call for a key with this text in it is refused with status 500 and does nothing. */
  public FaultyObjectStore failKey(Operation operation, String keyPart) {
    return plan(
        operation, count -> true, key -> key.contains(keyPart), new Refused(INTERNAL_ERROR));
  }

  /** The n-th call gets this answer and does nothing. */
  public FaultyObjectStore refuse(Operation operation, int nth, Answer answer) {
    return plan(operation, nth, new Refused(answer));
  }

  /** Every call from the n-th on gets this answer, or none, and does nothing. */
  public FaultyObjectStore refuseFrom(Operation operation, int nth, Answer answer) {
    return plan(operation, count -> count >= nth, key -> true, new Refused(answer));
  }

  /** The n-th call never reaches the store: it does nothing and ends without an answer. */
  public FaultyObjectStore loseRequest(Operation operation, int nth) {
    return plan(operation, nth, new RequestLost());
  }

  /** The n-th call is carried out, then ends without an answer. */
  public FaultyObjectStore loseAnswer(Operation operation, int nth) {
    return plan(operation, nth, new AnswerLost());
  }

  /** The n-th call ends without an answer and is carried out by {@link #deliverDelayed}. */
  public FaultyObjectStore delayRequest(Operation operation, int nth) {
    return plan(operation, nth, new Delayed());
  }

  /** The n-th call succeeds, as it seems, and does nothing. Not for calls that only ask. */
  public FaultyObjectStore forget(Operation operation, int nth) {
    return plan(operation, nth, new Forgotten());
  }

  /** The n-th call is carried out; then this happens to its key, and the call succeeds. */
  public FaultyObjectStore spoil(Operation operation, int nth, Consumer<String> damage) {
    return plan(operation, nth, new Spoilt(damage));
  }

  /** The n-th call does nothing before it is released, and then what it should. */
  public Hang hang(Operation operation, int nth) {
    Hang hang = new Hang();
    plan(operation, nth, new Hangs(hang));
    return hang;
  }

  /** The n-th call is carried out and gets its answer when it is released. */
  public Hang hangAnswer(Operation operation, int nth) {
    Hang hang = new Hang();
    plan(operation, nth, new AnswerHangs(hang));
    return hang;
  }

  /**
   * Carries out the requests that were delayed; what the store answers is lost. They are on their
   * way already: an interrupt of the caller is kept until they are done.
   */
  public void deliverDelayed() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      deliverAll();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void deliverAll() throws IOException {
    while (true) {
      Query<?> next;
      synchronized (this) {
        next = delayed.poll();
      }
      if (next == null) {
        return;
      }
      try {
        next.ask();
      } catch (StoreException e) {
        // Nobody waits for the answer of a request that came late.
      }
    }
  }

  /** From here on every call does what it should. */
  public synchronized void heal() {
    faults.clear();
  }

  /** Returns how many calls of the operation have begun. */
  public synchronized int count(Operation operation) {
    return counts.getOrDefault(operation, 0);
  }

  /** Returns how many faults have struck. */
  public synchronized int struck() {
    return struck;
  }

  @Override
  public StoreProfile profile() throws IOException {
    return store.profile();
  }

  @Override
  public Optional<SinkException> findConditions(String key) throws IOException {
    return store.findConditions(key);
  }

  @Override
  public String bucket() {
    return store.bucket();
  }

  @Override
  public FaultyObjectStore hurried() {
    return this;
  }

  @Override
  public Optional<Instant> time() {
    return store.time();
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    run(Operation.put(key), key, () -> store.put(key, body, headers, condition));
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    return call(
        Operation.START, key, () -> store.start(key, headers), new Upload(key, "forgotten"));
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    return call(
        Operation.PART,
        upload.key(),
        () -> store.part(upload, number, body),
        new StagedPart(number, "forgotten", body.length(), body.crc32c()));
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException {
    run(Operation.COMPLETE, upload.key(), () -> store.complete(upload, parts, whole, condition));
  }

  @Override
  public void abort(Upload upload) throws IOException {
    run(Operation.ABORT, upload.key(), () -> store.abort(upload));
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    return call(Operation.HEAD, key, () -> store.head(key), Optional.empty());
  }

  @Override
  public List<Upload> uploads(String key) throws IOException {
    return call(Operation.UPLOADS, key, () -> store.uploads(key), List.of());
  }

  private FaultyObjectStore plan(Operation operation, int nth, Kind kind) {
    return plan(operation, count -> count == nth, key -> true, kind);
  }

  private synchronized FaultyObjectStore plan(
      Operation operation, IntPredicate count, Predicate<String> key, Kind kind) {
    faults.add(new Fault(operation, count, key, kind));
    return this;
  }

  private void run(Operation operation, String key, Action action) throws IOException {
    call(
        operation,
        key,
        () -> {
          action.run();
          return true;
        },
        true);
  }

  private <T> T call(Operation operation, String key, Query<T> query, T pretended)
      throws IOException {
    List<Fault> due = begin(operation, key);
    for (Fault fault : due) {
      Kind kind = fault.kind();
      if (kind instanceof Hangs hangs) {
        hangs.hang().reach(operation);
      } else if (kind instanceof Refused refused) {
        throw exception(operation, key, refused.answer(), "planned");
      } else if (kind instanceof RequestLost) {
        throw exception(operation, key, Answer.NONE, "planned: request lost");
      } else if (kind instanceof Delayed) {
        delay(query);
        throw exception(operation, key, Answer.NONE, "planned: request delayed");
      } else if (kind instanceof Forgotten) {
        return pretended;
      }
    }
    T result = query.ask();
    for (Fault fault : due) {
      Kind kind = fault.kind();
      if (kind instanceof AnswerLost) {
        throw exception(operation, key, Answer.NONE, "planned: answer lost");
      } else if (kind instanceof AnswerHangs hangs) {
        hangs.hang().reach(operation);
      } else if (kind instanceof Spoilt spoilt) {
        spoilt.damage().accept(key);
      }
    }
    return result;
  }

  private synchronized List<Fault> begin(Operation operation, String key) {
    int count = counts.merge(operation, 1, Integer::sum);
    List<Fault> due = faults.stream().filter(fault -> fault.hits(operation, key, count)).toList();
    struck += due.size();
    return due;
  }

  private synchronized void delay(Query<?> query) {
    delayed.add(query);
  }

  private StoreException exception(Operation operation, String key, Answer answer, String problem) {
    return new StoreException(
        new Request(operation.s3Name(), store.bucket(), key), answer, problem, null);
  }

  /** A call that hangs. */
  public static final class Hang {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private Hang() {}

    /** Waits until the call has begun. */
    public void awaitReached() throws InterruptedException {
      reached.await();
    }

    /** Returns whether the call has begun. */
    public boolean isReached() {
      return reached.getCount() == 0;
    }

    /** Lets the call go on. */
    public void release() {
      released.countDown();
    }

    private void reach(Operation operation) throws InterruptedIOException {
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted =
            new InterruptedIOException(operation.s3Name() + ": interrupted");
        interrupted.initCause(e);
        throw interrupted;
      }
    }
  }

  private sealed interface Kind {}

  private record Refused(Answer answer) implements Kind {}

  private record RequestLost() implements Kind {}

  private record AnswerLost() implements Kind {}

  private record Delayed() implements Kind {}

  private record Forgotten() implements Kind {}

  private record Spoilt(Consumer<String> damage) implements Kind {}

  private record Hangs(Hang hang) implements Kind {}

  private record AnswerHangs(Hang hang) implements Kind {}

  private record Fault(Operation operation, IntPredicate count, Predicate<String> key, Kind kind) {

    boolean hits(Operation calledOperation, String calledKey, int calledCount) {
      return operation == calledOperation && key.test(calledKey) && count.test(calledCount);
    }
  }

  @FunctionalInterface
  private interface Query<T> {
    T ask() throws IOException;
  }

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }
}
