package io.filament.sink.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunConflictException;
import io.filament.sink.RunManifest;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer that is killed leaves no manifest that lies, and its run can be written again.
 *
 * <p>{@code -Dkill.runs=N} sets the number of runs and {@code -Dkill.seed=S} what is written and
 * when it is killed, as far as threads let a seed decide that.
 */
class KillTest {

  private static final int RUNS = Integer.getInteger("kill.runs", 10);
  private static final long SEED = Long.getLong("kill.seed", 1L);

  /** A moment within a turn lies in its first bytes, where most requests have all of theirs. */
  private static final int MOST_BYTES = 1 << 16;

  @TempDir private Path directory;

  private final List<String> violations = new ArrayList<>();
  private int committed;
  private int silent;
  private int leftUploads;

  @Test
  void killedRunIsAbsentOrCompleteAndCanBeWrittenAgain() throws Exception {
    Random random = new Random(SEED);
    try (S3ProxyServer server = S3ProxyServer.start();
        KilledBucket bucket = KilledBucket.on(server.endpoint(), directory)) {
      for (int run = 0; run < RUNS; run++) {
        killOnce(server.endpoint(), bucket, random.nextLong());
        bucket.clear();
      }
    }
    System.out.printf(
        "kill: %d runs, %d committed before the kill, %d violations%n",
        RUNS, committed, violations.size());
    System.out.printf(
        "kill: seed %d, %d uploads left by the killed, %d runs ended before their moment%n",
        SEED, leftUploads, silent);
    assertThat(violations).as("violations with -Dkill.seed=%d", SEED).isEmpty();
  }

  private void killOnce(S3Endpoint endpoint, KilledBucket bucket, long seed) throws Exception {
    SampleRun sample = SampleRun.of(seed);
    KillRelay.Moment moment = moment(sample, new Random(~seed));
    CompletableFuture<ChildJvm> child = new CompletableFuture<>();
    String last;
    ChildJvm.Ended ended;
    try (KillRelay relay = KillRelay.start(endpoint.uri(), moment, () -> child.join().kill())) {
      List<String> arguments = new ArrayList<>(Settings.arguments(endpoint, relay.endpoint()));
      arguments.addAll(List.of(bucket.name(), Long.toString(seed)));
      try (ChildJvm killed = ChildJvm.start(KilledWriter.class, List.of("-Xmx128m"), arguments)) {
        child.complete(killed);
        last = killed.line();
        killed.kill();
        ended = killed.ended();
      }
      relay.awaitQuiet();
      silent += KilledWriter.COMMITTED.equals(last) ? 1 : 0;
    }
    String name = "run " + seed + ", " + sample.format() + " " + sample.rows() + ", " + moment;
    if (!ended.killed()) {
      violations.add(name + ": the writer ended by itself: " + ended);
    }
    judge(name, sample, bucket, last);
    writeAgain(name, sample, endpoint, bucket);
  }

  /** Turns are dealt evenly over what the run is about to ask, with a few behind its end. */
  private static KillRelay.Moment moment(SampleRun sample, Random random) {
    return new KillRelay.Moment(
        random.nextInt(sample.turns() + 2), random.nextBoolean() ? 0 : random.nextInt(MOST_BYTES));
  }

  private void judge(String name, SampleRun sample, KilledBucket bucket, String last)
      throws Exception {
    leftUploads += bucket.uploads();
    if (bucket.hasManifest()) {
      committed++;
      bucket.lies(sample).forEach(lie -> violations.add(name + ": after the kill: " + lie));
    } else if (last != null) {
      violations.add(name + ": no manifest although the writer said: " + last);
    }
  }

  private void writeAgain(String name, SampleRun sample, S3Endpoint endpoint, KilledBucket bucket)
      throws Exception {
    boolean before = bucket.hasManifest();
    try {
      RunManifest manifest = sample.publish(endpoint, endpoint.uri(), bucket.name());
      if (before) {
        violations.add(name + ": committed twice: " + manifest);
      }
    } catch (RunConflictException e) {
      if (!before) {
        violations.add(name + ": refused although not committed: " + e);
      }
    }
    bucket.lies(sample).forEach(lie -> violations.add(name + ": written again: " + lie));
  }
}
