package io.filament.sink.quickstart;

import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** The bucket that the quickstart writes to, seen past the sink: with the AWS SDK alone. */
final class Store implements AutoCloseable {

  private static final String OWN_BUCKET = "quickstart";

  private final Optional<S3ProxyServer> server;
  private final Options options;
  private @Nullable S3Client client;

  private Store(Optional<S3ProxyServer> server, Options options) {
    this.server = server;
    this.options = options;
  }

  /** Returns the store that the options name, or a server that is started here. */
  static Store of(Options options) {
    if (options.bucket().isPresent()) {
      return new Store(Optional.empty(), options);
    }
    S3ProxyServer server = S3ProxyServer.start();
    S3Endpoint endpoint = server.endpoint();
    return new Store(
        Optional.of(server),
        new Options(
            Optional.of(OWN_BUCKET),
            Optional.of(endpoint.uri().toString()),
            Optional.empty(),
            Optional.of(new Options.Keys(endpoint.accessKey(), endpoint.secretKey()))));
  }

  boolean isEmbedded() {
    return server.isPresent();
  }

  String bucket() {
    return options.bucket().orElseThrow();
  }

  /** Returns where the store is, in words. */
  String place() {
    String place = options.endpoint().orElse("AWS");
    return isEmbedded() ? "S3Proxy in this process, " + place : place;
  }

  /** Returns the settings of the sink that say where the store is. */
  Map<String, Object> connection() {
    Map<String, Object> config = new HashMap<>();
    config.put("bucket", bucket());
    options.endpoint().ifPresent(endpoint -> config.put("endpoint", endpoint));
    options.region().ifPresent(region -> config.put("region", region));
    options
        .keys()
        .ifPresent(
            keys -> {
              config.put("auth_method", "iam_credentials");
              config.put("access_key_id", keys.accessKeyId());
              config.put("secret_access_key", keys.secretAccessKey());
            });
    return config;
  }

  /** Makes the bucket if the store says that it is missing, and returns whether it was made. */
  boolean ensureBucket() {
    try {
      client().headBucket(request -> request.bucket(bucket()));
      return false;
    } catch (NoSuchBucketException e) {
      client().createBucket(request -> request.bucket(bucket()));
      return true;
    } catch (SdkException e) {
      // The sink's connection test has said in plain words what is wrong.
      return false;
    }
  }

  /** Returns the size of each object below a prefix, by key. */
  SortedMap<String, Long> objects(String prefix) {
    SortedMap<String, Long> bytesByKey = new TreeMap<>();
    client()
        .listObjectsV2Paginator(request -> request.bucket(bucket()).prefix(prefix + "/"))
        .contents()
        .forEach(object -> bytesByKey.put(object.key(), object.size()));
    return bytesByKey;
  }

  /** Returns how many multipart uploads are unfinished below a prefix. */
  int unfinishedUploads(String prefix) {
    return client()
        .listMultipartUploads(request -> request.bucket(bucket()).prefix(prefix + "/"))
        .uploads()
        .size();
  }

  /** Returns the bytes of an object as text. */
  String text(String key) {
    return client().getObjectAsBytes(request -> request.bucket(bucket()).key(key)).asUtf8String();
  }

  /** Copies an object to a folder, with its key as the path. */
  void download(String key, Path folder) throws IOException {
    Path file = folder.resolve(key);
    Files.createDirectories(file.getParent());
    client().getObject(request -> request.bucket(bucket()).key(key), file);
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    server.ifPresent(S3ProxyServer::close);
  }

  /** Made when it is needed: the sink's own check of the options comes first. */
  private S3Client client() {
    if (client == null) {
      client = newClient(options);
    }
    return client;
  }

  private static S3Client newClient(Options options) {
    S3ClientBuilder builder =
        S3Client.builder()
            .forcePathStyle(options.endpoint().isPresent())
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    options.endpoint().map(URI::create).ifPresent(builder::endpointOverride);
    options
        .region()
        .or(() -> options.endpoint().map(endpoint -> "us-east-1"))
        .ifPresent(region -> builder.region(Region.of(region)));
    options
        .keys()
        .ifPresent(
            keys ->
                builder.credentialsProvider(
                    StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(keys.accessKeyId(), keys.secretAccessKey()))));
    return builder.build();
  }
}
