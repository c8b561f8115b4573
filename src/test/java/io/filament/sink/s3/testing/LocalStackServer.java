package io.filament.sink.s3.testing;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

  private static final String UNIX = "unix://";
  private static final int PING_SECONDS = 5;

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

  /** Asks Docker itself first: Testcontainers takes its time to say no, or waits for ever. */
  private static boolean dockerAnswers() {
    boolean wanted =
        !System.getenv().getOrDefault("S3_TEST_DOCKER", "").toLowerCase(Locale.ROOT).equals("off");
    return wanted && somebodyListens() && DockerClientFactory.instance().isDockerAvailable();
  }

  private static boolean somebodyListens() {
    String host = System.getenv().getOrDefault("DOCKER_HOST", "");
    if (host.startsWith(UNIX)) {
      return answersPing(Path.of(host.substring(UNIX.length())));
    }
    String home = System.getProperty("user.home");
    return !host.isBlank()
        || Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(home, ".docker/run/docker.sock"),
                Path.of(home, ".docker/desktop/docker.sock"),
                Path.of(System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/run"), "docker.sock"))
            .filter(Files::exists)
            .anyMatch(LocalStackServer::answersPing);
  }

  private static boolean answersPing(Path socket) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return CompletableFuture.supplyAsync(() -> sendsAnything(channel))
          .completeOnTimeout(false, PING_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static boolean sendsAnything(SocketChannel channel) {
    try {
      channel.write(
          ByteBuffer.wrap(
              "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      return channel.read(ByteBuffer.allocate(1)) == 1;
    } catch (IOException e) {
      return false;
    }
  }

  /** Holds the server that lives as long as the JVM. */
  private static final class Shared {
    static final Optional<S3Endpoint> ENDPOINT = startIfDockerAnswers();
  }
}
