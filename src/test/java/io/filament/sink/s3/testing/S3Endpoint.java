package io.filament.sink.s3.testing;

import java.net.URI;
import java.util.Objects;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;

/**
 * An S3 server that a test may write to, and the keys that open it.
 *
 * <p>Any number of tests may use one endpoint at the same time, each in a bucket of its own.
 *
 * @param name what the report calls the server
 * @param uri scheme, host and port
 * @param accessKey the access key id
 * @param secretKey the secret access key
 * @param region the region that requests are signed for
 */
public record S3Endpoint(String name, URI uri, String accessKey, String secretKey, String region) {

  static final String DEFAULT_REGION = "us-east-1";

  /** Refuses a missing part. */
  public S3Endpoint {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(uri, "uri");
    Objects.requireNonNull(accessKey, "accessKey");
    Objects.requireNonNull(secretKey, "secretKey");
    Objects.requireNonNull(region, "region");
  }

  /** Gives a new client, which the caller closes. It sends plain bodies, as the sink does. */
  public S3Client client() {
    return S3Client.builder()
        .endpointOverride(uri)
        .region(Region.of(region))
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
        .forcePathStyle(true)
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .serviceConfiguration(
            S3Configuration.builder()
                .chunkedEncodingEnabled(false)
                .expectContinueEnabled(false)
                .build())
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }

  /** Creates an empty bucket that no other test has, and gives its name. */
  public String createBucket() {
    try (S3Client client = client()) {
      return createBucket(client);
    }
  }

  /** Creates an empty bucket that no other test has, through this client, and gives its name. */
  public static String createBucket(S3Client client) {
    String bucket = "test-" + UUID.randomUUID();
    client.createBucket(request -> request.bucket(bucket));
    return bucket;
  }

  /** Gives the name alone: test reports show it, and the secret is nobody's business. */
  @Override
  public String toString() {
    return name;
  }
}
