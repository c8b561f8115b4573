package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.BucketLook.Access;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Response;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * A bucket behind an {@link S3Client}, which stays the caller's and is never closed here.
 *
 * <p>A body's CRC-32C or MD5 goes ahead of it in a header, so a client should send bodies plain, as
 * those of {@link S3Clients} do: {@code requestChecksumCalculation} and {@code
 * responseChecksumValidation} on WHEN_REQUIRED, {@code chunkedEncodingEnabled(false)}, as many
 * connections as there are requests in flight, and enough retries. Time limits of one attempt are
 * set here, since they depend on the size of the body.
 */
public final class SdkObjectStore implements ObjectStore {

  private static final Logger LOG = LoggerFactory.getLogger(SdkObjectStore.class);
  private static final int NOT_FOUND = 404;

  private final S3Client client;
  private final S3Requests requests;
  private final StoreErrors errors;
  private final StoreMemory memory;
  private final Retries retries;
  private final StoreClock clock;
  private final AnswerChecks checks;

  private SdkObjectStore(
      S3Client client,
      S3Requests requests,
      StoreErrors errors,
      StoreMemory memory,
      Retries retries,
      StoreClock clock) {
    this.client = client;
    this.requests = requests;
    this.errors = errors;
    this.memory = memory;
    this.retries = retries;
    this.clock = clock;
    this.checks = new AnswerChecks(requests.bucket());
  }

  /**
   * Returns the bucket behind a client, at {@link ChecksumLevel#FULL_OBJECT}. No exception shows a
   * secret of a client that {@link S3Clients} made.
   */
  public static SdkObjectStore of(S3Client client, String bucket) {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(bucket, "bucket");
    return new SdkObjectStore(
        client,
        S3Requests.of(bucket),
        new StoreErrors(
            bucket,
            StoreErrors.place(client),
            KnownCredentials.secretsOf(client),
            ObjectOptions.NONE),
        StoreProfiles.of(client, bucket),
        Retries.none(),
        new StoreClock());
  }

  /** Returns the same bucket at another level. */
  public SdkObjectStore at(ChecksumLevel level) {
    return new SdkObjectStore(client, requests.at(level), errors, memory, retries, clock);
  }

  /** Returns the same bucket with these options in all requests. */
  public SdkObjectStore with(ObjectOptions options) {
    return new SdkObjectStore(
        client, requests.with(options), errors.with(options), memory, retries, clock);
  }

  /**
   * Returns the same bucket, whose requests are made again as long as their failure may pass.
   *
   * @param patience for how long, counted from a request's first failure
   * @param observer hears what the requests go through
   */
  public SdkObjectStore patient(Duration patience, RequestObserver observer) {
    return with(
        Retries.of(
            RetryLimits.ofRun(patience), Retries.Clock.SYSTEM, new Random()::nextDouble, observer));
  }

  /**
   * Returns the same bucket, for a client that is not made for this sink.
   *
   * @param observer hears how many connections it has
   */
  public SdkObjectStore ofHost(RequestObserver observer) {
    return new SdkObjectStore(
        client,
        requests.heardBy(ClientConnections.heardBy(client, observer)),
        errors,
        memory,
        retries,
        clock);
  }

  @Override
  public SdkObjectStore hurried() {
    return new SdkObjectStore(client, requests.hurried(), errors, memory, retries.hurried(), clock);
  }

  /** Returns the same bucket, which takes a refused checksum for its answer. */
  SdkObjectStore withoutResend() {
    return with(retries.withoutResend());
  }

  SdkObjectStore with(Retries others) {
    return new SdkObjectStore(client, requests, errors, memory, others, clock);
  }

  /**
   * Returns the same bucket at the level that the store is found to have. Nothing is asked before
   * the first request that writes, and nothing if this client and bucket have been asked before.
   *
   * @param key where the upload goes that finds it out
   */
  public ObjectStore probedAt(String key) {
    return new ProbedObjectStore(this, memory, key);
  }

  @Override
  public Optional<Instant> time() {
    return clock.time();
  }

  @Override
  public String bucket() {
    return requests.bucket();
  }

  @Override
  public StoreProfile profile() {
    return memory.withConditions(StoreProfile.configured(requests.level()));
  }

  @Override
  public Optional<SinkException> findConditions(String key) throws IOException {
    return RunConditions.find(this, memory, key);
  }

  /** Returns what finds out what puts make of conditions, with an object at this key. */
  PutProbe putProbe(String key) {
    // Nobody has asked whether the bucket may be listed, so a refused look may mean an absent key.
    return new PutProbe(
        this, key, new ObjectRemoval(client, this, requests.options(), key, Access.REFUSED));
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    put(key, body, headers, condition, answer -> {});
  }

  /** Puts and shows the store's answer before it is checked. */
  void put(
      String key,
      Body body,
      ObjectHeaders headers,
      Condition condition,
      Consumer<PutObjectResponse> answered)
      throws IOException {
    PutObjectRequest request = requests.put(key, body, headers, condition);
    RequestBody content = content(body, request.contentType());
    PutObjectResponse answer;
    try {
      answer = ask("PutObject", key, () -> client.putObject(request, content));
    } catch (StoreException e) {
      if (condition != Condition.ALWAYS) {
        memory.refusedPut(e);
      }
      throw e;
    }
    answered.accept(answer);
    checks.requireSame("PutObject", key, answer.checksumCRC32C(), body.crc32c());
    if (!AnswerChecks.hasOwnEtag(answer.serverSideEncryption(), answer.sseCustomerAlgorithm())) {
      checks.requireSameMd5("PutObject", key, answer.eTag(), request.contentMD5());
    }
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    return start(key, headers, answer -> {});
  }

