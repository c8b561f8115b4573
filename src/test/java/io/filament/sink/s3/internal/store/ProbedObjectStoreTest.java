package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import io.filament.sink.s3.internal.store.StoreProfile.Found;
import io.filament.sink.s3.testing.EachS3Endpoint;
import io.filament.sink.s3.testing.S3Endpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.s3.S3Client;

/** A run's level is found out before it writes, once for all runs, and stays. */
@Timeout(60)
class ProbedObjectStoreTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RetryLimits TEN_TRIES =
      new RetryLimits(Duration.ofSeconds(10), Duration.ofSeconds(10), SECOND, SECOND, SECOND);

  private static final String PROBE = "raw/_runs/run-1/_probe";
  private static final byte[] CONTENT = "content".getBytes(UTF_8);
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, Crc32c.of(CONTENT));
  private static final ObjectHeaders HEADERS =
      new ObjectHeaders("text/plain", Optional.empty(), Map.of());
  private static final Answer TAKEN = Answer.empty(200, "ETag", "\"etag\"");
  private static final Answer GONE = Answer.empty(204);
  private static final Answer BAD_DIGEST = Answer.error(400, "BadDigest");
  private static final Answer CREATED =
      Answer.xml(
          200,
          "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>");

  private S3Stub stub;
  private S3Client client;

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings());
  }

  @AfterEach
  void close() {
    client.close();
    stub.close();
  }

  /** Returns the view of a run that begins. */
  private ObjectStore run() {
    return SdkObjectStore.of(client, "bucket")
        .with(Retries.of(TEN_TRIES, new VirtualClock(), () -> 1, () -> {}))
        .probedAt(PROBE);
  }

  @Test
  void readingFindsNothingOutAndAsksForNoChecksum() throws IOException {
    stub.answers(
        Answer.empty(404),
        GONE,
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"));
    ObjectStore store = run();

    store.head("key");
    store.abort(new Upload("key", "id"));
    store.uploads("key");

    assertThat(stub.requests()).hasSize(3);
    for (Received request : stub.requests()) {
      assertThat(request.headersThatStartWith("x-amz-checksum")).isEmpty();
    }
  }

  @Test
  void theFirstPutComesAfterTheProbeAndTheSecondWithout() throws IOException {
    stub.answers(CREATED, TAKEN, BAD_DIGEST, GONE, TAKEN);
    ObjectStore store = run();

    store.put("key", BODY, HEADERS, Condition.ALWAYS);
    store.put("key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(operations()).containsExactly("POST", "PUT", "PUT", "DELETE", "PUT", "PUT");
    assertThat(stub.requests().subList(0, 4))
        .allMatch(request -> request.line().contains(" /bucket/" + PROBE + "?"));
    assertThat(last().header("x-amz-checksum-crc32c")).isEqualTo(BODY.crc32c().base64());
    assertThat(last().header("content-md5")).isNull();
  }

  @Test
  void anotherRunWithTheSameClientAsksNothing() throws IOException {
    stub.answers(CREATED, TAKEN, TAKEN, GONE, TAKEN);
    run().put("key", BODY, HEADERS, Condition.ALWAYS);
    int asked = stub.requests().size();

    run().put("key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(asked + 1);
    assertThat(last().header("content-md5")).isNotNull();
    assertThat(last().headersThatStartWith("x-amz-checksum")).isEmpty();
  }

  @Test
  void anUploadIsStartedAtTheLevelThatWasFound() throws IOException {
    stub.answers(
        Answer.error(501, "NotImplemented"), CREATED, TAKEN, BAD_DIGEST, GONE, CREATED, TAKEN);
    ObjectStore store = run();

    Upload upload = store.start("key", HEADERS);
    store.part(upload, 1, BODY);

    assertThat(stub.requests().get(5).header("x-amz-checksum-type")).isEqualTo("COMPOSITE");
    assertThat(last().header("x-amz-checksum-crc32c")).isEqualTo(BODY.crc32c().base64());
  }

  @Test
  void storeThatNoLongerTakesWhatItTookIsAskedAgainByTheNextRun() throws IOException {
    Answer refused = Answer.error(501, "NotImplemented");
    stub.answers(
        CREATED, TAKEN, BAD_DIGEST, GONE, refused, refused, refused, CREATED, TAKEN, GONE, CREATED);
    ObjectStore first = run();
    assertThatThrownBy(() -> first.start("key", HEADERS)).isInstanceOf(StoreException.class);

    ObjectStore second = run();
    second.start("key", HEADERS);

    assertThat(second.profile().checksums()).isEqualTo(ChecksumLevel.NONE);
    assertThat(first.profile().checksums()).isEqualTo(ChecksumLevel.FULL_OBJECT);
  }

  @Test
  void aRefusedProbeIsAskedOnceARunAndAgainByTheNext() throws IOException {
    stub.answers(
        Answer.error(403, "AccessDenied"), TAKEN, TAKEN, CREATED, TAKEN, BAD_DIGEST, GONE, TAKEN);
    ObjectStore first = run();
    first.put("key", BODY, HEADERS, Condition.ALWAYS);
    first.put("key", BODY, HEADERS, Condition.ALWAYS);
    assertThat(last().header("content-md5")).isNotNull();
    assertThat(first.profile().found()).isEqualTo(Found.FALLBACK);
    assertThat(stub.requests()).hasSize(3);

    ObjectStore second = run();
    second.put("key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(last().header("x-amz-checksum-crc32c")).isNotNull();
    assertThat(second.profile().found()).isEqualTo(Found.PROBED);
    assertThat(first.profile().checksums()).isEqualTo(ChecksumLevel.NONE);
  }

  @Test
  void aProbeWithoutAnswerFailsTheRequestAndIsForgotten() throws IOException {
    Answer[] answers = new Answer[15];
    for (int i = 0; i < 10; i++) {
      answers[i] = Answer.error(503, "SlowDown"); // all attempts of the start
    }
    answers[10] = CREATED;
    answers[11] = TAKEN;
    answers[12] = BAD_DIGEST;
    answers[13] = GONE;
    answers[14] = TAKEN;
    stub.answers(answers);
    ObjectStore store = run();

    assertThatThrownBy(() -> store.put("key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CreateMultipartUpload s3://bucket/" + PROBE)
        .hasMessageContaining("SlowDown");
    store.put("key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(store.profile().checksums()).isEqualTo(ChecksumLevel.FULL_OBJECT);
  }

  @Test
  void theProfileIsFoundOutIfNothingWasWritten() throws IOException {
    stub.answers(CREATED, TAKEN, BAD_DIGEST, GONE);

    assertThat(run().profile())
        .isEqualTo(StoreProfile.probed(ChecksumLevel.FULL_OBJECT, Optional.empty()));
  }

  @Test
  void aRefusedConditionShowsInTheProfileOfEveryRun() throws IOException {
    stub.answers(CREATED, TAKEN, BAD_DIGEST, GONE, TAKEN, Answer.error(412, "PreconditionFailed"));
    ObjectStore store = run();
    store.put("key", BODY, HEADERS, Condition.ABSENT);
    assertThat(store.profile().conditionalPuts()).isEqualTo(Conditions.UNKNOWN);

    assertThatThrownBy(() -> store.put("key", BODY, HEADERS, Condition.ABSENT))
        .isInstanceOf(StoreException.class);

    assertThat(store.profile().conditionalPuts()).isEqualTo(Conditions.HONOURED);
    assertThat(run().profile().conditionalPuts()).isEqualTo(Conditions.HONOURED);
    assertThat(store.profile().conditionalCompletes()).isEqualTo(Conditions.UNKNOWN);
  }

  @Test
  void aLevelThatIsSetIsNotFoundOut() throws IOException {
    stub.answers(TAKEN);
    ObjectStore store = SdkObjectStore.of(client, "bucket").at(ChecksumLevel.COMPOSITE);

    store.put("key", BODY, HEADERS, Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(1);
    assertThat(store.profile()).isEqualTo(StoreProfile.configured(ChecksumLevel.COMPOSITE));
  }

  @EachS3Endpoint
  void serversAreFoundToCheckWholeObjectsAndKeepNothing(S3Endpoint endpoint) throws IOException {
    String bucket = endpoint.createBucket();
    ClientSettings settings =
        new ClientSettings(
            Optional.of(endpoint.region()),
            Optional.of(endpoint.uri()),
            true,
            Optional.of(
                new Credentials(endpoint.accessKey(), endpoint.secretKey(), Optional.empty())),
            1);
    try (S3Client real = S3Clients.create(bucket, settings)) {
      StoreProfile profile = SdkObjectStore.of(real, bucket).probedAt(PROBE).profile();

      assertThat(profile.checksums()).isEqualTo(ChecksumLevel.FULL_OBJECT);
      assertThat(real.listMultipartUploads(r -> r.bucket(bucket)).uploads()).isEmpty();
      assertThat(real.listObjectsV2(r -> r.bucket(bucket)).contents()).isEmpty();
    }
  }

  private Received last() {
    List<Received> all = stub.requests();
    return all.get(all.size() - 1);
  }

  private List<String> operations() {
    return stub.requests().stream()
        .map(request -> request.line().substring(0, request.line().indexOf(' ')))
        .toList();
  }
}
