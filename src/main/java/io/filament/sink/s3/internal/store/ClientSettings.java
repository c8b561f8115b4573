package io.filament.sink.s3.internal.store;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a client of a store is made from.
 *
 * @param region the bucket's region; if empty, it is looked for
 * @param endpoint where an S3-compatible store listens; if empty, AWS
 * @param pathStyle whether the bucket is the first segment of the path instead of a part of the
 *     host's name
 * @param credentials fixed keys; if empty, the SDK's default chain
 * @param uploadConcurrency how many requests are in flight at most
 */
public record ClientSettings(
    Optional<String> region,
    Optional<URI> endpoint,
    boolean pathStyle,
    Optional<Credentials> credentials,
    int uploadConcurrency) {

  public ClientSettings {
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credentials, "credentials");
    if (uploadConcurrency < 1) {
      throw new IllegalArgumentException(
          "uploadConcurrency must be positive: " + uploadConcurrency);
    }
  }

  /**
   * Fixed keys. {@code toString} masks all of them.
   *
   * @param accessKeyId names the keys
   * @param secretAccessKey signs
   * @param sessionToken belongs to keys that expire
   */
  public record Credentials(
      String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {

    public Credentials {
      Objects.requireNonNull(accessKeyId, "accessKeyId");
      Objects.requireNonNull(secretAccessKey, "secretAccessKey");
      Objects.requireNonNull(sessionToken, "sessionToken");
    }

    @Override
    public String toString() {
      return "Credentials[***]";
    }

    List<String> secrets() {
      return Stream.concat(Stream.of(accessKeyId, secretAccessKey), sessionToken.stream()).toList();
    }
  }
}
