package io.filament.sink.s3.testing;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gives the S3 servers that are at hand.
 *
 * <p>S3Proxy and S3Mock always are. Beside them stands the server that the environment names by
 * {@code S3_TEST_ENDPOINT}, {@code S3_TEST_ACCESS_KEY} and {@code S3_TEST_SECRET_KEY} (and {@code
 * S3_TEST_REGION}, if it is not {@code us-east-1}), else LocalStack where Docker answers. A server
 * that is not at hand is not in the list; nothing is skipped.
 */
public final class S3Endpoints {

  private S3Endpoints() {}

  /** Gives the endpoints of all servers at hand, starting those that do not run yet. */
  public static List<S3Endpoint> all() {
    return Stream.concat(
            Stream.of(S3ProxyServer.shared(), S3MockServer.shared()),
            named(System.getenv()).or(LocalStackServer::sharedIfDockerAnswers).stream())
        .toList();
  }

  /** Gives the endpoint that these variables name, if they name one. */
  static Optional<S3Endpoint> named(Map<String, String> environment) {
    String endpoint = environment.getOrDefault("S3_TEST_ENDPOINT", "");
    if (endpoint.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(
        new S3Endpoint(
            endpoint,
            URI.create(endpoint),
            required(environment, "S3_TEST_ACCESS_KEY"),
            required(environment, "S3_TEST_SECRET_KEY"),
            environment.getOrDefault("S3_TEST_REGION", S3Endpoint.DEFAULT_REGION)));
  }

  private static String required(Map<String, String> environment, String variable) {
    String value = environment.getOrDefault(variable, "");
    if (value.isBlank()) {
      throw new IllegalStateException("S3_TEST_ENDPOINT is set, but " + variable + " is not");
    }
    return value;
  }
}
