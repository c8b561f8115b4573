package io.filament.sink.s3.internal.store;

import java.time.Duration;

/**
 * For how long a request is made again, and what lies between. Counted from its first failure.
 *
 * @param total for how long at most
 * @param firstContact the same for a store that has not answered anything yet: a wrong endpoint is
 *     likelier then than one that comes back
 * @param delay the wait before the second try; each later one is twice as long
 * @param throttledDelay the same, after an answer that asks to slow down
 * @param longestDelay where the waits stop growing
 */
record RetryLimits(
    Duration total,
    Duration firstContact,
    Duration delay,
    Duration throttledDelay,
    Duration longestDelay) {

  private static final Duration FIRST_CONTACT = Duration.ofSeconds(30);
  private static final Duration HURRY = Duration.ofSeconds(10);
  private static final int LARGEST_SHIFT = 20;

  /** No second try. */
  static final RetryLimits NONE =
      new RetryLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  /** The limits of a run, which may have hours of work behind it. */
  static RetryLimits ofRun(Duration total) {
    return new RetryLimits(
        total,
        shorter(total, FIRST_CONTACT),
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        Duration.ofSeconds(20));
  }

  /** Returns the same for who is waited for. */
  RetryLimits hurried() {
    return new RetryLimits(
        shorter(total, HURRY), shorter(firstContact, HURRY), delay, throttledDelay, longestDelay);
  }

  /** Returns the wait after so many failures in a row, the longest that chance may give. */
  Duration delayAfter(int failures, FailedAttempt.Kind kind) {
    Duration first = kind == FailedAttempt.Kind.THROTTLED ? throttledDelay : delay;
    return shorter(first.multipliedBy(1L << Math.min(failures - 1, LARGEST_SHIFT)), longestDelay);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
