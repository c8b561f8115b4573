package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkEvent.RequestRetried;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.FailedAttempt.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes requests again that failed for a reason which may pass, with growing waits, until an answer
 * is final or patience ends. Any thread may call; each waits for itself.
 *
 * <p>This is not left to the SDK, whose retries end within seconds, and keep to themselves that a
 * store asked to slow down.
 */
final class Retries {

  private static final Logger LOG = LoggerFactory.getLogger(Retries.class);

  private final RetryLimits limits;
  private final Clock clock;
  private final DoubleSupplier chance;
  private final RequestObserver observer;
  private final Contact contact;

  /** How often a body that arrived damaged is sent again. */
  private final int damage;

  private Retries(
      RetryLimits limits,
      Clock clock,
      DoubleSupplier chance,
      RequestObserver observer,
      Contact contact,
      int damage) {
    this.limits = limits;
    this.clock = clock;
    this.chance = chance;
    this.observer = observer;
    this.contact = contact;
    this.damage = damage;
  }

  /**
   * @param chance gives numbers from 0 to 1, which spread the waits of many clients
   * @param observer hears each answer that asks to slow down, and what is made again
   */
  static Retries of(
      RetryLimits limits, Clock clock, DoubleSupplier chance, RequestObserver observer) {
    return new Retries(limits, clock, chance, observer, new Contact(), Kind.DAMAGED.tries());
  }

  /** Makes each request once. */
  static Retries none() {
    return of(RetryLimits.NONE, Clock.SYSTEM, () -> 0, () -> {});
  }

  /** Returns the same with little patience. */
  Retries hurried() {
    return new Retries(limits.hurried(), clock, chance, observer, contact, damage);
  }

  /** Returns the same, for a body whose checksum is wrong on purpose. */
  Retries withoutResend() {
    return new Retries(limits, clock, chance, observer, contact, 0);
  }

  /**
   * Makes a request.
   *
   * @param name what is asked for
   * @throws IOException the last failure, or an {@link InterruptedIOException} if the thread is
   *     interrupted while it waits
   */
  <T> T ask(RequestName name, Attempt<T> attempt) throws IOException {
    Map<Kind, Integer> failures = new EnumMap<>(Kind.class);
    OptionalLong first = OptionalLong.empty();
    for (int inARow = 1; ; inARow++) {
      try {
        T answer = attempt.send();
        contact.accepted = true;
        return answer;
      } catch (FailedAttempt e) {
        if (e.kind() != Kind.SILENT && e.kind() != Kind.CROWDED) {
          contact.answered = true;
        }
        if (e.kind() == Kind.THROTTLED || e.kind() == Kind.CROWDED) {
          observer.slowDown();
        }
        if (first.isEmpty()) {
          first = OptionalLong.of(clock.nanos());
        }
        int count = failures.merge(e.kind(), 1, Integer::sum);
        Duration delay = delay(inARow, e.kind());
        if (!mayHelp(e.kind(), count) && !isBehindItself(e.kind(), failures)) {
          throw e.failure();
        }
        if (isOutOfTime(first.getAsLong(), delay)) {
          throw outOfTime(name, inARow, spent(first.getAsLong()), e);
        }
        String reason = reason(name, e.failure());
        LOG.info("{} is made again in {} ms: {}", name, delay.toMillis(), reason);
        observer.retried(
            new RequestRetried(
                name.operation(), name.bucket(), name.key(), inARow + 1, delay, reason));
        pause(name, delay, e);
      }
    }
  }

  /**
   * Returns the message without what was asked for, which stands beside it, of a try that isn't the
   * last.
   */
  private static String reason(RequestName name, IOException failure) {
    String message = String.valueOf(failure.getMessage()).replace(PlainWords.STILL, "");
    String asked = name + ": ";
    return message.startsWith(asked) ? message.substring(asked.length()) : message;
  }

  /** Returns whether another try may end otherwise. */
  private boolean mayHelp(Kind kind, int count) {
    return count <= (kind == Kind.DAMAGED ? damage : kind.tries())
        && (kind != Kind.CREDENTIALS || contact.accepted);
  }

  /** Returns whether an earlier try, which failed otherwise, may be what stands in the way. */
  private static boolean isBehindItself(Kind kind, Map<Kind, Integer> failures) {
    return kind == Kind.OVERTAKEN && failures.size() > 1;
  }

  private boolean isOutOfTime(long first, Duration delay) {
    return spent(first).plus(delay).compareTo(patience()) >= 0;
  }

  private Duration spent(long first) {
    return Duration.ofNanos(clock.nanos() - first);
  }

  /** Returns the last failure, with the limit that ended it. */
  private IOException outOfTime(RequestName name, int tries, Duration spent, FailedAttempt last) {
    IOException failure = last.failure();
    if (tries > 1) {
      failure.addSuppressed(
          new SinkException(
              "%s: given up after %d tries, %d s after the first of them failed: the next would come after the limit of %d s (retry_timeout_s, or less for a store that has not answered anything yet, and where a run is ended)"
                  .formatted(name, tries, spent.toSeconds(), patience().toSeconds())));
    }
    return failure;
  }

  private Duration patience() {
    boolean unknown = !contact.answered && !contact.accepted;
    return unknown ? limits.firstContact() : limits.total();
  }

  /** Returns a wait between half of the longest one and all of it. */
  private Duration delay(int failures, Kind kind) {
    long least = limits.delayAfter(failures, kind).toNanos() / 2;
    return Duration.ofNanos(least + (long) (least * chance.getAsDouble()));
  }

  private void pause(RequestName name, Duration delay, FailedAttempt failed) throws IOException {
    try {
      clock.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException(name + ": interrupted before another try");
      interrupted.addSuppressed(failed.failure());
      throw interrupted;
    }
  }

  /** What is known of the store, shared by all that ask it. */
  private static final class Contact {

    /** Whether it has answered anything. */
    private volatile boolean answered;

    /** Whether it has taken a request, and so the credentials of that time. */
    private volatile boolean accepted;
  }

  /** One try. */
  @FunctionalInterface
  interface Attempt<T> {
    T send() throws IOException;
  }

  /** Time, and its passing. */
  interface Clock {

    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time.toMillis());
          }
        };

    long nanos();

    void sleep(Duration time) throws InterruptedException;
  }
}
