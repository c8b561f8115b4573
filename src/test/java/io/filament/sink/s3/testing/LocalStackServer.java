package io.filament.sink.s3.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * LocalStack in a container, where Docker answers.
 *
 * <p>The container lives as long as the JVM; Testcontainers removes it, also after a crash. {@code
 * S3_TEST_DOCKER=off} leaves it out although Docker answers.
 */
final class LocalStackServer {

  /** The last version that asks for no account. */
  private static final DockerImageName IMAGE =
      DockerImageName.parse("localstack/localstack:4.14.0");

  private LocalStackServer() {}

  /** Gives the endpoint of the one server that all tests of this JVM share, if there can be one. */
  static Optional<S3Endpoint> sharedIfDockerAnswers() {
    return Shared.ENDPOINT;
  }

  private static Optional<S3Endpoint> startIfDockerAnswers() {
    if (!dockerAnswers()) {
      return Optional.empty();
    }
    LocalStackContainer container = new LocalStackContainer(IMAGE).withServices("s3");
    container.start();
    return Optional.of(
        new S3Endpoint(
            "LocalStack",
            container.getEndpoint(),
            container.getAccessKey(),
            container.getSecretKey(),
            container.getRegion()));
  }

  /** Looks for a socket before it asks Testcontainers, which takes its time to say no. */
  private static boolean dockerAnswers() {
    boolean wanted =
        !System.getenv().getOrDefault("S3_TEST_DOCKER", "").toLowerCase(Locale.ROOT).equals("off");
    return wanted && socketExists() && DockerClientFactory.instance().isDockerAvailable();
  }

  private static boolean socketExists() {
    String home = System.getProperty("user.home");
    return System.getenv("DOCKER_HOST") != null
        || Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(home, ".docker/run/docker.sock"),
                Path.of(home, ".docker/desktop/docker.sock"),
                Path.of(home, ".testcontainers.properties"),
                Path.of(System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/run"), "docker.sock"))
            .anyMatch(Files::exists);
  }

  /** Holds the server that lives as long as the JVM. */
  private static final class Shared {
    static final Optional<S3Endpoint> ENDPOINT = startIfDockerAnswers();
  }
}
