package io.filament.sink.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The quickstart shows what it wrote and read, on its own server and on one that is given. */
class QuickstartTest {

  private static final Instant STARTED_AT = Instant.parse("2026-09-10T02:00:00Z");

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final Console console =
      Console.plain(new PrintStream(shown, true, StandardCharsets.UTF_8), StandardCharsets.UTF_8);

  @Test
  void everyFormatIsReadBackEqualFromTheEmbeddedServer() throws Exception {
    int exitCode = Quickstart.run(List.of(), Map.of(), STARTED_AT, console);

    assertThat(text()).endsWith("Done: every record was read back equal.\n");
    assertThat(exitCode).isZero();
    for (String format :
        List.of("ndjson/%s/*/*.ndjson.gz", "json/%s/*/*.json", "parquet/%s/*/*.parquet")) {
      assertThat(text())
          .containsSubsequence(
              "demo/" + format.formatted("airports"),
              "3,376 rows written, 3,376 rows read: all values equal",
              "demo/" + format.formatted("earthquakes"),
              "1,707 rows written, 1,707 rows read: all values equal");
    }
    assertThat(text()).contains("dt=2026-09-10", "└─ run-1.ndjson.gz", "\"run\":\"run-3\"");
  }

  @Test
  void thatTheStoreCanBeWrittenToIsTriedBefore() throws Exception {
    Quickstart.run(List.of(), Map.of(), STARTED_AT, console);

    assertThat(text())
        .containsSubsequence(
            "connection test: An upload was started, took a part and was aborted below"
                + " s3://quickstart/demo/, so the credentials may write there.",
            "2. Three runs");
  }

  @Test
  void recordThatDoesNotFitLeavesNothing() throws Exception {
    Quickstart.run(List.of(), Map.of(), STARTED_AT, console);

    assertThat(text())
        .contains(
            "InvalidRecordException: resource \"airports\", row 2, field \"latitude\"",
            "objects of run-4: 0, unfinished uploads: 0");
  }

  @Test
  void storeOfOnesOwnGetsABucketAndAPrefixOfThisRun() throws Exception {
    try (S3ProxyServer server = S3ProxyServer.start()) {
      S3Endpoint endpoint = server.endpoint();

      int exitCode =
          Quickstart.run(
              List.of(
                  "--endpoint", endpoint.uri().toString(), "--access-key", endpoint.accessKey()),
              Map.of("QUICKSTART_BUCKET", "mine", "QUICKSTART_SECRET_KEY", endpoint.secretKey()),
              STARTED_AT,
              console);

      assertThat(exitCode).isZero();
      assertThat(text())
          .contains(
              "9 objects below s3://mine/filament-quickstart/20260910T020000Z/",
              "the bucket \"mine\", which was made for this")
          .doesNotContain(endpoint.secretKey());
    }
  }

  @Test
  void unreachableStoreIsSaidInPlainWords() throws Exception {
    S3ProxyServer gone = S3ProxyServer.start();
    gone.close();

    int exitCode =
        Quickstart.run(
            List.of(
                "--endpoint", gone.endpoint().uri().toString(),
                "--bucket", "mine",
                "--access-key", "a",
                "--secret-key", "b"),
            Map.of(),
            STARTED_AT,
            console);

    assertThat(exitCode).isEqualTo(1);
    assertThat(text()).contains("FAILED: ").doesNotContain("\tat ");
  }

  @Test
  void unknownArgumentIsNamedWithTheUsage() throws Exception {
    int exitCode = Quickstart.run(List.of("--buckets", "x"), Map.of(), STARTED_AT, console);

    assertThat(exitCode).isEqualTo(2);
    assertThat(text()).startsWith("Quickstart: unknown argument --buckets").contains("--bucket ");
  }

  @Test
  void endpointWithoutBucketIsRefused() throws Exception {
    int exitCode =
        Quickstart.run(
            List.of(), Map.of("QUICKSTART_ENDPOINT", "http://127.0.0.1:1"), STARTED_AT, console);

    assertThat(exitCode).isEqualTo(2);
    assertThat(text()).startsWith("Quickstart: a store of your own needs --bucket");
  }

  private String text() {
    return shown.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
  }
}
