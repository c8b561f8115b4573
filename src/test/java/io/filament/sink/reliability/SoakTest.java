package io.filament.sink.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Run after run in one JVM with 64 MiB of heap uses nothing up.
 *
 * <p>{@code -Dsoak.runs=N} sets the number of runs.
 */
class SoakTest {

  private static final int RUNS = Integer.getInteger("soak.runs", 60);

  /** Classes are loaded, pools are filled and compiled code is there after a fifth of the runs. */
  private static final int WARM = Math.max(SoakRuns.STEP, RUNS / 5);

  /** Connections of the sinks that are kept come and go, at most one a sink. */
  private static final int LOOSE_FILES = 4;

  /** Those that look after the connections of the last sinks may be ending; a leak is one a run. */
  private static final int LOOSE_THREADS = 4;

  private static final long LOOSE_HEAP_BYTES = 1 << 20;

  /** What the child holds after a run. */
  private record Held(int run, int threads, int files, long heapBytes) {

    static Held of(String line) {
      String[] numbers = line.split(" ", 4);
      return new Held(
          Integer.parseInt(numbers[0]),
          Integer.parseInt(numbers[1]),
          Integer.parseInt(numbers[2]),
          Long.parseLong(numbers[3]));
    }
  }

  @Test
  void runsUseUpNoThreadsFilesOrHeap() throws Exception {
    List<Held> all = new ArrayList<>();
    try (S3ProxyServer server = S3ProxyServer.start();
        ChildJvm child = start(server.endpoint())) {
      for (String line = child.line(); line != null; line = child.line()) {
        all.add(Held.of(line));
      }
      assertThat(child.ended()).isEqualTo(new ChildJvm.Ended(0, ""));
    }
    Held warm = all.stream().filter(held -> held.run >= WARM).findFirst().orElseThrow();
    Held last = all.get(all.size() - 1);
    System.out.printf("soak: %d runs, warm %s, last %s%n", RUNS, warm, last);
    assertThat(last.run).isGreaterThan(RUNS - SoakRuns.STEP);
    assertThat(all)
        .filteredOn(held -> held.run > WARM)
        .isNotEmpty()
        .allSatisfy(
            held -> {
              assertThat(held.threads).isLessThanOrEqualTo(warm.threads + LOOSE_THREADS);
              assertThat(held.files).isLessThanOrEqualTo(warm.files + LOOSE_FILES);
              assertThat(held.heapBytes).isLessThanOrEqualTo(warm.heapBytes + LOOSE_HEAP_BYTES);
            });
  }

  private static ChildJvm start(S3Endpoint endpoint) throws IOException {
    List<String> arguments = new ArrayList<>(Settings.arguments(endpoint, endpoint.uri()));
    arguments.addAll(List.of(endpoint.createBucket(), Integer.toString(RUNS)));
    return ChildJvm.start(SoakRuns.class, List.of("-Xmx64m"), arguments);
  }
}
