package io.filament.sink.s3.internal.store;

import java.time.Duration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/**
 * How long a client waits for a store, and how often it asks again by itself. All of it is set in
 * code, since the SDK's defaults differ between its versions.
 *
 * @param attempts how often a request is sent at most
 * @param delay the wait before the second attempt; each later one is twice as long
 * @param throttledDelay the same, after an answer that asks to slow down
 * @param longestDelay where the waits stop growing
 * @param connect for a connection to stand
 * @param silence between two packets of a connection
 * @param lastMoment for an answer, after the thread that waits for it is interrupted
 */
record Patience(
    int attempts,
    Duration delay,
    Duration throttledDelay,
    Duration longestDelay,
    Duration connect,
    Duration silence,
    Duration lastMoment) {

  /** Enough for a store to finish what it has received, and short for who waits for an abort. */
  static final Duration LAST_MOMENT = Duration.ofSeconds(2);

  /** For a run. What fails is asked again by {@link Retries}, whose limits the user sets. */
  static Patience ofRun() {
    return new Patience(
        1,
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        Duration.ofSeconds(20),
        Duration.ofSeconds(5),
        Duration.ofSeconds(60),
        LAST_MOMENT);
  }

  /** For a person who waits for the result. */
  static Patience ofConnectionTest() {
    return new Patience(
        2,
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        LAST_MOMENT);
  }

  /** Returns the same with another last moment. */
  Patience withLastMoment(Duration moment) {
    return new Patience(attempts, delay, throttledDelay, longestDelay, connect, silence, moment);
  }

  /**
   * Returns the SDK's standard mode with these limits. Its waits are random, but at least half of
   * what is given here. The circuit breaker is off: it lets a request fail early because others
   * did, and the sink bounds its requests itself.
   */
  StandardRetryStrategy retryStrategy() {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(attempts)
        .backoffStrategy(BackoffStrategy.exponentialDelayHalfJitter(delay, longestDelay))
        .throttlingBackoffStrategy(
            BackoffStrategy.exponentialDelayHalfJitter(throttledDelay, longestDelay))
        .circuitBreakerEnabled(false)
        .build();
  }
}
