package io.filament.sink.s3;

import io.filament.sink.StoreException.Answer;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A planned fault: what goes wrong in which call of which operation. */
record ChaosFault(Kind kind, Operation operation, int nth, Answer answer) {

  /** What goes wrong. */
  enum Kind {
    REFUSE,
    REFUSE_FROM,
    LOSE_ANSWER,
    DELAY,
    FORGET,
    CORRUPT,
    TRUNCATE
  }

  private static final int CALLS = 6;
  private static final List<Operation> OPERATIONS =
      List.of(
          Operation.PUT,
          Operation.PUT_MANIFEST,
          Operation.START,
          Operation.PART,
          Operation.PART,
          Operation.COMPLETE,
          Operation.ABORT,
          Operation.UPLOADS,
          Operation.HEAD,
          Operation.HEAD);
  private static final List<Answer> ANSWERS =
      List.of(
          Answer.NONE,
          Answer.NONE,
          new Answer(200, null, "chaos"),
          new Answer(400, "RequestTimeout", "chaos"),
          new Answer(403, "AccessDenied", "chaos"),
          new Answer(429, "TooManyRequests", "chaos"),
          new Answer(500, "InternalError", "chaos"),
          new Answer(503, "SlowDown", "chaos"));

  /**
   * Draws a fault.
   *
   * @param rivalry whether two writers share the run: then the store keeps what it took, since the
   *     one that is told of the damage need not be the one that commits, and it lets them look
   */
  static ChaosFault draw(Random random, boolean rivalry) {
    Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    List<Kind> kinds = kinds(operation, rivalry);
    Kind kind = kinds.get(random.nextInt(kinds.size()));
    Answer answer = answer(random, operation);
    while (rivalry && operation == Operation.HEAD && answer.statusCode() == 403) {
      answer = answer(random, operation);
    }
    return new ChaosFault(kind, operation, 1 + random.nextInt(CALLS), answer);
  }

  /** Puts the fault into the store's plan. */
  void plan(FaultyObjectStore store, InMemoryObjectStore memory) {
    switch (kind) {
      case REFUSE -> store.refuse(operation, nth, answer);
      case REFUSE_FROM -> store.refuseFrom(operation, nth, answer);
      case LOSE_ANSWER -> store.loseAnswer(operation, nth);
      case DELAY -> store.delayRequest(operation, nth);
      case FORGET -> store.forget(operation, nth);
      case CORRUPT ->
          store.spoil(
              operation, nth, operation == Operation.PART ? memory::corruptParts : memory::corrupt);
      case TRUNCATE -> store.spoil(operation, nth, memory::truncate);
    }
  }

  /** Returns whether a store with this fault says of calls of the operation what is not so. */
  boolean liesAbout(Operation called) {
    return operation == called
        && (kind == Kind.FORGET || kind == Kind.CORRUPT || kind == Kind.TRUNCATE);
  }

  /** Returns whether a store with this fault lets nobody look with this operation. */
  boolean hides(Operation look) {
    int status = answer.statusCode();
    boolean refused = status >= 400 && status < 500 && status != 429;
    return operation == look && (kind == Kind.REFUSE_FROM || refused);
  }

  /** Returns whether the fault damages the manifest itself, behind a good answer. */
  boolean damagesManifest() {
    return operation == Operation.PUT_MANIFEST && (kind == Kind.CORRUPT || kind == Kind.TRUNCATE);
  }

  // An upload that the answer to its start does not tell of is the port's own matter to clean up.
  private static List<Kind> kinds(Operation operation, boolean rivalry) {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.REFUSE, Kind.REFUSE, Kind.REFUSE_FROM));
    if (operation == Operation.HEAD || operation == Operation.UPLOADS) {
      return kinds;
    }
    if (operation != Operation.START) {
      kinds.add(Kind.LOSE_ANSWER);
      kinds.add(Kind.DELAY);
    }
    if (!rivalry) {
      kinds.add(Kind.FORGET);
      if (operation != Operation.START && operation != Operation.ABORT) {
        kinds.add(Kind.CORRUPT);
      }
      if (operation == Operation.PUT || operation == Operation.COMPLETE) {
        kinds.add(Kind.TRUNCATE);
      }
    }
    return kinds;
  }

  private static Answer answer(Random random, Operation operation) {
    List<Answer> answers = new ArrayList<>(ANSWERS);
    if (operation == Operation.PUT_MANIFEST) {
      answers.add(new Answer(409, "ConditionalRequestConflict", "chaos"));
      answers.add(new Answer(412, "PreconditionFailed", "chaos"));
      answers.add(new Answer(501, "NotImplemented", "chaos"));
    }
    if (operation == Operation.PART || operation == Operation.COMPLETE) {
      answers.add(new Answer(404, "NoSuchUpload", "chaos"));
    }
    return answers.get(random.nextInt(answers.size()));
  }

  @Override
  public String toString() {
    String said = kind == Kind.REFUSE || kind == Kind.REFUSE_FROM ? " " + answer.statusCode() : "";
    return kind + " " + operation + " " + nth + said;
  }
}
