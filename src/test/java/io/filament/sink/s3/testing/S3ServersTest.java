package io.filament.sink.s3.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the sink takes for granted of a store, asked of each server directly. */
class S3ServersTest {

  private static final int PART_BYTES = 5 << 20;

  @EachS3Endpoint
  void putObjectIsReadBack(S3Endpoint endpoint) {
    try (S3Client client = endpoint.client()) {
      String bucket = S3Endpoint.createBucket(client);
      byte[] bytes = "two\nlines\n".getBytes(StandardCharsets.UTF_8);

      client.putObject(
          put -> put.bucket(bucket).key("a b/dt=2026-09-10/é.ndjson").checksumCRC32C(crc(bytes)),
          RequestBody.fromBytes(bytes));

      assertThat(
              client
                  .getObjectAsBytes(get -> get.bucket(bucket).key("a b/dt=2026-09-10/é.ndjson"))
                  .asByteArray())
          .isEqualTo(bytes);
    }
  }

  @EachS3Endpoint
  void uploadOfTwoPartsHasTheChecksumOfTheWholeObject(S3Endpoint endpoint) {
    try (S3Client client = endpoint.client()) {
      Upload upload = Upload.ofTwoParts(client, S3Endpoint.createBucket(client));

      upload.complete(crc(upload.bytes));

      assertThat(client.getObjectAsBytes(get -> get.bucket(upload.bucket).key("k")).asByteArray())
          .isEqualTo(upload.bytes);
      assertThat(
              client
                  .headObject(
                      head ->
                          head.bucket(upload.bucket).key("k").checksumMode(ChecksumMode.ENABLED))
                  .checksumCRC32C())
          .isEqualTo(crc(upload.bytes));
    }
  }

  @EachS3Endpoint
  void wrongChecksumOfTheWholeObjectIsRefused(S3Endpoint endpoint) {
    try (S3Client client = endpoint.client()) {
      Upload upload = Upload.ofTwoParts(client, S3Endpoint.createBucket(client));

      assertThatThrownBy(() -> upload.complete(crc(new byte[] {1})))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(400));
      assertThatThrownBy(() -> client.headObject(head -> head.bucket(upload.bucket).key("k")))
          .isInstanceOf(NoSuchKeyException.class);
    }
  }

  @EachS3Endpoint
  void wrongChecksumOfPartIsRefused(S3Endpoint endpoint) {
    try (S3Client client = endpoint.client()) {
      String bucket = S3Endpoint.createBucket(client);
      String id = Upload.create(client, bucket);

      assertThatThrownBy(
              () ->
                  client.uploadPart(
                      part ->
                          part.bucket(bucket)
                              .key("k")
                              .uploadId(id)
                              .partNumber(1)
                              .checksumCRC32C(crc(new byte[] {1})),
                      RequestBody.fromBytes(new byte[] {2})))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(400));
    }
  }

  @EachS3Endpoint
  void secondConditionalPutIsRefused(S3Endpoint endpoint) {
    try (S3Client client = endpoint.client()) {
      String bucket = S3Endpoint.createBucket(client);
      client.putObject(
          put -> put.bucket(bucket).key("k").ifNoneMatch("*"), RequestBody.fromString("first"));

      assertThatThrownBy(
              () ->
                  client.putObject(
                      put -> put.bucket(bucket).key("k").ifNoneMatch("*"),
                      RequestBody.fromString("second")))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
      assertThat(client.getObjectAsBytes(get -> get.bucket(bucket).key("k")).asUtf8String())
          .isEqualTo("first");
    }
  }

  @EachS3Endpoint
  void abortedUploadIsNotListed(S3Endpoint endpoint) {
    try (S3Client client = endpoint.client()) {
      String bucket = S3Endpoint.createBucket(client);
      String id = Upload.create(client, bucket);

      client.abortMultipartUpload(abort -> abort.bucket(bucket).key("k").uploadId(id));

      assertThat(client.listMultipartUploads(list -> list.bucket(bucket)).uploads()).isEmpty();
    }
  }

  private static String crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
  }

  /** An upload of two parts to key {@code k}. */
  private static final class Upload {

    final S3Client client;
    final String bucket;
    final String id;
    final byte[] bytes = new byte[PART_BYTES + 17];

    private Upload(S3Client client, String bucket) {
      this.client = client;
      this.bucket = bucket;
      this.id = create(client, bucket);
      new Random(1).nextBytes(bytes);
    }

    static String create(S3Client client, String bucket) {
      return client
          .createMultipartUpload(
              create ->
                  create
                      .bucket(bucket)
                      .key("k")
                      .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
                      .checksumType(ChecksumType.FULL_OBJECT))
          .uploadId();
    }

    static Upload ofTwoParts(S3Client client, String bucket) {
      return new Upload(client, bucket);
    }

    void complete(String crcOfAll) {
      CompletedPart first = part(1, Arrays.copyOf(bytes, PART_BYTES));
      CompletedPart second = part(2, Arrays.copyOfRange(bytes, PART_BYTES, bytes.length));
      client.completeMultipartUpload(
          complete ->
              complete
                  .bucket(bucket)
                  .key("k")
                  .uploadId(id)
                  .checksumType(ChecksumType.FULL_OBJECT)
                  .checksumCRC32C(crcOfAll)
                  .multipartUpload(parts -> parts.parts(first, second)));
    }

    private CompletedPart part(int number, byte[] body) {
      String etag =
          client
              .uploadPart(
                  part ->
                      part.bucket(bucket)
                          .key("k")
                          .uploadId(id)
                          .partNumber(number)
                          .checksumCRC32C(crc(body)),
                  RequestBody.fromBytes(body))
              .eTag();
      return CompletedPart.builder()
          .partNumber(number)
          .eTag(etag)
          .checksumCRC32C(crc(body))
          .build();
    }
  }
}
