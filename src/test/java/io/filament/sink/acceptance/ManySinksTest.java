package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Sink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many sinks and runs in one process. */
@Timeout(60)
class ManySinksTest extends WithBucket {

  /** Counts the threads that are not those of the server, which is in this process too. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.getName().startsWith("qtp"))
        .count();
  }

  private void openAndClose(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      try (Sink sink = bucket.sink()) {
        sink.open(run("r" + i).build());
        sink.write(people("people"));
      }
    }
  }

  @Test
  void openedAndClosedSinksLeaveNoThreads() throws IOException {
    openAndClose(5);
    long before = threads();
    openAndClose(200);

    WithRelay.await("threads end", () -> threads() <= before + 3);
  }

  @Test
  void keysOfRunsSideBySideAreThoseOfTheLayout() throws Exception {
    Set<String> expected = new HashSet<>();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Callable<Void>> runs = new ArrayList<>();
      for (int thread = 0; thread < 16; thread++) {
        int number = thread;
        runs.add(
            () -> {
              try (Sink sink = bucket.sink("prefix", "p" + number)) {
                for (int i = 0; i < 5; i++) {
                  publish(sink, run("r" + i).build(), people("a" + number));
                }
              }
              return null;
            });
        for (int i = 0; i < 5; i++) {
          expected.add("p" + thread + "/a" + thread + "/dt=2026-09-10/r" + i + ".ndjson");
          expected.add("p" + thread + "/_runs/r" + i + "/_SUCCESS.json");
        }
      }
      for (Future<Void> done : threads.invokeAll(runs)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(bucket.keys()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void oneSinkTakesManyRunsOneAfterAnother() throws IOException {
    try (Sink sink = bucket.sink()) {
      for (int i = 0; i < 100; i++) {
        publish(sink, run("r" + i).build(), people("people"));
      }
    }

    assertThat(bucket.keys()).hasSize(200);
  }
}
