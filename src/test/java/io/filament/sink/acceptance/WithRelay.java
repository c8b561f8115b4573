package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.texts;

import io.filament.sink.Sink;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Puts a relay between the sink and the bucket of a test. */
abstract class WithRelay extends WithBucket {

  static final String MEBI = "x".repeat(1 << 20);

  Relay relay;

  @BeforeEach
  final void startRelay() throws IOException {
    relay = Relay.before(endpoint());
  }

  @AfterEach
  final void stopRelay() {
    relay.close();
  }

  /** Returns a sink with parts of 5 MiB whose requests go through the relay. */
  final Sink relayedSink(Object... namesAndValues) {
    Stream<Object> own = Stream.of("endpoint", relay.endpoint(), "part_size_mib", 5);
    return bucket.sink(Stream.concat(own, Stream.of(namesAndValues)).toArray());
  }

  /** Writes so many mebibytes, one a batch. */
  static void writeMebibytes(Sink sink, String resource, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      sink.write(texts(resource, MEBI));
    }
  }

  /** Waits until something holds that another thread brings about. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /** Waits until a thread waits for another one. */
  static void awaitWaiting(Thread thread) {
    await(
        thread.getName() + " waits",
        () -> {
          Thread.State state = thread.getState();
          if (state == Thread.State.TERMINATED) {
            throw new AssertionError(thread.getName() + " did not wait");
          }
          return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        });
  }
}
