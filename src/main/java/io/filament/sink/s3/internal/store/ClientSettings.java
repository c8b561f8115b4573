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
 * @param credentials fixed keys, those that assume the role if there is one; if empty, the SDK's
 *     default chain
 * @param uploadConcurrency how many requests are in flight at most
 * @param role the role that requests are made as; if empty, the credentials' own
 * @param route the way to the store
 */
public record ClientSettings(
    Optional<String> region,
    Optional<URI> endpoint,
    boolean pathStyle,
    Optional<Credentials> credentials,
    int uploadConcurrency,
    Optional<Role> role,
    Route route) {

  public ClientSettings {
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(role, "role");
    Objects.requireNonNull(route, "route");
    if (uploadConcurrency < 1) {
      throw new IllegalArgumentException(
          "uploadConcurrency must be positive: " + uploadConcurrency);
    }
  }

  /** Makes settings without a role, and with the usual way. */
  public ClientSettings(
      Optional<String> region,
      Optional<URI> endpoint,
      boolean pathStyle,
      Optional<Credentials> credentials,
      int uploadConcurrency) {
    this(
        region,
        endpoint,
        pathStyle,
        credentials,
        uploadConcurrency,
        Optional.empty(),
        Route.DIRECT);
  }

  /** Returns the same with requests made as a role. */
  public ClientSettings as(Role other) {
    return new ClientSettings(
        region, endpoint, pathStyle, credentials, uploadConcurrency, Optional.of(other), route);
  }

  /** Returns the same by another way. */
  public ClientSettings by(Route other) {
    return new ClientSettings(
        region, endpoint, pathStyle, credentials, uploadConcurrency, role, other);
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
