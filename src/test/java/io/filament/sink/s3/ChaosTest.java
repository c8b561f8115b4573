package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many runs, each drawn from a seed, with faults in all calls of the store. {@code -Dchaos.runs=N}
 * and {@code -Dchaos.seed=S} choose how many, and the first one's seed; the next ones have S+1, S+2
 * and so on.
 */
class ChaosTest {

  private static final int RUNS = Integer.getInteger("chaos.runs", 200);
  private static final long FIRST_SEED = Long.getLong("chaos.seed", 1);
  private static final int MOST_VIOLATIONS = 10;
  // No run waits for anything but its own threads; one that takes so long never ends.
  private static final long WATCHDOG_SECONDS = 60;

  @TempDir private Path directory;

  @Test
  void noFaultMakesAManifestLieOrLeavesAnUpload() throws Exception {
    int done = 0;
    long faults = 0;
    int committed = 0;
    List<String> violations = new ArrayList<>();
    try (ChaosDecoder decoder = new ChaosDecoder(directory);
        ChaosServer server = new ChaosServer()) {
      while (done < RUNS && violations.size() < MOST_VIOLATIONS) {
        ChaosPlan plan = ChaosPlan.draw(FIRST_SEED + done);
        ChaosRun.Outcome outcome = watched(plan, decoder, server);
        done++;
        faults += outcome.faults();
        committed += outcome.committed() ? 1 : 0;
        for (String violation : outcome.violations()) {
          violations.add("seed " + plan.seed() + ": " + violation + "\n  in " + plan);
        }
      }
    }
    System.out.printf(
        "chaos: %d runs, %d faults, %d committed, %d violations%n",
        done, faults, committed, violations.size());
    assertThat(violations).as("replay one with -Dchaos.runs=1 -Dchaos.seed=<seed>").isEmpty();
  }

  /** Runs a plan in a thread group of its own, in which leaked threads are found. */
  private static ChaosRun.Outcome watched(ChaosPlan plan, ChaosDecoder decoder, ChaosServer server)
      throws Exception {
    ChaosStore store =
        plan.wire().map(wire -> server.open(plan, wire)).orElseGet(() -> new ChaosMemory(plan));
    FutureTask<ChaosRun.Outcome> task =
        new FutureTask<>(() -> new ChaosRun(plan, store).run(decoder));
    ThreadGroup group = new ThreadGroup("chaos-" + plan.seed());
    Thread thread = new Thread(group, task, "chaos-run");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(WATCHDOG_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the run does not end: seed " + plan.seed() + stacks(group), e);
    } catch (ExecutionException e) {
      throw new AssertionError("the run breaks: seed " + plan.seed() + ", " + plan, e);
    }
  }

  private static String stacks(ThreadGroup group) {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              if (thread.getThreadGroup() == group) {
                text.append("\n").append(thread.getName());
                for (StackTraceElement frame : frames) {
                  text.append("\n  at ").append(frame);
                }
              }
            });
    return text.toString();
  }
}
