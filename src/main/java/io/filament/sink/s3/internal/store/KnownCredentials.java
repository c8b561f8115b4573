package io.filament.sink.s3.internal.store;

import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials whose keys are masked in what others write, also those that come and go while a run
 * goes on. Any thread may call. Closes the provider that it asks.
 */
final class KnownCredentials implements AwsCredentialsProvider, SdkAutoCloseable {

  private final AwsCredentialsProvider provider;
  private final Secrets secrets;

  KnownCredentials(AwsCredentialsProvider provider, Secrets secrets) {
    this.provider = provider;
    this.secrets = secrets;
  }

  /** Returns the secrets of a client of {@link S3Clients}; of a host's client none are known. */
  static Secrets secretsOf(S3Client client) {
    return client.serviceClientConfiguration().credentialsProvider()
            instanceof KnownCredentials known
        ? known.secrets
        : Secrets.none();
  }

  @Override
  public AwsCredentials resolveCredentials() {
    AwsCredentials credentials = provider.resolveCredentials();
    List<String> keys = List.of(credentials.accessKeyId(), credentials.secretAccessKey());
    secrets.learn(
        credentials instanceof AwsSessionCredentials session
            ? Stream.concat(keys.stream(), Stream.of(session.sessionToken())).toList()
            : keys);
    return credentials;
  }

  @Override
  public void close() {
    if (provider instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  /** Shows nothing: a provider of others may show its keys. */
  @Override
  public String toString() {
    return "KnownCredentials[***]";
  }
}
