package io.filament.sink.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkEvent.InFlight;
import io.filament.sink.WriteReceipt;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
  private long now;

  @Test
  void aTerminalShowsOneLineThatIsWrittenOver() {
    run(Console.terminal(out, StandardCharsets.UTF_8));

    assertThat(lines()).hasSize(2);
    assertThat(lines()[0].split("\r"))
        .endsWith(
            "   writing           500 rows      1.0 KiB   parts 0, in flight 1   250 rows/s",
            "   writing           500 rows      1.0 KiB   parts 1, in flight 0   250 rows/s");
    assertThat(lines()[1]).startsWith("   a                 500 rows").endsWith("crc32c 0a1b2c3d");
  }

  @Test
  void aShorterLineLeavesNothingOfALongerOne() {
    Console console = Console.terminal(out, StandardCharsets.UTF_8);
    console.status("long");
    console.status("a");

    assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo("\r   long\r   a   ");
  }

  @Test
  void elsewhereABatchIsADot() {
    run(Console.plain(out, StandardCharsets.UTF_8));

    assertThat(shown.toString(StandardCharsets.UTF_8)).doesNotContain("\r");
    assertThat(lines()[0]).isEqualTo("   writing      a ..");
    assertThat(lines()).hasSize(2);
  }

  private void run(Console console) {
    Progress progress = new Progress(console, () -> now);
    progress.runOpened(RunSpec.builder("r").build());
    progress.batchWritten(batch(200, 900));
    now = Duration.ofSeconds(2).toNanos();
    progress.batchWritten(batch(300, 1024));
    progress.partStarted(new SinkEvent.PartStarted("a", 1, 1024, new InFlight(1, 1024)));
    progress.partUploaded(
        new SinkEvent.PartUploaded("a", 1, 1024, Duration.ofSeconds(1), new InFlight(0, 0)));
    progress.objectCompleted(new RunManifest.Entry("a", "k", "s3://b/k", 500, 1024, "0a1b2c3d"));
  }

  private static SinkEvent.BatchWritten batch(long rows, long encodedBytes) {
    WriteReceipt receipt = new WriteReceipt("a", rows, "s3://b/k", encodedBytes);
    return new SinkEvent.BatchWritten(receipt, Duration.ZERO, OptionalLong.empty());
  }

  private String[] lines() {
    return shown.toString(StandardCharsets.UTF_8).split(System.lineSeparator());
  }
}