  /** Starts an upload and shows the store's answer, on another thread. */
  Upload start(String key, ObjectHeaders headers, Consumer<CreateMultipartUploadResponse> answered)
      throws IOException {
    RequestName name = new RequestName("CreateMultipartUpload", bucket(), key);
    UploadStart start = new UploadStart(name.toString(), Patience.LAST_MOMENT, this::abortQuietly);
    return retries.ask(name, () -> start.by(() -> startInTime(key, headers, answered)));
  }

  private Upload startInTime(
      String key, ObjectHeaders headers, Consumer<CreateMultipartUploadResponse> answered)
      throws IOException {
    CreateMultipartUploadResponse answer =
        attempt(
            "CreateMultipartUpload",
            key,
            () -> client.createMultipartUpload(requests.start(key, headers)));
    answered.accept(answer);
    return new Upload(key, require("CreateMultipartUpload", key, "upload id", answer.uploadId()));
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    RequestBody content = content(body, "application/octet-stream");
    UploadPartRequest request = requests.part(upload, number, body);
    UploadPartResponse answer =
        ask("UploadPart", upload.key(), () -> client.uploadPart(request, content));
    checks.requireSame("UploadPart", upload.key(), answer.checksumCRC32C(), body.crc32c());
    if (!AnswerChecks.hasOwnEtag(answer.serverSideEncryption(), answer.sseCustomerAlgorithm())) {
      checks.requireSameMd5("UploadPart", upload.key(), answer.eTag(), request.contentMD5());
    }
    String etag = require("UploadPart", upload.key(), "ETag", answer.eTag());
    return new StagedPart(number, etag, body.length(), body.crc32c());
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException {
    StagedPart.requireComplete(parts);
    checks.requireSame(upload.key(), completed(upload, parts, whole, condition), parts, whole);
  }

  /** Completes an upload and returns the store's answer, unchecked. */
  CompleteMultipartUploadResponse completed(
      Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition) throws IOException {
    try {
      // The SDK takes a 200 with an empty body for a success; S3's answer always has an ETag. The
      // upload may still be open then, so the request is made again.
      return askUsable(
          "CompleteMultipartUpload",
          upload.key(),
          () -> client.completeMultipartUpload(requests.complete(upload, parts, whole, condition)),
          "ETag",
          CompleteMultipartUploadResponse::eTag);
    } catch (StoreException e) {
      if (condition != Condition.ALWAYS) {
        memory.refusedComplete(e);
      }
      throw e;
    }
  }

  @Override
  public void abort(Upload upload) throws IOException {
    try {
      ask(
          "AbortMultipartUpload",
          upload.key(),
          () -> client.abortMultipartUpload(requests.abort(upload)));
    } catch (StoreException e) {
      if (!"NoSuchUpload".equals(e.errorCode())) {
        throw e;
      }
    }
  }

  /** Nobody waits for this upload any more, so there is nobody to tell that it stays. */
  private void abortQuietly(Upload orphan) {
    try {
      abort(orphan);
    } catch (IOException e) {
      LOG.warn("an upload that was started too late stays until it expires: {}", orphan, e);
    }
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    HeadObjectResponse answer;
    try {
      answer = ask("HeadObject", key, () -> client.headObject(requests.head(key)));
    } catch (StoreException e) {
      if (e.statusCode() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
    require("HeadObject", key, "Content-Length", answer.contentLength());
    return Optional.of(HeadAnswer.read(answer, requests.level()));
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
    // The SDK reads an answer that is cut in its head as an empty list.
    return askUsable(
        "ListMultipartUploads",
        key,
        () -> client.listMultipartUploads(requests.uploads(key, keyMarker, idMarker)),
        "IsTruncated",
        ListMultipartUploadsResponse::isTruncated);
  }

  /**
   * Makes a request of the SDK and throws what the sink throws.
   *
   * @param key null for an operation on the bucket
   */
  <T extends S3Response> T ask(String operation, @Nullable String key, Supplier<T> request)
      throws IOException {
    return retries.ask(
        new RequestName(operation, bucket(), key), () -> attempt(operation, key, request));
  }

  /** Makes a request, and makes it again if its answer lacks what S3 always gives. */
  private <T extends S3Response> T askUsable(
      String operation,
      String key,
      Supplier<T> request,
      String what,
      Function<T, @Nullable Object> value)
      throws IOException {
    return retries.ask(
        new RequestName(operation, bucket(), key),
        () -> {
          T answer = attempt(operation, key, request);
          Object found = value.apply(answer);
          if (found == null || found.equals("")) {
            throw FailedAttempt.unusable(
                errors.unusable(operation, key, "the answer has no " + what));
          }
          return answer;
        });
  }

  private <T extends S3Response> T attempt(
      String operation, @Nullable String key, Supplier<T> request) throws FailedAttempt {
    try {
      T answer = request.get();
      clock.hear(answer.sdkHttpResponse());
      return answer;
    } catch (RuntimeException e) {
      // Not only SdkException: a closed client, a provider of credentials or an interceptor of the
      // host throws its own, and the request may have been carried out all the same.
      clock.hear(e);
      throw FailedAttempt.of(errors.of(operation, key, e), e);
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
    return RequestBody.fromContentProvider(new BodyContent(body), body.length(), contentType);
  }
}
