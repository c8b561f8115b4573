package io.filament.sink.s3.internal.store;

import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;

/** A client as docs/operations.md tells a host to make it. */
final class HostClient {

  private HostClient() {}

  static S3Client with(URI endpoint, Credentials keys) {
    return with(
        endpoint,
        StaticCredentialsProvider.create(
            AwsSessionCredentials.create(
                keys.accessKeyId(), keys.secretAccessKey(), keys.sessionToken().orElseThrow())));
  }

  static S3Client with(URI endpoint, AwsCredentialsProvider credentials) {
    return S3Client.builder()
        .region(Region.EU_WEST_1)
        .credentialsProvider(credentials)
        .endpointOverride(endpoint)
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .serviceConfiguration(
            S3Configuration.builder()
                .chunkedEncodingEnabled(false)
                .pathStyleAccessEnabled(true)
                .expectContinueEnabled(false)
                .build())
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }
}
