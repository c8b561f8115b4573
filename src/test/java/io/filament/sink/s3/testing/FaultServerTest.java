package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ShortWaits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Each fault, as the AWS SDK sees it. */
@Timeout(60)
class FaultServerTest extends OnFaultServer {

  @ParameterizedTest
  @ValueSource(ints = {301, 307, 400, 403, 404, 409, 412, 429, 500, 501, 502, 503, 504})
  void anyStatusIsAnswered(int status) {
    bucket.plan(
        S3Operation.PUT_OBJECT,
        1,
        new Fault.Refused(WireAnswer.error(status, "Planned", "as & said")));

    S3Exception refusal = catchThrowableOfType(S3Exception.class, () -> put(once, KEY));

    assertThat(refusal.statusCode()).isEqualTo(status);
    assertThat(refusal.awsErrorDetails().errorCode()).isEqualTo("Planned");
    assertThat(refusal.awsErrorDetails().errorMessage()).isEqualTo("as & said");
    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.struck()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.Point.class,
      names = {"HEAD_READ", "IN_BODY", "REQUEST_READ", "CARRIED_OUT"})
  void connectionIsCutBeforeTheAnswer(Fault.Point point) throws InterruptedException {
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Cut(point));

    assertThatThrownBy(() -> put(once, KEY)).isInstanceOf(SdkClientException.class);
    server.awaitQuiet("bucket");

