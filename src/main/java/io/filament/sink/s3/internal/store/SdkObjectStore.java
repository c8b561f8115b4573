package io.filament.sink.s3.internal.store;

import io.filament.sink.IntegrityException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * A bucket behind an {@link S3Client}, which stays the caller's and is never closed here.
 *
 * <p>A body's CRC-32C goes ahead of it in a header, so a client should send bodies plain, as those
 * of {@link S3Clients} do: {@code requestChecksumCalculation} and {@code
 * responseChecksumValidation} on WHEN_REQUIRED, {@code chunkedEncodingEnabled(false)}, as many
 * connections as there are requests in flight, and enough retries. Time limits of one attempt are
 * set here, since they depend on the size of the body.
 */
public final class SdkObjectStore implements ObjectStore {

  private static final int NOT_FOUND = 404;
  private static final Duration LEAST_ATTEMPT = Duration.ofSeconds(60);
  private static final long LEAST_BYTES_PER_SECOND = 512 * 1024;

  /** S3 says that completing an upload "could take several minutes". */
  private static final Duration COMPLETE_ATTEMPT = Duration.ofMinutes(10);

  private final S3Client client;
  private final String bucket;
  private final StoreErrors errors;

  private SdkObjectStore(S3Client client, String bucket, StoreErrors errors) {
    this.client = Objects.requireNonNull(client, "client");
    this.bucket = Objects.requireNonNull(bucket, "bucket");
    this.errors = errors;
  }

  /** Returns the bucket behind a client whose keys are not known here. */
  public static SdkObjectStore of(S3Client client, String bucket) {
    return of(client, bucket, Optional.empty());
  }

  /** Returns the bucket behind a client with these keys, which no exception will show. */
  public static SdkObjectStore of(
      S3Client client, String bucket, Optional<Credentials> credentials) {
    return new SdkObjectStore(client, bucket, new StoreErrors(bucket, Secrets.of(credentials)));
  }

  @Override
  public String bucket() {
    return bucket;
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers) throws IOException {
    put(putRequest(key, body, headers).build(), body);
  }

  @Override
  public void putIfAbsent(String key, Body body, ObjectHeaders headers) throws IOException {
    put(putRequest(key, body, headers).ifNoneMatch("*").build(), body);
  }

  private PutObjectRequest.Builder putRequest(String key, Body body, ObjectHeaders headers) {
    return PutObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .contentType(headers.contentType())
        .contentEncoding(headers.contentEncoding().orElse(null))
        .metadata(headers.metadata())
        // Ceph checks the value of a put only if the algorithm is named, too.
        .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
        .checksumCRC32C(body.crc32c().base64())
        .overrideConfiguration(attempt(attemptTime(body.length())));
  }

  private void put(PutObjectRequest request, Body body) throws IOException {
    PutObjectResponse answer =
        ask(
            "PutObject",
            request.key(),
            () -> client.putObject(request, content(body, request.contentType())));
    requireSame("PutObject", request.key(), answer.checksumCRC32C(), body.crc32c());
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    CreateMultipartUploadResponse answer =
        ask(
            "CreateMultipartUpload",
            key,
            () ->
                client.createMultipartUpload(
                    request ->
                        request
                            .bucket(bucket)
                            .key(key)
                            .contentType(headers.contentType())
                            .contentEncoding(headers.contentEncoding().orElse(null))
                            .metadata(headers.metadata())
                            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
                            // Without the type, stores differ in which one they take.
                            .checksumType(ChecksumType.FULL_OBJECT)
                            .overrideConfiguration(attempt(LEAST_ATTEMPT))));
    return new Upload(key, require("CreateMultipartUpload", key, "upload id", answer.uploadId()));
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    UploadPartResponse answer =
        ask(
            "UploadPart",
            upload.key(),
            () ->
                client.uploadPart(
                    request ->
                        request
                            .bucket(bucket)
                            .key(upload.key())
                            .uploadId(upload.id())
                            .partNumber(number)
                            .checksumCRC32C(body.crc32c().base64())
                            .overrideConfiguration(attempt(attemptTime(body.length()))),
                    content(body, "application/octet-stream")));
    requireSame("UploadPart", upload.key(), answer.checksumCRC32C(), body.crc32c());
    String etag = require("UploadPart", upload.key(), "ETag", answer.eTag());
    return new StagedPart(number, etag, body.length(), body.crc32c());
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole) throws IOException {
    StagedPart.requireComplete(parts);
    List<CompletedPart> listed = parts.stream().map(SdkObjectStore::listed).toList();
    CompleteMultipartUploadResponse answer =
        ask(
            "CompleteMultipartUpload",
            upload.key(),
            () ->
                client.completeMultipartUpload(
                    request ->
                        request
                            .bucket(bucket)
                            .key(upload.key())
                            .uploadId(upload.id())
                            .multipartUpload(list -> list.parts(listed))
                            .checksumType(ChecksumType.FULL_OBJECT)
                            .checksumCRC32C(whole.base64())
                            .overrideConfiguration(attempt(COMPLETE_ATTEMPT))));
    if (answer.checksumType() != ChecksumType.COMPOSITE) {
      requireSame("CompleteMultipartUpload", upload.key(), answer.checksumCRC32C(), whole);
    }
    // The SDK takes a 200 with an empty body for a success; S3's answer always has an ETag.
    require("CompleteMultipartUpload", upload.key(), "ETag", answer.eTag());
  }

