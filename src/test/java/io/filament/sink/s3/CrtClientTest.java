package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.RunSpec;
import io.filament.sink.SinkException;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import io.filament.sink.s3.testing.StoreProfile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The AWS Common Runtime is not on this JVM's class path, since {@code auto} would take it in all
 * tests; the build puts it into {@code target/crt}, for a JVM of its own.
 */
@Timeout(120)
class CrtClientTest {

  private static final Path JARS = Path.of("target", "crt");
  private static final int PARTS = 2;

  @TempDir private static Path directory;

  @Test
  void commonRuntimeIsUsedWhereTheHostHasAddedIt() throws Exception {
    try (FaultServer server = FaultServer.start()) {
      ServedBucket bucket = server.createBucket("bucket", StoreProfile.S3);
      Fault.Stall stall = new Fault.Stall();
      bucket.plan(
          asked ->
              asked.operation() == S3Operation.UPLOAD_PART && asked.key().endsWith("run-2.ndjson"),
          1,
          Integer.MAX_VALUE,
          new Fault.Stalled(Fault.Point.REQUEST_READ, stall));

      List<String> lines = run(server.uri().toString());
      stall.release();

      assertThat(lines).containsSubsequence("committed", "aborted");
      assertThat(bucket.asked())
          .allSatisfy(
              asked -> assertThat(asked.headers().get("user-agent")).contains("AwsCommonRuntime"));
      assertThat(bucket.keys())
          .containsExactly("p/_runs/run-1/_SUCCESS.json", "p/orders/dt=2026-09-10/run-1.ndjson");
      assertThat(
              new String(
                      bucket.content("p/orders/dt=2026-09-10/run-1.ndjson"), StandardCharsets.UTF_8)
                  .lines())
          .hasSize(CrtMain.ROWS);
      assertThat(bucket.partLengths("p/orders/dt=2026-09-10/run-1.ndjson")).hasSize(PARTS);
      assertThat(bucket.openUploads()).isEmpty();
    }
  }

  @Test
  void commonRuntimeThatIsNotThereIsRefusedWhenARunOpens() throws IOException {
    try (S3Sink sink =
        S3Sink.create(Map.of("bucket", "lake", "region", "eu-west-1", "http_client", "crt"))) {
      assertThatThrownBy(() -> sink.open(RunSpec.builder("run-1").build()))
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("software.amazon.awssdk:aws-crt-client is not on the class path");
    }
  }

  private static List<String> run(String url) throws IOException, InterruptedException {
    String classPath;
    try (Stream<Path> jars = Files.list(JARS)) {
      classPath =
          Stream.concat(Stream.of(System.getProperty("java.class.path")), jars.map(Path::toString))
              .collect(Collectors.joining(File.pathSeparator));
    }
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-cp",
                classPath,
                CrtMain.class.getName(),
                url)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).as("the child ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output);
  }
}