    boolean carriedOut = point.compareTo(Fault.Point.CARRIED_OUT) >= 0;
    assertThat(bucket.keys()).hasSize(carriedOut ? 1 : 0);
    put(once, KEY);
  }

  /** The client takes what came of the head for all of it: the end of a connection ends a head. */
  @Test
  void answersHeadIsCutAndTheClientDoesNotNotice() {
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Cut(Fault.Point.IN_ANSWER_HEAD));

    PutObjectResponse answer =
        once.putObject(r -> r.bucket("bucket").key(KEY), RequestBody.fromString("content"));

    assertThat(answer.sdkHttpResponse().statusCode()).isEqualTo(200);
    assertThat(answer.sdkHttpResponse().firstMatchingHeader("x-amz-request-id")).isEmpty();

    assertThat(bucket.keys()).containsExactly(KEY);
  }

  @Test
  void answersBodyIsCut() {
    put(once, KEY);
    bucket.plan(S3Operation.GET_OBJECT, 1, new Fault.Cut(Fault.Point.IN_ANSWER_BODY));

    assertThatThrownBy(this::read)
        .isInstanceOf(SdkClientException.class)
        .hasRootCauseMessage(
            "Premature end of Content-Length delimited message body (expected: 7; received: 3)");
  }

  @ParameterizedTest
  @EnumSource(value = Fault.Point.class, mode = EnumSource.Mode.EXCLUDE, names = "IN_ANSWER_BODY")
  void requestStallsUntilItIsReleased(Fault.Point point) throws Exception {
    Fault.Stall stall = new Fault.Stall();
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Stalled(point, stall));

    CompletableFuture<String> put = CompletableFuture.supplyAsync(() -> put(once, KEY));
    stall.awaitReached();
    boolean carriedOut = point.compareTo(Fault.Point.CARRIED_OUT) >= 0;
    assertThat(bucket.keys()).hasSize(carriedOut ? 1 : 0);
    assertThat(put).isNotDone();
    stall.release();

    assertThat(put.get()).isNotEmpty();
    assertThat(bucket.keys()).containsExactly(KEY);
  }

  @Test
  void answersBodyStallsUntilItIsReleased() throws Exception {
    put(once, KEY);
    Fault.Stall stall = new Fault.Stall();
    bucket.plan(S3Operation.GET_OBJECT, 1, new Fault.Stalled(Fault.Point.IN_ANSWER_BODY, stall));

    CompletableFuture<String> read = CompletableFuture.supplyAsync(this::read);
    stall.awaitReached();
    assertThat(read).isNotDone();
    stall.release();

    assertThat(read.get()).isEqualTo("content");
  }

  @Test
  void slowRequestGoesOnByteForByte() throws Exception {
    Fault.Budget budget = new Fault.Budget();
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Slowed(budget));

    CompletableFuture<String> put = CompletableFuture.supplyAsync(() -> put(once, KEY));
    budget.grant(6);
    budget.awaitSpent();
    assertThat(bucket.keys()).isEmpty();
    budget.grant(1);
    budget.awaitSpent();
    assertThat(bucket.keys()).containsExactly(KEY);
    assertThat(put).isNotDone();
    budget.grant(1 << 16);

    assertThat(put.get()).isNotEmpty();
  }

  @Test
  void byteIsFlippedOnTheWayAndFound() {
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Damaged(Fault.Damage.FLIPPED_ON_THE_WAY));

    assertThat(code(() -> putWithChecksum(Crc32c.of("content".getBytes(UTF_8)).base64())))
        .isEqualTo("BadDigest");
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void byteIsFlippedOrDroppedInTheStoreWhichTellsOfIt() {
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Damaged(Fault.Damage.FLIPPED));
    bucket.plan(S3Operation.PUT_OBJECT, 2, new Fault.Damaged(Fault.Damage.SHORTENED));
    String right = Crc32c.of("content".getBytes(UTF_8)).base64();

    assertThat(putWithChecksum(right)).isEqualTo(Crc32c.of("conuent".getBytes(UTF_8)).base64());
    assertThat(read()).isEqualTo("conuent");
    putWithChecksum(right);
    assertThat(read()).isEqualTo("conten");
  }

  @Test
  void writesAreForgotten() {
    bucket.plan(S3Operation.PUT_OBJECT, 1, new Fault.Forgotten());
    bucket.plan(S3Operation.CREATE_MULTIPART_UPLOAD, 1, new Fault.Forgotten());

    assertThat(put(once, KEY)).isEqualTo("\"9a0364b9e99bb480dd25e1f0284c8555\"");
    assertThat(once.createMultipartUpload(r -> r.bucket("bucket").key(KEY)).uploadId())
        .isNotEmpty();

    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.openUploads()).isEmpty();
  }

  @Test
  void completeAnswersAnErrorInsideAnOkOrNothingOrNonsense() {
    String id = once.createMultipartUpload(r -> r.bucket("bucket").key(KEY)).uploadId();
    CompletedPart part = listed(1, part(id, 1, "part"));
    bucket
        .plan(S3Operation.COMPLETE_MULTIPART_UPLOAD, 1, refused(WireAnswer.error(200, "X", "no")))
        .plan(S3Operation.COMPLETE_MULTIPART_UPLOAD, 2, refused(WireAnswer.empty(200)))
        .plan(S3Operation.COMPLETE_MULTIPART_UPLOAD, 3, refused(WireAnswer.xml(200, "<a")));

    assertThat(code(() -> complete(id, part))).isEqualTo("X");
    assertThat(complete(id, part)).isNull();
    assertThatThrownBy(() -> complete(id, part)).isInstanceOf(SdkClientException.class);
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void requestIsCarriedOutAndMisreported() {
    bucket.plan(
        S3Operation.PUT_OBJECT,
        1,
        new Fault.Misreported(WireAnswer.error(500, "InternalError", "")));

    assertThat(status(() -> put(once, KEY))).isEqualTo(500);
    assertThat(bucket.keys()).containsExactly(KEY);
  }

  @Test
  void burstEndsAndTheClientGetsThrough() throws SinkException {
    bucket.plan(S3Operation.PUT_OBJECT, 1, 2, refused(WireAnswer.error(503, "SlowDown", "")));

    try (S3Client thrice = ShortWaits.client(server.uri(), 3, Duration.ofSeconds(30), 4)) {
      put(thrice, KEY);
    }

    assertThat(bucket.asked(S3Operation.PUT_OBJECT))
        .extracting(ServedBucket.Asked::retry)
        .containsExactly(false, true, true);
    assertThat(bucket.asked(S3Operation.PUT_OBJECT))
        .extracting(ServedBucket.Asked::struck)
        .containsExactly(true, true, false);
  }

  @Test
  void faultStrikesOnlyWhatMatchesAndNothingOnceHealed() {
    bucket.plan(
        request -> request.key().equals("other"),
        1,
        Integer.MAX_VALUE,
        refused(WireAnswer.empty(403)));
    bucket.planAll(S3Operation.GET_OBJECT, refused(WireAnswer.empty(403)));

    put(once, KEY);
    assertThat(status(() -> put(once, "other"))).isEqualTo(403);
    assertThat(status(this::read)).isEqualTo(403);
    bucket.heal();
    put(once, "other");
    assertThat(read()).isEqualTo("content");
  }
}
