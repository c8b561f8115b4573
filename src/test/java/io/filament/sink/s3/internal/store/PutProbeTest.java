package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.PutProbe.Finding;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3Client;

/** A run asks as little as it can, and leaves nothing. */
@Timeout(60)
class PutProbeTest {

  private static final String KEY = "raw/_runs/run-1/_probe";
  private static final String PATH = "/bucket/" + KEY;
  private static final String REHEARSAL = "DELETE " + PATH + "?versionId=null";
  private static final String PUT = "PUT " + PATH;
  private static final String HEAD = "HEAD " + PATH;
  private static final Answer TAKEN = Answer.empty(200);
  private static final Answer GONE = Answer.empty(204);
  private static final Answer ABSENT = Answer.empty(404);
  private static final Answer UNSEEN = Answer.empty(403);
  private static final Answer UNMET = Answer.error(412, "PreconditionFailed");

  private final CountDownLatch over = new CountDownLatch(1);
  private S3Stub stub;
  private S3Client client;

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings());
  }

  @AfterEach
  void close() {
    over.countDown();
    client.close();
    stub.close();
  }

  @Test
  void storeThatHonoursTheConditionIsAskedFiveTimes() {
    assertThat(found(GONE, taken("v1"), UNMET, GONE, ABSENT))
        .isEqualTo(Finding.of(Conditions.HONOURED));

    assertThat(lines())
        .containsExactly(REHEARSAL, PUT, PUT, "DELETE " + PATH + "?versionId=v1", HEAD);
    assertThat(stub.requests())
        .filteredOn(request -> request.line().equals(PUT))
        .allMatch(put -> "*".equals(put.header("if-none-match")) && put.length() == 1);
  }

  @Test
  void storeThatIgnoresTheConditionLosesEachVersion() {
    assertThat(found(GONE, taken("v1"), taken("v2"), GONE, GONE, ABSENT))
        .isEqualTo(Finding.of(Conditions.IGNORED));

    assertThat(lines())
        .containsExactly(
            REHEARSAL,
            PUT,
            PUT,
            "DELETE " + PATH + "?versionId=v1",
            "DELETE " + PATH + "?versionId=v2",
            HEAD);
  }

  @Test
  void writesThatMayNotBeOfTheConditionAreMadeWithoutIt() {
    assertThat(found(GONE, Answer.error(400, "InvalidArgument"), TAKEN, GONE, ABSENT))
        .isEqualTo(Finding.of(Conditions.REFUSED));
    assertThat(lines()).containsExactly(REHEARSAL, PUT, PUT, REHEARSAL, HEAD);
    assertThat(stub.requests().get(2).header("if-none-match")).isNull();
  }

  @Test
  void refusalThatIsNotOfTheConditionShowsNothing() {
    Finding finding = found(GONE, Answer.error(400, "InvalidRequest"));

    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.failure().orElseThrow()).hasMessageContaining("InvalidRequest");
    assertThat(lines()).containsExactly(REHEARSAL, PUT, PUT);
  }

  @Test
  void storeThatRefusesTheConditionHasNoObjectToDelete() {
    assertThat(found(GONE, Answer.error(501, "NotImplemented")))
        .isEqualTo(Finding.of(Conditions.REFUSED));

    assertThat(lines()).containsExactly(REHEARSAL, PUT);
  }

  @ParameterizedTest
  @CsvSource({
    "409, ConditionalRequestConflict, HONOURED",
    "501, NotImplemented, REFUSED",
    "400, InvalidArgument, REFUSED"
  })
  void secondPutShowsTheSameByOtherAnswers(int status, String code, Conditions puts) {
    assertThat(found(GONE, TAKEN, Answer.error(status, code), GONE, ABSENT))
        .isEqualTo(Finding.of(puts));

    assertThat(lines()).containsExactly(REHEARSAL, PUT, PUT, REHEARSAL, HEAD);
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied",
    "400, RequestTimeout",
    "400, ExpiredToken",
    "400, BadDigest",
    "409, OperationAborted",
    "500, InternalError",
    "503, SlowDown"
  })
  void failureOfTheSecondPutShowsNothingAndTheObjectIsDeleted(int status, String code) {
    Finding finding = found(GONE, TAKEN, Answer.error(status, code), GONE, ABSENT);

    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.left()).isEmpty();
    assertThat(lines()).containsExactly(REHEARSAL, PUT, PUT, REHEARSAL, HEAD);
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied, true",
    "401, AccessDenied, true",
    "500, InternalError, false",
    "503, SlowDown, false"
  })
  void nothingIsMadeWhereADeletionIsRefused(int status, String code, boolean isDenied) {
    Finding finding = found(Answer.error(status, code));

    assertThat(lines()).containsExactly(REHEARSAL);
    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.failure().orElseThrow())
        .hasMessageContainingAll("DeleteObject s3://bucket/" + KEY, code);
    assertThat(
            finding
                .failure()
                .orElseThrow()
                .getMessage()
                .contains("the credentials need s3:DeleteObjectVersion"))
        .isEqualTo(isDenied);
    assertThat(finding.left()).isEmpty();
  }

  @Test
  void nothingIsMadeWhereADeletionMakesAMarkerWhichIsDeleted() {
    Finding finding = found(marker("m1"), GONE);

    assertThat(lines()).containsExactly(REHEARSAL, "DELETE " + PATH + "?versionId=m1");
    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.failure().orElseThrow())
        .hasMessageContaining("the store makes delete markers");
    assertThat(finding.left()).isEmpty();
  }

  @Test
  void markerThatStaysIsNamed() {
    Answer refused = Answer.error(403, "AccessDenied");

    Finding finding = found(marker("m1"), refused);

    assertThat(finding.left()).contains("key \"" + KEY + "\", version m1");
  }

  @Test
  void putThatIsRefusedHasMadeNothing() {
    Finding finding = found(GONE, Answer.error(403, "AccessDenied"));

    assertThat(lines()).containsExactly(REHEARSAL, PUT);
    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.failure().orElseThrow())
        .hasMessageContaining("the credentials need s3:PutObject");
  }

  @Test
  void objectOfAPutWithoutAnAnswerIsDeleted() {
    Finding finding = found(GONE, Answer.cut(), GONE, there("v1"), GONE, ABSENT);

    assertThat(lines())
        .containsExactly(REHEARSAL, PUT, REHEARSAL, HEAD, "DELETE " + PATH + "?versionId=v1", HEAD);
    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.failure().orElseThrow())
        .hasMessageContaining("PutObject s3://bucket/" + KEY);
    assertThat(finding.left()).as("the put may be carried out yet").isPresent();
  }

  /** An earlier try of the put was carried out, or another attempt has left its object. */
  @Test
  void firstPutThatFindsAnObjectShowsThatTheConditionIsHonouredAndDeletesIt() {
    assertThat(found(GONE, UNMET, GONE, there("v1"), GONE, ABSENT))
        .isEqualTo(Finding.of(Conditions.HONOURED));

    assertThat(lines())
        .containsExactly(REHEARSAL, PUT, REHEARSAL, HEAD, "DELETE " + PATH + "?versionId=v1", HEAD);
  }

  /** Who may neither list nor look, as many a writer, gets 403 for an absent key. */
  @Test
  void answeredDeletionIsBelievedWhereNobodyMayLook() {
    assertThat(found(GONE, TAKEN, UNMET, GONE, UNSEEN)).isEqualTo(Finding.of(Conditions.HONOURED));
  }

  @Test
  void objectOfAPutWithoutAnAnswerMayBeLeftWhereNobodyMayLook() {
    Finding finding = found(GONE, Answer.cut(), GONE, UNSEEN);

    assertThat(finding.left()).contains("key \"" + KEY + "\"");
  }

  @Test
  void objectWhoseDeletionFailsIsNamedWithItsVersionAndTheReason() {
    Answer failure = Answer.error(500, "InternalError");

    Finding finding = found(GONE, taken("v1"), UNMET, failure);

    assertThat(finding.puts()).isEqualTo(Conditions.HONOURED);
    assertThat(finding.left().orElseThrow())
        .startsWith("key \"" + KEY + "\", version v1: DeleteObject s3://bucket/" + KEY)
        .contains("InternalError");
  }

  @Test
  void interruptStillDeletesTheObjectAndIsKept() {
    Thread caller = Thread.currentThread();
    Answer interrupting =
        new Answer(
            exchange -> {
              caller.interrupt();
              hang();
            });

    Finding finding = found(GONE, taken("v1"), interrupting, GONE, ABSENT);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(lines())
        .containsExactly(REHEARSAL, PUT, PUT, "DELETE " + PATH + "?versionId=v1", HEAD);
    assertThat(finding.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(finding.left()).as("the put may be carried out yet").isPresent();
  }

  private Finding found(Answer... answers) {
    stub.answers(answers);
    return SdkObjectStore.of(client, "bucket").putProbe(KEY).run();
  }

  private List<String> lines() {
    return stub.requests().stream().map(Received::line).toList();
  }

  private void hang() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the stub is closing
    }
  }

  private static Answer taken(String version) {
    return Answer.empty(200, "x-amz-version-id", version);
  }

  private static Answer there(String version) {
    return Answer.empty(200, "Content-Length", "1", "x-amz-version-id", version);
  }

  private static Answer marker(String version) {
    return Answer.empty(204, "x-amz-delete-marker", "true", "x-amz-version-id", version);
  }
}
