package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.testing.PrintedLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs everything in a JVM that prints every log at every level, against a store that repeats what
 * it was sent, and looks for the secrets in all that comes out.
 */
class SecretsNeverLeaveTest {

  private static final int LIMIT_SECONDS = 300;

  @TempDir static Path directory;

  private static List<String> lines;

  @BeforeAll
  static void runEverything() throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Dslf4j.provider=" + PrintedLogs.class.getName(),
                "-cp",
                System.getProperty("java.class.path"),
                SecretsMain.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    lines = Files.readAllLines(output);
    assertThat(ended && process.exitValue() == 0)
        .as("the end of %s", lines.subList(Math.max(0, lines.size() - 20), lines.size()))
        .isTrue();
  }

  /** Without this, nothing below would show anything. */
  @Test
  void everyOperationWasRefusedOnceAndAManifestPublished() {
    assertThat(lines)
        .filteredOn(line -> line.startsWith("refused "))
        .singleElement()
        .asString()
        .contains(SecretsMain.OPERATIONS.subList(1, SecretsMain.OPERATIONS.size()));
    assertThat(lines)
        .filteredOn(line -> line.startsWith("manifest "))
        .singleElement()
        .asString()
        .contains("\"resources\"");
    assertThat(lines).anyMatch(line -> line.startsWith("THROWN ") && line.contains("***"));
  }

  @Test
  void logsOfTheSdkAndTheHttpClientArePrintedAtTrace() {
    assertThat(lines)
        .anyMatch(line -> line.startsWith(PrintedLogs.MARK + "software.amazon.awssdk."))
        .anyMatch(line -> line.startsWith(PrintedLogs.MARK + "org.apache.hc.client5."))
        .anyMatch(line -> line.startsWith(PrintedLogs.MARK) && line.contains(" TRACE "));
  }

  /** What a store repeats comes through all the same, with the secrets masked. */
  @Test
  void logsOfTheSdkShowWhatTheStoreAnswers() {
    assertThat(lines)
        .anyMatch(
            line ->
                line.startsWith(PrintedLogs.MARK + "software.amazon.awssdk.request ")
                    && line.contains("-customer-key=[***]"));
  }

  @Test
  void answersThatNobodyUnderstandsAreQuotedAndMasked() {
    for (String words : List.of("Unsupported transfer encoding: ", "Invalid content length: ")) {
      assertThat(lines)
          .anyMatch(
              line ->
                  line.startsWith(PrintedLogs.MARK + "software.amazon.awssdk.")
                      && line.contains(words));
    }
  }

  @Test
  void secretsAreNowhere() {
    assertThat(lines).noneMatch(line -> SecretsMain.ALL.stream().anyMatch(line::contains));
  }
}