  private static CompletedPart listed(StagedPart part) {
    return CompletedPart.builder()
        .partNumber(part.number())
        .eTag(part.etag())
        .checksumCRC32C(part.crc32c().base64())
        .build();
  }

  @Override
  public void abort(Upload upload) throws IOException {
    try {
      ask(
          "AbortMultipartUpload",
          upload.key(),
          () ->
              client.abortMultipartUpload(
                  request ->
                      request
                          .bucket(bucket)
                          .key(upload.key())
                          .uploadId(upload.id())
                          .overrideConfiguration(attempt(LEAST_ATTEMPT))));
    } catch (StoreException e) {
      if (!"NoSuchUpload".equals(e.errorCode())) {
        throw e;
      }
    }
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    HeadObjectResponse answer;
    try {
      answer =
          ask(
              "HeadObject",
              key,
              () ->
                  client.headObject(
                      request ->
                          request
                              .bucket(bucket)
                              .key(key)
                              .checksumMode(ChecksumMode.ENABLED)
                              .overrideConfiguration(attempt(LEAST_ATTEMPT))));
    } catch (StoreException e) {
      if (e.statusCode() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
    Optional<Crc32c> crc32c =
        answer.checksumType() == ChecksumType.COMPOSITE
            ? Optional.empty()
            : Crc32c.ofAnswer(answer.checksumCRC32C());
    long length = require("HeadObject", key, "Content-Length", answer.contentLength());
    return Optional.of(new StoredObject(length, crc32c, lowerCase(answer.metadata())));
  }

  /** HTTP header names have no case; S3 gives lower case, but what stands between may not. */
  private static Map<String, String> lowerCase(Map<String, String> metadata) {
    return metadata.entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
  }

  @Override
  public List<Upload> uploads(String key) throws IOException {
    List<Upload> found = new ArrayList<>();
    String keyMarker = null;
    String idMarker = null;
    boolean more = true;
    while (more) {
      ListMultipartUploadsResponse page = uploadsPage(key, keyMarker, idMarker);
      page.uploads().stream()
          .filter(upload -> upload.key().equals(key)) // The prefix fits longer keys, too.
          .map(upload -> new Upload(key, upload.uploadId()))
          .forEach(found::add);
      // A page that leads to itself would be read for ever.
      more =
          Boolean.TRUE.equals(page.isTruncated())
              && !(Objects.equals(keyMarker, page.nextKeyMarker())
                  && Objects.equals(idMarker, page.nextUploadIdMarker()));
      keyMarker = page.nextKeyMarker();
      idMarker = page.nextUploadIdMarker();
    }
    return List.copyOf(found);
  }

  private ListMultipartUploadsResponse uploadsPage(
      String key, @Nullable String keyMarker, @Nullable String idMarker) throws IOException {
    return ask(
        "ListMultipartUploads",
        key,
        () ->
            client.listMultipartUploads(
                request ->
                    request
                        .bucket(bucket)
                        .prefix(key)
                        .keyMarker(keyMarker)
                        .uploadIdMarker(idMarker)
                        .overrideConfiguration(attempt(LEAST_ATTEMPT))));
  }

  private <T> T ask(String operation, String key, Supplier<T> request) throws IOException {
    try {
      return request.get();
    } catch (SdkException | IllegalStateException | RejectedExecutionException e) {
      throw errors.of(operation, key, e);
    }
  }

  private void requireSame(String operation, String key, @Nullable String answered, Crc32c expected)
      throws IntegrityException {
    Optional<Crc32c> actual = Crc32c.ofAnswer(answered);
    if (actual.isPresent() && !actual.get().equals(expected)) {
      throw new IntegrityException(
          operation
              + " s3://"
              + bucket
              + "/"
              + key
              + ": the store has CRC-32C "
              + actual.get()
              + " where "
              + expected
              + " was sent");
    }
  }

  private <T> T require(String operation, String key, String what, @Nullable T value)
      throws StoreException {
    if (value == null || value.equals("")) {
      throw errors.unusable(operation, key, "the answer has no " + what);
    }
    return value;
  }

  private static RequestBody content(Body body, String contentType) {
    return RequestBody.fromContentProvider(body.content()::get, body.length(), contentType);
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
