package io.filament.sink.reliability;

import io.filament.sink.s3.testing.S3Endpoint;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Where a child JVM finds the parent's S3 server. */
final class Settings {

  private Settings() {}

  static Map<String, Object> of(S3Endpoint endpoint, URI address, String bucket) {
    return Map.of(
        "bucket", bucket,
        "region", endpoint.region(),
        "endpoint", address.toString(),
        "auth_method", "iam_credentials",
        "access_key_id", endpoint.accessKey(),
        "secret_access_key", endpoint.secretKey());
  }

  /** Returns the endpoint as arguments of a main method. */
  static List<String> arguments(S3Endpoint endpoint, URI address) {
    return List.of(
        address.toString(), endpoint.accessKey(), endpoint.secretKey(), endpoint.region());
  }

  /** Returns the endpoint that the first four arguments of a main method name. */
  static S3Endpoint endpoint(String... arguments) {
    return new S3Endpoint(
        "parent", URI.create(arguments[0]), arguments[1], arguments[2], arguments[3]);
  }
}
