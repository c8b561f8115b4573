package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.filament.sink.IntegrityException;
import io.filament.sink.SinkEvent.RequestRetried;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequest;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** What goes over the wire, and what is made of answers that real servers seldom give. */
@Timeout(60)
class SdkObjectStoreWireTest {

  private static final byte[] CONTENT = "é😀 content".getBytes(UTF_8);
  private static final Crc32c CRC = Crc32c.of(CONTENT);
  private static final Crc32c OTHER_CRC = Crc32c.of("other".getBytes(UTF_8));
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, CRC);
  private static final ObjectHeaders HEADERS =
      new ObjectHeaders("application/x-ndjson", Optional.of("gzip"), Map.of("filament-run", "r1"));
  private static final Upload UPLOAD = new Upload("dir/key", "id-1");
  private static final List<StagedPart> PARTS =
      List.of(
          new StagedPart(1, "\"etag-1\"", 3, new Crc32c(1)),
          new StagedPart(2, "\"etag-2\"", 2, new Crc32c(2)));
  private static final Answer PUT_DONE = Answer.empty(200, "ETag", "\"etag\"");
  private static final Answer COMPLETED =
      Answer.xml(
          200, "<CompleteMultipartUploadResult><ETag>e-2</ETag></CompleteMultipartUploadResult>");

  /** Above the size from which the SDK asks for leave to send. */
  private static final byte[] LARGE = new byte[3 << 20];

  private static final Crc32c LARGE_CRC = Crc32c.of(LARGE);

  private final VirtualClock clock = new VirtualClock();
  private final AtomicInteger slowDowns = new AtomicInteger();
  private S3Stub stub;
  private S3Client client;
  private SdkObjectStore store;

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings());
    store =
        SdkObjectStore.of(client, "bucket")
            .with(
                Retries.of(
                    RetryLimits.ofRun(Duration.ofMinutes(5)),
                    clock,
                    () -> 1,
                    slowDowns::incrementAndGet));
  }

  @AfterEach
  void close() {
    client.close();
    stub.close();
  }

  @Test
  void noRequestHasFramingTrailerExpectationOrASecondChecksum() throws IOException {
    List<Received> requests = oneOfEachRequest();

    assertThat(requests).hasSize(8);
    for (Received request : requests) {
      assertThat(request.headers())
          .as(request.line())
          .doesNotContainKeys(
              "x-amz-trailer",
              "x-amz-decoded-content-length",
              "transfer-encoding",
              "expect",
              "content-md5");
      assertThat(request.headersThatStartWith("x-amz-checksum-"))
          .as(request.line())
          .isSubsetOf(
              "x-amz-checksum-crc32c",
              "x-amz-checksum-algorithm",
              "x-amz-checksum-type",
              "x-amz-checksum-mode");
      assertThat(String.valueOf(request.header("content-encoding")))
          .as(request.line())
          .doesNotContain("aws-chunked");
      assertThat(request.header("x-amz-content-sha256"))
          .as(request.line())
          .matches(request.length() > 0 ? "[0-9a-f]{64}" : "[0-9a-f]{64}|UNSIGNED-PAYLOAD");
    }
  }

  @Test
  void anErrorWhileABodyIsSentDoesNotKeepTheUploadFromBeingAborted() throws IOException {
    Error error = new OutOfMemoryError("as if");
    AtomicInteger streams = new AtomicInteger();
    Body failing =
        new Body(
            () -> {
              if (streams.incrementAndGet() > 1) { // the first is for the signature
                throw error;
              }
              return new ByteArrayInputStream(CONTENT);
            },
            CONTENT.length,
            CRC);

    assertThatThrownBy(() -> store.part(UPLOAD, 1, failing)).isSameAs(error);
    stub.answers(Answer.empty(204));
    store.abort(UPLOAD);

    assertThat(stub.requests()).last().extracting(Received::line).asString().startsWith("DELETE ");
  }

  @Test
  void onlyPutsNameTheAlgorithmBesideTheValue() throws IOException {
    assertThat(oneOfEachRequest())
        .filteredOn(request -> !request.headersThatStartWith("x-amz-sdk-checksum").isEmpty())
        .extracting(Received::line)
        .containsExactly("PUT /bucket/dir/key", "PUT /bucket/dir/key");
  }

  @Test
  void clientAddsNoChecksumOfItsOwn() {
    stub.answers(PUT_DONE);

    client.putObject(r -> r.bucket("bucket").key("key"), RequestBody.fromBytes(CONTENT));
    client.getObjectAsBytes(r -> r.bucket("bucket").key("key"));

    assertThat(stub.requests())
        .hasSize(2)
        .allSatisfy(
            request ->
                assertThat(request.headers().keySet())
                    .noneMatch(name -> name.contains("checksum") || name.contains("trailer")));
  }

  @Test
  void hostsClientWithTheDocumentedSettingsSendsTheSame() throws IOException {
    stub.answers(PUT_DONE);
    try (S3Client hosts = HostClient.with(stub.uri(), S3Stub.KEYS)) {
      SdkObjectStore.of(hosts, "bucket").part(UPLOAD, 1, BODY);
    }
    store.part(UPLOAD, 1, BODY);

    assertThat(shape(stub.requests().get(0))).isEqualTo(shape(stub.requests().get(1)));
  }

  private static Map<String, List<String>> shape(Received request) {
    Map<String, List<String>> headers = new TreeMap<>(request.headers());
    headers
        .keySet()
        .removeAll(
            Set.of(
                "authorization",
                "x-amz-date",
                "amz-sdk-invocation-id",
                "amz-sdk-request",
                "user-agent"));
    return headers;
  }

  @Test
  void contentLengthCountsBytes() throws IOException {
    stub.answers(PUT_DONE);

    store.put("dir/key", BODY, HEADERS, Condition.ALWAYS);

    Received put = stub.onlyRequest();
    assertThat(put.header("content-length")).isEqualTo(String.valueOf(CONTENT.length));
    assertThat(put.length()).isEqualTo(CONTENT.length);
    assertThat(put.crc32c()).isEqualTo(CRC);
  }

  @Test
  void putSaysWhatItHolds() throws IOException {
    stub.answers(PUT_DONE);

    store.put("dir/a b=é", BODY, HEADERS, Condition.ALWAYS);

    Received put = stub.onlyRequest();
    assertThat(put.line()).isEqualTo("PUT /bucket/dir/a%20b%3D%C3%A9");
    assertThat(put.header("x-amz-checksum-crc32c")).isEqualTo(CRC.base64());
    assertThat(put.header("x-amz-sdk-checksum-algorithm")).isEqualTo("CRC32C");
    assertThat(put.header("content-type")).isEqualTo("application/x-ndjson");
    assertThat(put.header("content-encoding")).isEqualTo("gzip");
    assertThat(put.header("x-amz-meta-filament-run")).isEqualTo("r1");
    assertThat(put.header("if-none-match")).isNull();
  }

  @Test
  void conditionalPutNamesItsCondition() throws IOException {
    stub.answers(PUT_DONE);

    store.put("dir/key", BODY, HEADERS, Condition.ABSENT);

    assertThat(stub.onlyRequest().header("if-none-match")).isEqualTo("*");
  }

  @Test
  void uploadIsStartedWithAChecksumOfTheWholeObject() throws IOException {
    stub.answers(created());

    Upload upload = store.start("dir/key", HEADERS);

    assertThat(upload).isEqualTo(UPLOAD);
    Received start = stub.onlyRequest();
    assertThat(start.line()).isEqualTo("POST /bucket/dir/key?uploads");
    assertThat(start.header("x-amz-checksum-algorithm")).isEqualTo("CRC32C");
    assertThat(start.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
    assertThat(start.header("content-type")).isEqualTo("application/x-ndjson");
    assertThat(start.header("content-encoding")).isEqualTo("gzip");
    assertThat(start.header("x-amz-meta-filament-run")).isEqualTo("r1");
    assertThat(start.headersThatStartWith("x-amz-sdk-checksum")).isEmpty();
  }

  @Test
  void partCarriesItsChecksumAhead() throws IOException {
    stub.answers(PUT_DONE);

    StagedPart part = store.part(UPLOAD, 3, BODY);

    assertThat(part).isEqualTo(new StagedPart(3, "\"etag\"", CONTENT.length, CRC));
    Received sent = stub.onlyRequest();
    assertThat(sent.line())
        .startsWith("PUT /bucket/dir/key?")
        .contains("partNumber=3", "uploadId=id-1");
    assertThat(sent.header("x-amz-checksum-crc32c")).isEqualTo(CRC.base64());
    assertThat(sent.headersThatStartWith("x-amz-sdk-checksum")).isEmpty();
  }

  @Test
  void completeListsEachPartWithItsChecksum() throws IOException {
    stub.answers(COMPLETED);

    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    Received complete = stub.onlyRequest();
    assertThat(complete.line()).isEqualTo("POST /bucket/dir/key?uploadId=id-1");
    assertThat(complete.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
    assertThat(complete.header("x-amz-checksum-crc32c")).isEqualTo(CRC.base64());
    assertThat(complete.headersThatStartWith("x-amz-sdk-checksum")).isEmpty();
    assertThat(complete.text().replace("&quot;", "\""))
        .contains(
            "<Part><ETag>\"etag-1\"</ETag><ChecksumCRC32C>AAAAAQ==</ChecksumCRC32C>"
                + "<PartNumber>1</PartNumber></Part>"
                + "<Part><ETag>\"etag-2\"</ETag><ChecksumCRC32C>AAAAAg==</ChecksumCRC32C>"
                + "<PartNumber>2</PartNumber></Part>");
  }

  @Test
  void retriedPartSendsTheSameBytes() throws IOException {
    stub.answers(Answer.error(500, "InternalError"), Answer.cut(), PUT_DONE);

    store.part(UPLOAD, 2, BODY);

    assertThat(stub.requests()).hasSize(3);
    assertThat(stub.requests()).extracting(Received::crc32c).containsOnly(CRC);
    assertThat(stub.requests()).extracting(Received::length).containsOnly((long) CONTENT.length);
  }

  @Test
  void storeThatAsksToSlowDownIsAskedAgain() throws IOException {
    stub.answers(
        Answer.error(503, "SlowDown"),
        Answer.error(503, "SlowDown"),
        Answer.error(503, "SlowDown"),
        Answer.error(503, "SlowDown"),
        PUT_DONE);

    store.put("dir/key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(5);
    assertThat(slowDowns).hasValue(4);
  }

  @Test
  void whatIsMadeAgainIsToldBeforeThePause() throws IOException {
    stub.answers(Answer.error(503, "SlowDown"), Answer.error(500, "InternalError"), PUT_DONE);
    List<RequestRetried> told = new ArrayList<>();
    List<Duration> slept = new ArrayList<>();
    SdkObjectStore observed =
        store.with(
            Retries.of(
                RetryLimits.ofRun(Duration.ofMinutes(5)),
                clock,
                () -> 1,
                new RequestObserver() {
                  @Override
                  public void slowDown() {}

                  @Override
                  public void retried(RequestRetried event) {
                    told.add(event);
                    slept.add(clock.slept());
                  }
                }));

    observed.put("dir/key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(told)
        .extracting(RequestRetried::operation, RequestRetried::bucket, RequestRetried::key)
        .containsOnly(tuple("PutObject", "bucket", "dir/key"))
        .hasSize(2);
    assertThat(told).extracting(RequestRetried::tryNumber).containsExactly(2, 3);
    assertThat(told.get(0).reason()).startsWith("the store asks to slow down;").contains("503");
    assertThat(told.get(1).reason()).startsWith("the store failed;").contains("InternalError");
    assertThat(slept).containsExactly(Duration.ZERO, told.get(0).pause());
    assertThat(clock.slept()).isEqualTo(told.get(0).pause().plus(told.get(1).pause()));
  }

  /** A gateway that fails may fail within its own page. */
  @ParameterizedTest
  @CsvSource({
    "503, <Error><Code>SlowDown</Code>",
    "500, <Error><Co",
    "502, <html>bad gate",
    "503, ''",
    "200, ''",
    "200, '   '",
    "200, <InitiateMultipartUploadResult><Upl"
  })
  void answerThatBreaksWithinItsBodyIsNoneOrCountsByItsStatus(int status, String text)
      throws IOException {
    stub.answers(
        Answer.cutAfter(status, text),
        Answer.xml(
            200,
            "<InitiateMultipartUploadResult><UploadId>id</UploadId></InitiateMultipartUploadResult>"));

    assertThat(store.start("key", HEADERS)).isEqualTo(new Upload("key", "id"));
  }

  @Test
  void refusalThatBreaksWithinItsBodyKeepsItsStatus() {
    stub.answers(Answer.cutAfter(403, "<Error><Code>AccessDenied</Code><Mess"));

    assertThat(refusal(() -> store.start("key", HEADERS)).statusCode()).isEqualTo(403);
  }

  @Test
  void storeThatNeverAnswersIsGivenUpSooner() {
    stub.answers(Answer.cut());

    StoreException refusal = refusal(() -> store.head("dir/key"));

    assertThat(refusal.statusCode()).isZero();
    assertThat(clock.slept()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(30));
  }

  @Test
  void silenceOfAStoreThatHasAnsweredIsWaitedOut() throws IOException {
    stub.answers(PUT_DONE, Answer.cut());
    store.put("dir/key", BODY, HEADERS, Condition.ALWAYS);

    StoreException refusal = refusal(() -> store.put("k", BODY, HEADERS, Condition.ALWAYS));

    assertThat(refusal.statusCode()).isZero();
    assertThat(clock.slept()).isBetween(Duration.ofSeconds(270), Duration.ofMinutes(5));
    assertThat(refusal.getSuppressed()[0])
        .hasMessageContaining("PutObject s3://bucket/k: given up after ")
        .hasMessageContaining("the next would come after the limit of 300 s (retry_timeout_s");
  }

  @Test
  void hurriedStoreIsGivenUpWithinSeconds() {
    stub.answers(Answer.error(500, "InternalError"));

    StoreException refusal = refusal(() -> store.hurried().head("dir/key"));

    assertThat(refusal.statusCode()).isEqualTo(500);
    assertThat(clock.slept()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  @Test
  void bodyThatWasDamagedOnItsWayIsSentOnceMore() throws IOException {
    stub.answers(Answer.error(400, "BadDigest"), PUT_DONE);

    store.part(UPLOAD, 1, BODY);

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void bodyThatIsRefusedAgainIsAFailure() {
    stub.answers(Answer.error(400, "BadDigest"));

    assertThat(refusal(() -> store.part(UPLOAD, 1, BODY)).errorCode()).isEqualTo("BadDigest");

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void whatAHostsClientThrowsByItselfLeavesTheOutcomeOpen() {
    stub.answers(PUT_DONE);
    AwsCredentialsProvider broken =
        () -> {
          throw new IllegalArgumentException("the host's own");
        };
    try (S3Client custom = HostClient.with(stub.uri(), broken)) {
      StoreException failure =
          catchThrowableOfType(
              StoreException.class,
              () -> SdkObjectStore.of(custom, "bucket").put("k", BODY, HEADERS, Condition.ALWAYS));

      assertThat(failure.statusCode()).isZero();
      assertThat(failure)
          .hasMessageContaining("PutObject s3://bucket/k")
          .hasMessageContaining("the host's own");
    }
  }

  @Test
  void clientsOwnLimitOfACallIsNoFinalAnswer() throws IOException {
    stub.answers(PUT_DONE);
    AtomicInteger calls = new AtomicInteger();
    AwsCredentialsProvider late =
        () -> {
          if (calls.incrementAndGet() == 2) {
            throw ApiCallTimeoutException.create(1000);
          }
          return AwsBasicCredentials.create("AKIDFIRST", "a-secret-key");
        };
    try (S3Client custom = HostClient.with(stub.uri(), late)) {
      SdkObjectStore run =
          SdkObjectStore.of(custom, "bucket")
              .with(Retries.of(RetryLimits.ofRun(Duration.ofMinutes(5)), clock, () -> 1, () -> {}));
      run.part(UPLOAD, 1, BODY);
      run.part(UPLOAD, 2, BODY);
    }

    assertThat(calls).hasValue(3);
  }

  @Test
  void credentialsThatExpireMidRunAreAskedForAgain() throws Exception {
    stub.answers(PUT_DONE, Answer.error(400, "ExpiredToken"), PUT_DONE);
    List<String> ids = new ArrayList<>(List.of("AKIDFIRST", "AKIDFIRST", "AKIDSECOND"));
    try (S3Client rotating =
        HostClient.with(
            stub.uri(), () -> AwsBasicCredentials.create(ids.remove(0), "a-secret-key"))) {
      SdkObjectStore run =
          SdkObjectStore.of(rotating, "bucket")
              .with(Retries.of(RetryLimits.ofRun(Duration.ofMinutes(5)), clock, () -> 1, () -> {}));
      run.part(UPLOAD, 1, BODY);
      run.part(UPLOAD, 2, BODY);
    }

    assertThat(stub.requests())
        .extracting(request -> request.header("authorization"))
        .satisfiesExactly(
            first -> assertThat(first).contains("AKIDFIRST"),
            second -> assertThat(second).contains("AKIDFIRST"),
            third -> assertThat(third).contains("AKIDSECOND"));
  }

  @Test
  void credentialsThatNeverWorkedAreRefusedAtOnce() {
    stub.answers(Answer.error(400, "ExpiredToken"));

    assertThat(refusal(() -> store.part(UPLOAD, 1, BODY)).errorCode()).isEqualTo("ExpiredToken");

    assertThat(stub.requests()).hasSize(1);
  }

  @Test
  void completeNamesItsCondition() throws IOException {
    stub.answers(COMPLETED);

    store.complete(UPLOAD, PARTS, CRC, Condition.ABSENT);
    store.complete(UPLOAD, PARTS, CRC, Condition.unchanged("\"e\""));
    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    assertThat(stub.requests())
        .extracting(request -> request.header("if-none-match") + " " + request.header("if-match"))
        .containsExactly("* null", "null \"e\"", "null null");
  }

  @Test
  void conflictingOperationIsWaitedFor() throws IOException {
    stub.answers(Answer.error(409, "ConditionalRequestConflict"), PUT_DONE);

    store.put("dir/key", BODY, HEADERS, Condition.ABSENT);

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void uploadThatIsOvertakenIsTriedTwiceMore() {
    stub.answers(Answer.error(409, "ConditionalRequestConflict"));

    assertThat(refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ABSENT)))
        .hasMessageContaining("another operation on the key was under way")
        .hasMessageContaining("S3 wants the upload to be begun again");
    assertThat(stub.requests()).hasSize(3);
  }

  @Test
  void uploadThatIsOvertakenByItsOwnLostTryIsWaitedFor() {
    Answer overtaken = Answer.error(409, "ConditionalRequestConflict");
    stub.answers(
        Answer.cut(),
        overtaken,
        overtaken,
        overtaken,
        overtaken,
        Answer.error(412, "PreconditionFailed"));

    assertThat(refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ABSENT)).statusCode())
        .isEqualTo(412);
    assertThat(stub.requests()).hasSize(6);
  }

  @Test
  void storeThatOnlyFailsIsGivenUpWhenPatienceEnds() {
    stub.answers(Answer.error(503, "SlowDown"));

    StoreException refusal = refusal(() -> store.put("dir/key", BODY, HEADERS, Condition.ALWAYS));

    // 1, 2, 4, 8, 16 and then 20 seconds between them.
    assertThat(stub.requests()).hasSize(19);
    assertThat(clock.slept()).isEqualTo(Duration.ofSeconds(291));
    assertThat(refusal)
        .hasMessage(
            "PutObject s3://bucket/dir/key: the store asks to slow down, still after all retries;"
                + " the store says: the store's own words (status 503, SlowDown, request REQ1)");
    assertThat(refusal.statusCode()).isEqualTo(503);
    assertThat(refusal.errorCode()).isEqualTo("SlowDown");
    assertThat(refusal.requestId()).isEqualTo("REQ1");
  }

  @Test
  void errorInsideAnOkIsRetriedAndThenAFailure() {
    stub.answers(Answer.error(200, "InternalError"));

    StoreException refusal = refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS));

    assertThat(stub.requests()).hasSizeGreaterThan(10);
    assertThat(refusal.statusCode()).isEqualTo(500);
    assertThat(refusal.errorCode()).isEqualTo("InternalError");
    assertThat(refusal)
        .hasMessageContaining("CompleteMultipartUpload s3://bucket/dir/key: the store failed");
  }

  @Test
  void errorInsideAnOkAndThenSuccessIsSuccess() throws IOException {
    stub.answers(Answer.error(200, "InternalError"), COMPLETED);

    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void preconditionThatFailsInsideAnOkIsA412() {
    stub.answers(Answer.error(200, "PreconditionFailed"));

    StoreException refusal = refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS));

    assertThat(refusal.statusCode()).isEqualTo(412);
    assertThat(refusal).hasMessageContaining("there is an object at the key already");
  }

  @Test
  void preconditionThatFailsWithoutABodyIsA412() {
    stub.answers(Answer.empty(412));

    StoreException refusal = refusal(() -> store.put("dir/key", BODY, HEADERS, Condition.ABSENT));

    assertThat(refusal.statusCode()).isEqualTo(412);
    assertThat(refusal)
        .hasMessageStartingWith(
            "PutObject s3://bucket/dir/key: there is an object at the key already");
    assertThat(stub.requests()).hasSize(1);
  }

  @Test
  void emptyAnswerToACompleteProvesNothing() {
    stub.answers(Answer.empty(200));

    StoreException unknown = refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS));

    assertThat(unknown.statusCode()).isZero();
    assertThat(unknown)
        .hasMessage(
            "CompleteMultipartUpload s3://bucket/dir/key: no usable answer: the answer has no ETag"
                + " (no answer)");
  }

  @Test
  void completeIsSentAgainAfterAnEmptyAnswer() throws IOException {
    stub.answers(
        Answer.empty(200),
        Answer.xml(
            200,
            "<CompleteMultipartUploadResult><ETag>\"e\"</ETag></CompleteMultipartUploadResult>"));

    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void storeThatAnswersEachCompleteWithNothingIsAskedThreeTimes() {
    stub.answers(Answer.empty(200));

    StoreException unknown = refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS));

    assertThat(stub.requests()).hasSize(3);
    assertThat(unknown).hasMessageContaining("the answer has no ETag").hasNoSuppressedExceptions();
  }

  @Test
  void listThatIsCutInItsHeadIsNoEmptyList() {
    stub.answers(Answer.xml(200, ""));

    StoreException unusable = refusal(() -> store.uploads("dir/key"));

    assertThat(unusable)
        .hasMessageContaining("ListMultipartUploads s3://bucket/dir/key: no usable answer");
  }

  @Test
  void unreadableAnswerToACompleteProvesNothing() {
    stub.answers(Answer.xml(200, "\n \n<?xml version=\"1.0\"?><x/>"));

    StoreException unknown = refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS));

    assertThat(unknown.statusCode()).isZero();
    assertThat(unknown).hasMessageContaining("no usable answer");
  }

  @Test
  void lostAnswersAreNoAnswer() {
    stub.answers(Answer.cut());

    StoreException unknown = refusal(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS));

    assertThat(unknown.statusCode()).isZero();
    assertThat(unknown.errorCode()).isNull();
    assertThat(unknown).hasMessageStartingWith("CompleteMultipartUpload s3://bucket/dir/key: ");
  }

  @Test
  void partWithoutAnEtagIsNotStaged() {
    stub.answers(Answer.empty(200));

    StoreException unknown = refusal(() -> store.part(UPLOAD, 1, BODY));

    assertThat(unknown.statusCode()).isZero();
    assertThat(unknown).hasMessageContaining("the answer has no ETag");
  }

  @Test
  void uploadWithoutAnIdIsNotStarted() {
    stub.answers(Answer.empty(200));

    StoreException unknown = refusal(() -> store.start("dir/key", HEADERS));

    assertThat(unknown.statusCode()).isZero();
    assertThat(unknown).hasMessageContaining("the answer has no upload id");
  }

  @Test
  void otherChecksumInAnAnswerIsAnIntegrityFailure() {
    stub.answers(Answer.empty(200, "ETag", "\"e\"", "x-amz-checksum-crc32c", OTHER_CRC.base64()));

    assertThatThrownBy(() -> store.put("dir/key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOf(IntegrityException.class)
        .hasMessage(
            "PutObject s3://bucket/dir/key: the store has CRC-32C "
                + OTHER_CRC.hex()
                + " where "
                + CRC.hex()
                + " was sent");
    assertThatThrownBy(() -> store.part(UPLOAD, 1, BODY))
        .isInstanceOf(IntegrityException.class)
        .hasMessageStartingWith("UploadPart s3://bucket/dir/key: the store has CRC-32C");
  }

  @Test
  void otherChecksumOfTheWholeObjectIsAnIntegrityFailure() {
    stub.answers(completedWith("FULL_OBJECT", OTHER_CRC.base64()));

    assertThatThrownBy(() -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("CompleteMultipartUpload s3://bucket/dir/key: the store has CRC-32C");
  }

  @Test
  void compositeChecksumOfAStoreThatKnowsNoOtherIsNoneOfTheWholeObject() throws IOException {
    stub.answers(
        completedWith("COMPOSITE", CompositeCrc32c.of(PARTS).ofChecksums().base64() + "-2"),
        completedWith("COMPOSITE", OTHER_CRC.base64()));

    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);
    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void headAsksForTheChecksum() throws IOException {
    stub.answers(
        head(
            "x-amz-checksum-crc32c",
            CRC.base64(),
            "x-amz-checksum-type",
            "FULL_OBJECT",
            "X-Amz-Meta-Filament-RUN",
            "r1"));

    StoredObject stored = store.head("dir/key").orElseThrow();

    assertThat(stub.onlyRequest().line()).isEqualTo("HEAD /bucket/dir/key");
    assertThat(stub.onlyRequest().header("x-amz-checksum-mode")).isEqualTo("ENABLED");
    assertThat(stored.length()).isEqualTo(5);
    assertThat(stored.crc32c()).hasValue(CRC);
    assertThat(stored.metadata()).isEqualTo(Map.of("filament-run", "r1"));
  }

  @Test
  void compositeChecksumIsNoneOfTheWholeObject() throws IOException {
    stub.answers(
        head("x-amz-checksum-crc32c", CRC.base64() + "-2"),
        head("x-amz-checksum-crc32c", CRC.base64(), "x-amz-checksum-type", "COMPOSITE"),
        head());

    assertThat(store.head("a").orElseThrow().crc32c()).isEmpty();
    assertThat(store.head("a").orElseThrow().crc32c()).isEmpty();
    assertThat(store.head("a").orElseThrow().crc32c()).isEmpty();
  }

  @Test
  void headWithoutALengthProvesNothing() {
    stub.answers(Answer.empty(200));

    StoreException unknown = refusal(() -> store.head("dir/key"));

    assertThat(unknown.statusCode()).isZero();
    assertThat(unknown).hasMessageContaining("the answer has no Content-Length");
  }

  @Test
  void headWithoutTheRightToListNamesIt() {
    stub.answers(Answer.empty(403));

    assertThatThrownBy(() -> store.head("dir/key"))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("HeadObject s3://bucket/dir/key: access denied")
        .hasMessageContaining("s3:GetObject")
        .hasMessageContaining("s3:ListBucket")
        .hasMessageContaining("(status 403");
  }

  @Test
  void abortOfAnUploadThatIsGoneIsDone() throws IOException {
    stub.answers(Answer.error(404, "NoSuchUpload"));

    store.abort(UPLOAD);

    assertThat(stub.onlyRequest().line()).isEqualTo("DELETE /bucket/dir/key?uploadId=id-1");
  }

  @Test
  void abortThatIsRefusedNamesTheRight() {
    stub.answers(Answer.error(403, "AccessDenied"));

    assertThatThrownBy(() -> store.abort(UPLOAD))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the credentials need s3:AbortMultipartUpload on this key");
  }

  @Test
  void uploadsAreReadToTheLastPage() throws IOException {
    stub.answers(
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>"
                + "<NextKeyMarker>dir/key</NextKeyMarker><NextUploadIdMarker>id-1"
                + "</NextUploadIdMarker><Upload><Key>dir/key</Key><UploadId>id-1</UploadId>"
                + "</Upload></ListMultipartUploadsResult>"),
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>"
                + "<Upload><Key>dir/key</Key><UploadId>id-2</UploadId></Upload>"
                + "<Upload><Key>dir/key2</Key><UploadId>id-3</UploadId></Upload>"
                + "</ListMultipartUploadsResult>"));

    List<Upload> uploads = store.uploads("dir/key");

    assertThat(uploads)
        .containsExactly(new Upload("dir/key", "id-1"), new Upload("dir/key", "id-2"));
    assertThat(stub.requests().get(1).line())
        .contains("key-marker=dir%2Fkey", "upload-id-marker=id-1", "prefix=dir%2Fkey");
  }

  @Test
  void pageThatLeadsToItselfIsTheLast() throws IOException {
    stub.answers(
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>"
                + "<NextKeyMarker>k</NextKeyMarker></ListMultipartUploadsResult>"));

    assertThat(store.uploads("dir/key")).isEmpty();
    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void connectionsSufficeForTheRequestsInFlightAndSomeMore() throws Exception {
    int inFlight = stub.settings().uploadConcurrency() + 4;
    CountDownLatch all = new CountDownLatch(inFlight);
    stub.answers(
        new Answer(
            exchange -> {
              all.countDown();
              awaitQuietly(all);
              PUT_DONE.sender().send(exchange);
            }));
    ExecutorService threads = Executors.newFixedThreadPool(inFlight);
    List<Future<StagedPart>> parts = new ArrayList<>();
    for (int number = 1; number <= inFlight; number++) {
      int part = number;
      parts.add(threads.submit(() -> store.part(UPLOAD, part, BODY)));
    }

    assertThat(parts).allSatisfy(part -> assertThat(part.get().etag()).isEqualTo("\"etag\""));
    threads.shutdown();
  }

  @Test
  void closedClientIsSaidPlainly() {
    client.close();

    assertThatThrownBy(() -> store.put("dir/key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("PutObject s3://bucket/dir/key: the client was closed");
  }

  @Test
  void noExceptionRepeatsAKey() throws Exception {
    stub.answers(Answer.echo(403, "SignatureDoesNotMatch"));

    List<ThrowingCallable> calls =
        List.of(
            () -> store.put("dir/key", BODY, HEADERS, Condition.ALWAYS),
            () -> store.start("dir/key", HEADERS),
            () -> store.part(UPLOAD, 1, BODY),
            () -> store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS),
            () -> store.abort(UPLOAD),
            () -> store.uploads("dir/key"));
    for (ThrowingCallable call : calls) {
      StoreException refusal = refusal(call);
      assertThat(refusal).hasMessageContaining("the signature is wrong");
      for (Throwable t = refusal; t != null; t = t.getCause()) {
        assertThat(t.toString()).doesNotContain("PLANTED", "planted-");
      }
    }
  }

  @Test
  void looksAndAbortsOfWhoIsWaitedForEndSooner() {
    S3Requests requests = S3Requests.of("bucket");

    assertThat(attempts(requests)).containsOnly(Duration.ofSeconds(60));
    assertThat(attempts(requests.hurried())).containsOnly(Duration.ofSeconds(15));
    assertThat(attempts(requests.hurried().at(ChecksumLevel.NONE).with(ObjectOptions.NONE)))
        .containsOnly(Duration.ofSeconds(15));
  }

  private static List<Duration> attempts(S3Requests requests) {
    return Stream.<AwsRequest>of(
            requests.head("key"), requests.abort(UPLOAD), requests.uploads("key", null, null))
        .map(request -> request.overrideConfiguration().orElseThrow())
        .map(limits -> limits.apiCallAttemptTimeout().orElseThrow())
        .toList();
  }

  @Test
  void timeOfAnAttemptGrowsWithTheBody() {
    assertThat(S3Requests.attemptTime(0)).isEqualTo(Duration.ofSeconds(60));
    assertThat(S3Requests.attemptTime(16L << 20)).isEqualTo(Duration.ofSeconds(60));
    assertThat(S3Requests.attemptTime(64L << 20)).isEqualTo(Duration.ofSeconds(128));
    assertThat(S3Requests.attemptTime(5L << 30)).isEqualTo(Duration.ofSeconds(10_240));
  }

  private List<Received> oneOfEachRequest() throws IOException {
    stub.answers(
        PUT_DONE,
        PUT_DONE,
        created(),
        PUT_DONE,
        COMPLETED,
        head(),
        Answer.empty(204),
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"));
    store.put("dir/key", BODY, HEADERS, Condition.ALWAYS);
    store.put("dir/key", BODY, HEADERS, Condition.ABSENT);
    store.start("dir/key", HEADERS);
    store.part(UPLOAD, 1, new Body(() -> new ByteArrayInputStream(LARGE), LARGE.length, LARGE_CRC));
    store.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);
    store.head("dir/key");
    store.abort(UPLOAD);
    store.uploads("dir/key");
    return stub.requests();
  }

  private static Answer head(String... headers) {
    return new Answer(
        exchange -> {
          exchange.getResponseHeaders().set("Content-Length", "5");
          Answer.empty(200, headers).sender().send(exchange);
        });
  }

  private static Answer created() {
    return Answer.xml(
        200,
        "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>");
  }

  private static Answer completedWith(String type, String crc32c) {
    return Answer.xml(
        200,
        "<CompleteMultipartUploadResult><ETag>e-2</ETag><ChecksumCRC32C>"
            + crc32c
            + "</ChecksumCRC32C><ChecksumType>"
            + type
            + "</ChecksumType></CompleteMultipartUploadResult>");
  }

  private static StoreException refusal(ThrowingCallable call) {
    StoreException refusal = catchThrowableOfType(StoreException.class, call);
    assertThat(refusal).as("the store's refusal").isNotNull();
    return refusal;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
