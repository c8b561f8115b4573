package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.IntegrityException;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import io.filament.sink.s3.internal.store.StoreProfile.Found;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** What a store shows is believed, what it says is not, and no upload is left behind. */
@Timeout(60)
class ProfileProbeTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RetryLimits TEN_TRIES =
      new RetryLimits(Duration.ofSeconds(10), Duration.ofSeconds(10), SECOND, SECOND, SECOND);

  private static final String KEY = "raw/_runs/run-1/_probe";
  private static final Answer TAKEN = Answer.empty(200, "ETag", "\"etag\"");
  private static final Answer GONE = Answer.empty(204);
  private static final Answer CREATED = created();

  private S3Stub stub;
  private S3Client client;
  private ProfileProbe probe;
  private final List<Upload> left = new ArrayList<>();

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings());
    SdkObjectStore store =
        SdkObjectStore.of(client, "bucket")
            .with(Retries.of(TEN_TRIES, new VirtualClock(), () -> 1, () -> {}));
    probe = new ProfileProbe(store, KEY, (upload, failure) -> left.add(upload));
  }

  @AfterEach
  void close() {
    client.close();
    stub.close();
  }

  @ParameterizedTest
  @CsvSource({
    "400, BadDigest",
    "400, InvalidRequest",
    "400, XAmzContentChecksumMismatch",
    "400, BadRequest",
    "403, AccessDenied"
  })
  void aStoreThatRefusesOnlyTheWrongPartChecksWholeObjects(int status, String code)
      throws IOException {
    stub.answers(
        created("x-amz-checksum-type", "FULL_OBJECT"), TAKEN, Answer.error(status, code), GONE);

    StoreProfile profile = probe.run();

    assertThat(profile).isEqualTo(StoreProfile.probed(ChecksumLevel.FULL_OBJECT, Optional.empty()));
    assertThat(profile.found()).isEqualTo(Found.PROBED);
    assertThat(profile.conditionalPuts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(lines())
        .containsExactly(
            "POST /bucket/" + KEY + "?uploads",
            "PUT /bucket/" + KEY + "?partNumber=1&uploadId=id-1",
            "PUT /bucket/" + KEY + "?partNumber=1&uploadId=id-1",
            "DELETE /bucket/" + KEY + "?uploadId=id-1");
  }

  @Test
  void theRightChecksumIsSentFirstAndThenAWrongOneOfTheSameByte() throws IOException {
    stub.answers(CREATED, TAKEN, Answer.error(400, "BadDigest"), GONE);

    probe.run();

    Received start = stub.requests().get(0);
    Received right = stub.requests().get(1);
    Received wrong = stub.requests().get(2);
    assertThat(start.header("x-amz-checksum-algorithm")).isEqualTo("CRC32C");
    assertThat(start.header("x-amz-checksum-type")).isEqualTo("FULL_OBJECT");
    assertThat(right.length()).isEqualTo(1);
    assertThat(right.header("x-amz-checksum-crc32c")).isEqualTo(right.crc32c().base64());
    assertThat(wrong.text()).isEqualTo(right.text());
    assertThat(wrong.header("x-amz-checksum-crc32c")).isNotEqualTo(wrong.crc32c().base64());
  }

  /** Some stores refuse the signature of a request with a header that they don't know. */
  @Test
  void aStoreThatRefusesTheSignatureOfEachChecksumHasNone() throws IOException {
    Answer refused = Answer.error(403, "SignatureDoesNotMatch");
    stub.answers(refused, refused, CREATED, TAKEN, GONE);

    StoreProfile profile = probe.run();

    assertThat(profile.checksums()).isEqualTo(ChecksumLevel.NONE);
    assertThat(profile.found()).isEqualTo(Found.PROBED);
    assertThat(profile.reason()).get().asString().contains("SignatureDoesNotMatch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SignatureDoesNotMatch", "InvalidAccessKeyId"})
  void keysThatAreRefusedWithoutAChecksumTooAreWrong(String code) {
    stub.answers(Answer.error(403, code), Answer.error(403, code), Answer.error(403, code));

    assertThatThrownBy(probe::run)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(code)
        .hasMessageContaining("CreateMultipartUpload");
    assertThat(lines()).hasSize(3);
  }

  @Test
  void aStoreThatTakesTheWrongPartHasNoChecksums() throws IOException {
    stub.answers(CREATED, TAKEN, TAKEN, GONE);

    assertThat(probe.run())
        .satisfies(
            profile -> {
              assertThat(profile.checksums()).isEqualTo(ChecksumLevel.NONE);
              assertThat(profile.found()).isEqualTo(Found.PROBED);
              assertThat(profile.reason())
                  .contains("the store takes a part whose CRC-32C is wrong");
            });
    assertThat(lines()).last().asString().startsWith("DELETE ");
  }

  @Test
  void aStoreThatTakesTheWrongPartAndSaysTheRightChecksumHasNone() throws IOException {
    Answer taken =
        Answer.empty(
            200, "ETag", "\"e\"", "x-amz-checksum-crc32c", ProfileProbe.body().crc32c().base64());
    stub.answers(CREATED, taken, taken, GONE);

    assertThat(probe.run().checksums()).isEqualTo(ChecksumLevel.NONE);
  }

  @ParameterizedTest
  @CsvSource({"400, InvalidArgument", "501, NotImplemented", "405, MethodNotAllowed"})
  void aStoreWithoutWholeObjectsIsAskedForComposites(int status, String code) throws IOException {
    stub.answers(Answer.error(status, code), CREATED, TAKEN, Answer.error(400, "BadDigest"), GONE);

    StoreProfile profile = probe.run();

    assertThat(profile.checksums()).isEqualTo(ChecksumLevel.COMPOSITE);
    assertThat(profile.reason()).get().asString().contains("CreateMultipartUpload", code);
    assertThat(stub.requests().get(1).header("x-amz-checksum-type")).isEqualTo("COMPOSITE");
  }

  @Test
  void aStoreThatAnswersWithAnotherTypeHasNotUnderstood() throws IOException {
    stub.answers(
        created("x-amz-checksum-type", "COMPOSITE"),
        GONE,
        CREATED,
        TAKEN,
        Answer.error(400, "BadDigest"),
        GONE);

    assertThat(probe.run().checksums()).isEqualTo(ChecksumLevel.COMPOSITE);
    assertThat(lines()).filteredOn(line -> line.startsWith("DELETE ")).hasSize(2);
  }

  @Test
  void aStoreThatAnswersWithAnotherAlgorithmHasNotUnderstood() throws IOException {
    Answer other = created("x-amz-checksum-algorithm", "CRC32");
    stub.answers(other, GONE, other, GONE, CREATED, TAKEN, GONE);

    assertThat(probe.run().checksums()).isEqualTo(ChecksumLevel.NONE);
  }

  @Test
  void aStoreThatRefusesEveryChecksumIsShownToTakeNone() throws IOException {
    Answer refusal = Answer.error(400, "InvalidArgument");
    stub.answers(CREATED, refusal, GONE, CREATED, refusal, GONE, CREATED, TAKEN, GONE);

    StoreProfile profile = probe.run();

    assertThat(profile.checksums()).isEqualTo(ChecksumLevel.NONE);
    assertThat(profile.found()).isEqualTo(Found.PROBED);
    assertThat(profile.reason()).get().asString().contains("UploadPart", "InvalidArgument");
    for (Received plain : stub.requests().subList(6, 9)) {
      assertThat(plain.headersThatStartWith("x-amz-checksum")).isEmpty();
    }
    assertThat(stub.requests().get(7).header("content-md5")).isNotNull();
    assertThat(lines()).filteredOn(line -> line.startsWith("DELETE ")).hasSize(3);
  }

  @Test
  void aStoreThatRefusesEverythingLeavesWhatIsAlwaysSafe() throws IOException {
    stub.answers(Answer.error(501, "NotImplemented"));

    StoreProfile profile = probe.run();

    assertThat(profile.checksums()).isEqualTo(ChecksumLevel.NONE);
    assertThat(profile.found()).isEqualTo(Found.FALLBACK);
    assertThat(stub.requests()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"403, AccessDenied", "401, Unauthorized"})
  void whoHasNoAccessAsksNoFurther(int status, String code) throws IOException {
    stub.answers(Answer.error(status, code));

    StoreProfile profile = probe.run();

    assertThat(profile.checksums()).isEqualTo(ChecksumLevel.NONE);
    assertThat(profile.found()).isEqualTo(Found.FALLBACK);
    assertThat(profile.reason()).get().asString().contains("s3:PutObject", code);
    assertThat(stub.requests()).hasSize(1);
  }

  @Test
  void aPartThatIsDeniedLeavesNoUpload() throws IOException {
    stub.answers(CREATED, Answer.error(403, "AccessDenied"), GONE);

    assertThat(probe.run().found()).isEqualTo(Found.FALLBACK);
    assertThat(lines()).last().asString().startsWith("DELETE ");
    assertThat(stub.requests()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"503, SlowDown", "500, InternalError", "409, OperationAborted"})
  void aStoreThatFailsShowsNothing(int status, String code) {
    stub.answers(Answer.error(status, code));

    assertThatThrownBy(probe::run)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.statusCode()).isEqualTo(status));
  }

  @ParameterizedTest
  @CsvSource({"404, NoSuchBucket", "301, PermanentRedirect"})
  void aBucketThatIsNotThereIsNoMatterOfChecksums(int status, String code) {
    stub.answers(Answer.error(status, code));

    assertThatThrownBy(probe::run).isInstanceOf(StoreException.class).hasMessageContaining(code);
    assertThat(stub.requests()).hasSize(1);
  }

  @Test
  void aStoreThatFallsSilentAfterTheStartIsAskedForWhatItMayHaveKept() {
    Answer[] answers = new Answer[13];
    answers[0] = CREATED;
    for (int i = 1; i <= 10; i++) {
      answers[i] = Answer.cut(); // all attempts of the first part
    }
    answers[11] = GONE;
    answers[12] =
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>");
    stub.answers(answers);

    assertThatThrownBy(probe::run)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.statusCode()).isEqualTo(0));
    assertThat(lines().get(11)).startsWith("DELETE ");
    assertThat(lines().get(12)).startsWith("GET /bucket?uploads");
    assertThat(left).isEmpty();
  }

  @Test
  void storeThatDiesAfterTheStartIsNotAskedForMinutesToForgetTheUpload() {
    VirtualClock clock = new VirtualClock();
    Duration patience = Duration.ofMinutes(5);
    SdkObjectStore patient =
        SdkObjectStore.of(client, "bucket")
            .with(Retries.of(RetryLimits.ofRun(patience), clock, () -> 1, () -> {}));
    stub.answers(CREATED, Answer.cut());

    assertThatThrownBy(
            () -> new ProfileProbe(patient, KEY, (upload, failure) -> left.add(upload)).run())
        .isInstanceOf(StoreException.class);

    assertThat(left).containsExactly(new Upload(KEY, "id-1"));
    assertThat(clock.slept()).isLessThan(patience.plusSeconds(30));
  }

  @Test
  void anInterruptAbortsTheUploadAndIsKept() {
    Thread prober = Thread.currentThread();
    Answer interrupting =
        new Answer(
            exchange -> {
              prober.interrupt();
              TAKEN.sender().send(exchange);
            });
    stub.answers(
        CREATED,
        interrupting,
        GONE,
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"));

    assertThatThrownBy(probe::run).isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(lines().get(2)).startsWith("DELETE ");
    assertThat(left).isEmpty();
  }

  @Test
  void anUploadWhoseAbortIsRefusedIsNamed() throws IOException {
    stub.answers(CREATED, TAKEN, Answer.error(400, "BadDigest"), Answer.error(403, "AccessDenied"));

    assertThat(probe.run().checksums()).isEqualTo(ChecksumLevel.FULL_OBJECT);
    assertThat(left).containsExactly(new Upload(KEY, "id-1"));
  }

  @Test
  void aStoreThatHasAnotherByteFailsTheRequest() {
    stub.answers(
        CREATED,
        Answer.empty(200, "ETag", "\"e\"", "x-amz-checksum-crc32c", new Crc32c(1).base64()),
        GONE,
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"));

    assertThatThrownBy(probe::run)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("UploadPart s3://bucket/" + KEY);
    assertThat(lines().get(2)).startsWith("DELETE ");
  }

  private List<String> lines() {
    return stub.requests().stream().map(Received::line).toList();
  }

  private static Answer created(String... headers) {
    return Answer.xml(
        200,
        "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>",
        headers);
  }
}
