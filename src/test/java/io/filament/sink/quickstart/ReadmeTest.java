package io.filament.sink.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.InvalidRecordException;
import io.filament.sink.RunManifest;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** README.md shows code that compiles, and says what that code does. */
class ReadmeTest {

  private static final Instant STARTED_AT = Instant.parse("2026-09-10T02:00:00Z");

  private static S3ProxyServer server;
  private static S3Client client;
  private static String readme;

  @BeforeAll
  static void start() throws IOException {
    readme = Files.readString(Path.of("README.md"));
    server = S3ProxyServer.start();
    client = server.endpoint().client();
    client.createBucket(request -> request.bucket("lake"));
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"config", "run", "failure"})
  void codeIsThatOfTheExample(String snippet) throws IOException {
    assertThat(readme).contains(snippet(snippet));
  }

  @Test
  void configurationIsValid() {
    assertThat(S3SinkConfig.fromMap(ReadmeExample.config()).toMap())
        .containsAllEntriesOf(ReadmeExample.config());
  }

  @Test
  void runLeavesTheObjectsAndTheManifestThatAreShown() throws IOException {
    RunManifest manifest = ReadmeExample.run(config(), STARTED_AT);

    List<String> keys =
        client
            .listObjectsV2(request -> request.bucket("lake").prefix("local_pg/"))
            .contents()
            .stream()
            .map(S3Object::key)
            .toList();
    assertThat(keys).hasSize(3);
    assertThat(readme).contains(keys.stream().map(key -> "s3://lake/" + key + "\n").toList());
    String stored =
        client
            .getObjectAsBytes(
                request ->
                    request.bucket("lake").key(manifest.uri().substring("s3://lake/".length())))
            .asUtf8String();
    assertThat(withoutBlanks(readme)).contains(withoutBlanks(stored));
  }

  @Test
  void failureHasTheMessageThatIsShown() {
    InvalidRecordException failure =
        catchThrowableOfType(
            InvalidRecordException.class, () -> ReadmeExample.failingRun(config()));

    assertThat(readme).contains(failure.getClass().getName() + ": " + failure.getMessage() + "\n");
  }

  @Test
  void runItAndTestItHaveOneCommandEach() {
    Map<String, List<String>> commands = new TreeMap<>();
    for (String section : List.of("Run it", "Test it")) {
      String text = readme.split("\n## " + section + "\n", 2)[1].split("\n## ", 2)[0];
      commands.put(
          section,
          text.lines()
              .dropWhile(line -> !line.equals("```sh"))
              .skip(1)
              .takeWhile(line -> !line.equals("```"))
              .toList());
      assertThat(text.split("```sh\n", -1)).as(section).hasSize(2);
    }

    assertThat(commands)
        .isEqualTo(
            Map.of(
                "Run it",
                List.of("mvn test-compile exec:java@quickstart"),
                "Test it",
                List.of("mvn verify")));
  }

  /** Points the example's configuration at the embedded server. */
  private static Map<String, Object> config() {
    S3Endpoint endpoint = server.endpoint();
    Map<String, Object> config = new HashMap<>(ReadmeExample.config());
    config.put("endpoint", endpoint.uri().toString());
    config.put("auth_method", "iam_credentials");
    config.put("access_key_id", endpoint.accessKey());
    config.put("secret_access_key", endpoint.secretKey());
    return config;
  }

  private static String withoutBlanks(String text) {
    return text.replaceAll("\\s", "");
  }

  private static String snippet(String name) throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of("src/test/java/io/filament/sink/quickstart/ReadmeExample.java"));
    int from = lines.stream().map(String::strip).toList().indexOf("// snippet: " + name) + 1;
    assertThat(from).as("start of snippet %s", name).isPositive();
    return lines.subList(from, lines.size()).stream()
        .takeWhile(line -> !line.strip().equals("// end of snippet"))
        .collect(Collectors.joining("\n"))
        .stripIndent();
  }
}
