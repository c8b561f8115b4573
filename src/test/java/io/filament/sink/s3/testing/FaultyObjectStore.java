package io.filament.sink.s3.testing;

import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Another store whose calls fail, hang or lose their answer as planned. Calls of each operation are
 * counted from 1, in the order in which they begin; a fault is planned before its call begins.
 */
public final class FaultyObjectStore implements ObjectStore {

  private final ObjectStore store;
  private final List<Fault> faults = new ArrayList<>();
  private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);

  public FaultyObjectStore(ObjectStore store) {
    this.store = store;
  }

  /** The n-th call is refused with status 500 and does nothing. */
  public FaultyObjectStore fail(Operation operation, int nth) {
    return plan(operation, count -> count == nth, key -> true, Kind.REFUSED, null);
  }

  /** Every call from the n-th on is refused with status 500 and does nothing. */
  public FaultyObjectStore failFrom(Operation operation, int nth) {
    return plan(operation, count -> count >= nth, key -> true, Kind.REFUSED, null);
  }

  /** Every call for a key with this text in it is refused with status 500 and does nothing. */
  public FaultyObjectStore failKey(Operation operation, String keyPart) {
    return plan(operation, count -> true, key -> key.contains(keyPart), Kind.REFUSED, null);
  }

  /** The n-th call never reaches the store: it does nothing and ends without an answer. */
  public FaultyObjectStore loseRequest(Operation operation, int nth) {
    return plan(operation, count -> count == nth, key -> true, Kind.REQUEST_LOST, null);
  }

  /** The n-th call is carried out, then ends without an answer. */
  public FaultyObjectStore loseAnswer(Operation operation, int nth) {
    return plan(operation, count -> count == nth, key -> true, Kind.ANSWER_LOST, null);
  }

  /** The n-th call does nothing before it is released, and then what it should. */
  public Hang hang(Operation operation, int nth) {
    Hang hang = new Hang();
    plan(operation, count -> count == nth, key -> true, Kind.HANGS, hang);
    return hang;
  }

  /** Returns how many calls of the operation have begun. */
  public synchronized int count(Operation operation) {
    return counts.getOrDefault(operation, 0);
  }

  @Override
  public String bucket() {
    return store.bucket();
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers) throws IOException {
    run(Operation.PUT, key, () -> store.put(key, body, headers));
  }

  @Override
  public void putIfAbsent(String key, Body body, ObjectHeaders headers) throws IOException {
    run(Operation.PUT_IF_ABSENT, key, () -> store.putIfAbsent(key, body, headers));
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    return call(Operation.START, key, () -> store.start(key, headers));
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    return call(Operation.PART, upload.key(), () -> store.part(upload, number, body));
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole) throws IOException {
    run(Operation.COMPLETE, upload.key(), () -> store.complete(upload, parts, whole));
  }

  @Override
  public void abort(Upload upload) throws IOException {
    run(Operation.ABORT, upload.key(), () -> store.abort(upload));
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    return call(Operation.HEAD, key, () -> store.head(key));
  }

  @Override
  public List<Upload> uploads(String key) throws IOException {
    return call(Operation.UPLOADS, key, () -> store.uploads(key));
  }

  private synchronized FaultyObjectStore plan(
      Operation operation, IntPredicate count, Predicate<String> key, Kind kind, Hang hang) {
    faults.add(new Fault(operation, count, key, kind, hang));
    return this;
  }

  private void run(Operation operation, String key, Action action) throws IOException {
    call(
        operation,
        key,
        () -> {
          action.run();
          return true;
        });
  }

  private <T> T call(Operation operation, String key, Query<T> query) throws IOException {
    List<Fault> due = begin(operation, key);
    for (Fault fault : due) {
      switch (fault.kind()) {
        case HANGS -> fault.hang().reach(operation);
        case REFUSED ->
            throw exception(operation, key, new Answer(500, "InternalError", "faulty"), "planned");
        case REQUEST_LOST -> throw exception(operation, key, Answer.NONE, "planned: request lost");
        case ANSWER_LOST -> {}
      }
    }
    T result = query.ask();
    if (due.stream().anyMatch(fault -> fault.kind() == Kind.ANSWER_LOST)) {
      throw exception(operation, key, Answer.NONE, "planned: answer lost");
    }
    return result;
  }

  private synchronized List<Fault> begin(Operation operation, String key) {
    int count = counts.merge(operation, 1, Integer::sum);
    return faults.stream().filter(fault -> fault.hits(operation, key, count)).toList();
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

  private enum Kind {
    REFUSED,
    REQUEST_LOST,
    ANSWER_LOST,
    HANGS
  }

  private record Fault(
      Operation operation, IntPredicate count, Predicate<String> key, Kind kind, Hang hang) {

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
