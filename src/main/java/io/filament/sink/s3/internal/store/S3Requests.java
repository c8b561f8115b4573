package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Spells the requests to one bucket: one kind of checksum in each, and a time limit of one attempt
 * that fits the body. At {@link ChecksumLevel#NONE} no request names a checksum of S3's own: some
 * stores refuse even the question for one.
 *
 * @param bucket the bucket's name or access-point ARN
 * @param level which checksums the store takes
 * @param options what all requests have in common
 * @param look how long one attempt may take that only looks or takes away
 * @param publishers hear what a HeadObject measures; the client's, if there are none
 */
record S3Requests(
    String bucket,
    ChecksumLevel level,
    ObjectOptions options,
    Duration look,
    List<MetricPublisher> publishers) {

  private static final Duration LEAST_ATTEMPT = Duration.ofSeconds(60);
  private static final Duration HURRIED_ATTEMPT = Duration.ofSeconds(15);
  private static final long LEAST_BYTES_PER_SECOND = 512 * 1024;

  /** S3 says of completing an upload that it "can take several minutes". */
  private static final Duration COMPLETE_ATTEMPT = Duration.ofMinutes(10);

  /** Returns those of a bucket of which nothing else is known. */
  static S3Requests of(String bucket) {
    return new S3Requests(
        bucket, ChecksumLevel.FULL_OBJECT, ObjectOptions.NONE, LEAST_ATTEMPT, List.of());
  }

  S3Requests at(ChecksumLevel other) {
    return new S3Requests(bucket, other, options, look, publishers);
  }

  S3Requests with(ObjectOptions others) {
    return new S3Requests(bucket, level, others, look, publishers);
  }

  /** Returns the same for who is waited for: a silent store is given up sooner. */
  S3Requests hurried() {
    return new S3Requests(bucket, level, options, HURRIED_ATTEMPT, publishers);
  }

  S3Requests heardBy(List<MetricPublisher> others) {
    return new S3Requests(bucket, level, options, look, others);
  }

  PutObjectRequest put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    PutObjectRequest.Builder put =
        PutObjectRequest.builder()
            .bucket(bucket)
            .key(key)
            .contentType(headers.contentType())
            .contentEncoding(headers.contentEncoding().orElse(null))
            .applyMutation(builder -> options.addTo(builder, headers))
            .ifNoneMatch(ifNoneMatch(condition))
            .ifMatch(ifMatch(condition))
            .overrideConfiguration(attempt(attemptTime(body.length())));
    return level == ChecksumLevel.NONE
        ? put.contentMD5(Md5Etag.of(body).contentMd5()).build()
        // Ceph checks the value of a put only if the algorithm is named, too.
        : put.checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
            .checksumCRC32C(body.crc32c().base64())
            .build();
  }

  CreateMultipartUploadRequest start(String key, ObjectHeaders headers) {
    return CreateMultipartUploadRequest.builder()
        .bucket(bucket)
        .key(key)
        .contentType(headers.contentType())
        .contentEncoding(headers.contentEncoding().orElse(null))
        .applyMutation(builder -> options.addTo(builder, headers))
        .checksumAlgorithm(level == ChecksumLevel.NONE ? null : ChecksumAlgorithm.CRC32_C)
        // Without the type, stores differ in which one they take.
        .checksumType(type())
        .overrideConfiguration(attempt(LEAST_ATTEMPT))
        .build();
  }

  UploadPartRequest part(Upload upload, int number, Body body) throws IOException {
    UploadPartRequest.Builder part =
        UploadPartRequest.builder()
            .bucket(bucket)
            .key(upload.key())
            .uploadId(upload.id())
            .partNumber(number)
            .applyMutation(options::addTo)
            .overrideConfiguration(attempt(attemptTime(body.length())));
    return level == ChecksumLevel.NONE
        ? part.contentMD5(Md5Etag.of(body).contentMd5()).build()
        : part.checksumCRC32C(body.crc32c().base64()).build();
  }

  CompleteMultipartUploadRequest complete(
      Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition) {
    List<CompletedPart> listed = parts.stream().map(this::listed).toList();
    return CompleteMultipartUploadRequest.builder()
        .bucket(bucket)
        .key(upload.key())
        .uploadId(upload.id())
        .multipartUpload(list -> list.parts(listed))
        .applyMutation(options::addTo)
        .checksumType(type())
        .checksumCRC32C(level == ChecksumLevel.FULL_OBJECT ? whole.base64() : null)
        .ifNoneMatch(ifNoneMatch(condition))
        .ifMatch(ifMatch(condition))
        .overrideConfiguration(attempt(COMPLETE_ATTEMPT))
        .build();
  }

  private CompletedPart listed(StagedPart part) {
    return CompletedPart.builder()
        .partNumber(part.number())
        .eTag(part.etag())
        // AWS asks for these of a composite checksum; Swift takes them for bad XML.
        .checksumCRC32C(level == ChecksumLevel.NONE ? null : part.crc32c().base64())
        .build();
  }

  private static @Nullable String ifNoneMatch(Condition condition) {
    return condition instanceof Condition.Absent ? "*" : null;
  }

  private static @Nullable String ifMatch(Condition condition) {
    return condition instanceof Condition.Unchanged unchanged ? unchanged.etag() : null;
  }

  private @Nullable ChecksumType type() {
    return switch (level) {
      case FULL_OBJECT -> ChecksumType.FULL_OBJECT;
      case COMPOSITE -> ChecksumType.COMPOSITE;
      case NONE -> null;
    };
  }

  AbortMultipartUploadRequest abort(Upload upload) {
    return AbortMultipartUploadRequest.builder()
        .bucket(bucket)
        .key(upload.key())
        .uploadId(upload.id())
        .applyMutation(options::addTo)
        .overrideConfiguration(attempt(look))
        .build();
  }

  HeadObjectRequest head(String key) {
    return HeadObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .checksumMode(level == ChecksumLevel.NONE ? null : ChecksumMode.ENABLED)
        .applyMutation(options::addTo)
        .overrideConfiguration(attempt(look).toBuilder().metricPublishers(publishers).build())
        .build();
  }

  /**
   * Spells the deletion of an object.
   *
   * @param version null for none
   */
  DeleteObjectRequest delete(String key, @Nullable String version) {
    return DeleteObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .versionId(version)
        .applyMutation(options::addTo)
        .overrideConfiguration(attempt(look))
        .build();
  }

  ListMultipartUploadsRequest uploads(
      String prefix, @Nullable String keyMarker, @Nullable String idMarker) {
    return ListMultipartUploadsRequest.builder()
        .bucket(bucket)
        .prefix(prefix)
        .keyMarker(keyMarker)
        .uploadIdMarker(idMarker)
        .applyMutation(options::addTo)
        .overrideConfiguration(attempt(look))
        .build();
  }

  /** A slow link must not end an attempt again and again that would have arrived. */
  static Duration attemptTime(long length) {
    Duration transfer = Duration.ofSeconds(length / LEAST_BYTES_PER_SECOND);
    return transfer.compareTo(LEAST_ATTEMPT) > 0 ? transfer : LEAST_ATTEMPT;
  }

  private static AwsRequestOverrideConfiguration attempt(Duration limit) {
    return AwsRequestOverrideConfiguration.builder().apiCallAttemptTimeout(limit).build();
  }
}
