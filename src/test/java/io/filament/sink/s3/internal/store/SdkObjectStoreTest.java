package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3Endpoints;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * The SDK's store keeps the promises on every server at hand, at every level, through the sink's
 * own client.
 */
@Tag("s3")
@ParameterizedClass(name = "{0} {1}")
@MethodSource("endpointsAndLevels")
class SdkObjectStoreTest extends ObjectStoreContractTest {

  /** S3 User Guide, multipart upload limits. */
  private static final int LEAST_PART_BYTES = 5 * 1024 * 1024;

  @Parameter(0)
  S3Endpoint endpoint;

  @Parameter(1)
  ChecksumLevel level;

  private S3Client client;
  private String bucket;
  private ObjectStore store;

  static Stream<Arguments> endpointsAndLevels() {
    return S3Endpoints.all().stream()
        .flatMap(
            endpoint ->
                Stream.of(ChecksumLevel.values()).map(level -> Arguments.of(endpoint, level)));
  }

  @BeforeEach
  void openBucket() throws SinkException {
    bucket = endpoint.createBucket();
    client = S3Clients.create(bucket, settings());
    store = SdkObjectStore.of(client, bucket).at(level);
  }

  @AfterEach
  void deleteBucket() {
    try (S3Client last = client) {
      last.listObjectsV2Paginator(request -> request.bucket(bucket))
          .contents()
          .forEach(object -> last.deleteObject(r -> r.bucket(bucket).key(object.key())));
      last.listMultipartUploads(request -> request.bucket(bucket))
          .uploads()
          .forEach(
              upload ->
                  last.abortMultipartUpload(
                      r -> r.bucket(bucket).key(upload.key()).uploadId(upload.uploadId())));
      last.deleteBucket(request -> request.bucket(bucket));
    }
  }

  private ClientSettings settings() {
    return new ClientSettings(
        Optional.of(endpoint.region()),
        Optional.of(endpoint.uri()),
        true,
        Optional.of(new Credentials(endpoint.accessKey(), endpoint.secretKey(), Optional.empty())),
        4);
  }

  @Override
  ObjectStore store() {
    return store;
  }

  @Override
  ChecksumLevel level() {
    return level;
  }

  @Override
  byte[] read(String key) {
    return client.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asByteArray();
  }

  @Override
  int leastPartBytes() {
    return LEAST_PART_BYTES;
  }

  @Override
  boolean checksPuts() {
    return !endpoint.name().equals("S3Mock");
  }

  @Override
  boolean putsAtomically() {
    return !endpoint.name().equals("S3Mock");
  }

  @Test
  void headersArriveWithTheObject() throws IOException {
    byte[] content = "content".getBytes(UTF_8);
    Body body = new Body(() -> new ByteArrayInputStream(content), 7, Crc32c.of(content));

    store.put(
        "key",
        body,
        new ObjectHeaders("application/x-ndjson", Optional.of("gzip"), Map.of()),
        Condition.ALWAYS);

    HeadObjectResponse stored = client.headObject(r -> r.bucket(bucket).key("key"));
    assertThat(stored.contentType()).isEqualTo("application/x-ndjson");
    assertThat(stored.contentEncoding()).isEqualTo("gzip");
  }

  @Test
  void absentBucketIsNamed() {
    ObjectStore absent = SdkObjectStore.of(client, "no-such-bucket-anywhere");

    StoreException refusal =
        catchThrowableOfType(
            StoreException.class,
            () -> absent.start("key", new ObjectHeaders("text/plain", Optional.empty(), Map.of())));

    assertThat(refusal)
        .hasMessageContaining(
            "CreateMultipartUpload s3://no-such-bucket-anywhere/key: there is no such bucket at "
                + endpoint.uri());
    assertThat(refusal.statusCode()).isEqualTo(404);
    assertThat(refusal.errorCode()).isEqualTo("NoSuchBucket");
  }
}
