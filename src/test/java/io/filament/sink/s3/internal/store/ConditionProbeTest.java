package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.BucketLook.Access;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What a store makes of conditions shows at an object, which is there no longer than that takes.
 */
@Timeout(60)
class ConditionProbeTest {

  private static final String KEY = "raw/_runs/_connection-test/1-object";
  private static final String PATH = "/bucket/" + KEY;
  private static final Answer TAKEN = Answer.empty(200);
  private static final Answer GONE = Answer.empty(204);
  private static final Answer ABSENT = Answer.empty(404);
  private static final Answer UNMET = Answer.error(412, "PreconditionFailed");
  private static final Answer DENIED = Answer.error(403, "AccessDenied");
  private static final Answer STARTED =
      Answer.xml(
          200,
          "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>");
  private static final Answer PART = Answer.empty(200, "ETag", "\"part\"");
  private static final Answer NO_UPLOADS =
      Answer.xml(
          200,
          "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>");
  private static final String OTHER_MD5 = "\"" + "0".repeat(32) + "\"";

  private final CountDownLatch over = new CountDownLatch(1);
  private final Findings findings = new Findings();
  private S3Stub stub;
  private S3Client client;
  private Access access = Access.GRANTED;

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
  void storeThatRefusesWhatIsThereHonoursConditions() {
    ConditionProbe probe =
        probed(
            GONE,
            taken("v1"),
            there("v1"),
            UNMET,
            STARTED,
            PART,
            UNMET,
            GONE,
            NO_UPLOADS,
            GONE,
            ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.HONOURED);
    assertThat(probe.completes()).isEqualTo(Conditions.HONOURED);
    assertThat(probe.isRead()).isTrue();
    assertThat(lines())
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "PUT " + PATH,
            "HEAD " + PATH,
            "PUT " + PATH,
            "POST " + PATH + "?uploads",
            "PUT " + PATH + "?partNumber=1&uploadId=id-1",
            "POST " + PATH + "?uploadId=id-1",
            "DELETE " + PATH + "?uploadId=id-1",
            "GET /bucket?uploads&prefix=raw%2F_runs%2F_connection-test%2F1-object",
            "DELETE " + PATH + "?versionId=v1",
            "HEAD " + PATH);
    assertThat(withIfNoneMatch())
        .containsExactly("PUT " + PATH, "PUT " + PATH, "POST " + PATH + "?uploadId=id-1");
    assertThat(stub.requests().get(1).length()).isEqualTo(1);
    assertThat(findings.report().messages())
        .containsExactly(
            "An object of one byte was put, kept as it was sent, and deleted again. Not shown: that"
                + " the store completes uploads; each run looks at its own objects.",
            "The store honours If-None-Match for puts.",
            "The store honours If-None-Match for completed uploads.");
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void storeThatTakesEachWriteIgnoresConditionsAndEachVersionIsDeleted() {
    ConditionProbe probe =
        probed(
            GONE,
            taken("v1"),
            there("v1"),
            taken("v2"),
            STARTED,
            PART,
            completed("v3"),
            GONE,
            GONE,
            GONE,
            there("v0"),
            GONE,
            ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.IGNORED);
    assertThat(probe.completes()).isEqualTo(Conditions.IGNORED);
    assertThat(lines())
        .filteredOn(line -> line.startsWith("DELETE "))
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "DELETE " + PATH + "?versionId=v1",
            "DELETE " + PATH + "?versionId=v2",
            "DELETE " + PATH + "?versionId=v3",
            "DELETE " + PATH + "?versionId=v0");
    assertThat(text())
        .contains(
            "Warning: the store ignores If-None-Match for puts: two writers that commit one run id"
                + " at the same moment are not kept apart.",
            "Warning: the store ignores If-None-Match for completed uploads: ");
    assertThat(findings.areOk()).isTrue();
  }

  /** Swift: 501 for the put, and 412 with another code for the upload. */
  @ParameterizedTest
  @CsvSource({"501, NotImplemented", "400, InvalidArgument", "400, NotImplemented"})
  void storeThatRefusesThePutIsPutToWithout(int status, String code) {
    ConditionProbe probe =
        probed(
            GONE,
            Answer.error(status, code),
            TAKEN,
            there(),
            STARTED,
            PART,
            Answer.error(412, "InvalidRequest"),
            GONE,
            NO_UPLOADS,
            GONE,
            ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.REFUSED);
    assertThat(probe.completes()).isEqualTo(Conditions.HONOURED);
    assertThat(withIfNoneMatch()).containsExactly("PUT " + PATH, "POST " + PATH + "?uploadId=id-1");
    assertThat(lines().subList(1, 3)).containsExactly("PUT " + PATH, "PUT " + PATH);
    assertThat(text())
        .contains(
            "With If-None-Match: PutObject s3://bucket/" + KEY,
            "Warning: the store refuses If-None-Match for puts, so a run does without: two writers");
    assertThat(findings.areOk()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "409, ConditionalRequestConflict, HONOURED",
    "501, NotImplemented, REFUSED",
    "400, InvalidArgument, REFUSED",
    "403, AccessDenied, UNKNOWN",
    "500, InternalError, UNKNOWN"
  })
  void whatIsAnsweredToTheWritesThatMustFailIsToldApart(int status, String code, Conditions found) {
    Answer answer = Answer.error(status, code);

    ConditionProbe probe =
        probed(GONE, TAKEN, there(), answer, STARTED, PART, answer, GONE, NO_UPLOADS, GONE, ABSENT);

    assertThat(probe.puts()).isEqualTo(found);
    assertThat(probe.completes()).isEqualTo(found);
    assertThat(text().contains(code)).isEqualTo(found != Conditions.HONOURED);
    assertThat(lines()).hasSize(11).contains("DELETE " + PATH + "?uploadId=id-1");
    assertThat(findings.areOk()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"403, AccessDenied", "401, AccessDenied", "500, InternalError"})
  void nothingIsMadeWhereADeleteIsRefused(int status, String code) {
    ConditionProbe probe = probed(Answer.error(status, code));

    assertThat(lines()).containsExactly("DELETE " + PATH + "?versionId=null");
    assertThat(probe.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(probe.completes()).isEqualTo(Conditions.UNKNOWN);
    assertThat(findings.report().messages()).hasSize(1);
    assertThat(text())
        .startsWith("Not shown, since it takes an object, and it is not sure that one could be")
        .contains("which no run needs", "honours If-None-Match", code);
    assertThat(text().contains("the credentials need s3:DeleteObjectVersion on this key"))
        .isEqualTo(status != 500);
    assertThat(findings.areOk()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoSuchKey", "NoSuchVersion"})
  void storeThatFindsNothingToDeleteLetsItBeDeleted(String code) {
    Answer nothing = Answer.error(404, code);

    ConditionProbe probe =
        probed(
            nothing, TAKEN, there(), UNMET, STARTED, PART, UNMET, GONE, NO_UPLOADS, GONE, ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.HONOURED);
    assertThat(lines()).contains("DELETE " + PATH + "?versionId=null");
    assertThat(findings.areOk()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"400, InvalidArgument", "405, MethodNotAllowed", "501, NotImplemented"})
  void storeThatTakesNoVersionIsAskedWithout(int status, String code) {
    ConditionProbe probe =
        probed(
            Answer.error(status, code),
            GONE,
            TAKEN,
            there(),
            UNMET,
            STARTED,
            PART,
            UNMET,
            GONE,
            NO_UPLOADS,
            GONE,
            ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.HONOURED);
    assertThat(lines())
        .filteredOn(line -> line.startsWith("DELETE ") && !line.contains("uploadId"))
        .containsExactly("DELETE " + PATH + "?versionId=null", "DELETE " + PATH, "DELETE " + PATH);
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void deleteMarkerThatTheRehearsalMakesIsDeletedAndNothingElseMade() {
    probed(Answer.error(400, "InvalidArgument"), marker("m1"), GONE);

    assertThat(lines())
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "DELETE " + PATH,
            "DELETE " + PATH + "?versionId=m1");
    assertThat(text()).contains("makes delete markers").doesNotContain("may be left");
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void deleteMarkerThatStaysIsNamed() {
    probed(Answer.error(400, "InvalidArgument"), marker("m1"), DENIED);

    assertThat(lines()).hasSize(3);
    assertThat(text()).contains(KEY, "A delete marker may be left", KEY + "\", version m1.");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void deleteMarkerOfAVersionThatIsIgnoredIsDeletedAndNothingElseMade() {
    probed(marker("m1"), marker("m1"));

    assertThat(lines())
        .containsExactly("DELETE " + PATH + "?versionId=null", "DELETE " + PATH + "?versionId=m1");
    assertThat(text())
        .contains("Not shown, since it takes an object", "makes delete markers")
        .doesNotContain("may be left");
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void deleteMarkersOfAStoreThatIgnoresEachVersionAreNamed() {
    probed(marker("m1"), marker("m2"));

    assertThat(lines()).hasSize(2);
    assertThat(text()).contains("A delete marker may be left", KEY + "\", version m1, version m2.");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void deleteMarkerThatIsNotFoundIsNamed() {
    probed(marker("m1"), Answer.error(404, "NoSuchVersion"));

    assertThat(lines()).hasSize(2);
    assertThat(text()).contains("A delete marker may be left", KEY + "\", version m1.");
    assertThat(findings.areOk()).isFalse();
  }

  /** As where versioning is suspended: the marker has the version that is ignored. */
  @Test
  void deleteMarkerWithoutAVersionOfItsOwnIsNamed() {
    probed(marker("null"), marker("null"));

    assertThat(lines()).hasSize(2);
    assertThat(text()).contains("A delete marker may be left", KEY + "\".");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void versionThatIsKeptBelowADeleteMarkerIsNamed() {
    probed(GONE, taken("v1"), head(87), marker("m1"), marker("m2"), marker("m3"), marker("m4"));

    assertThat(text())
        .contains(
            "the store makes delete markers and keeps version \"v1\"",
            "An object of one byte may be left",
            KEY + "\", version v1, version m1, version m2, version m3");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void versionThatMayNotBeLookedAtIsDeletedAsThePutHasToldIt() {
    access = Access.REFUSED;

    probed(GONE, taken("v1"), Answer.empty(403), GONE, Answer.empty(403));

    assertThat(lines())
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "PUT " + PATH,
            "HEAD " + PATH,
            "DELETE " + PATH + "?versionId=v1",
            "HEAD " + PATH);
    assertThat(text()).contains("s3:GetObject on this key", "may be left").doesNotContain("v1");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void versionThatMayNeitherBeLookedAtNorDeletedIsNamed() {
    probed(GONE, taken("v1"), Answer.empty(403), DENIED);

    assertThat(lines())
        .filteredOn(line -> line.startsWith("DELETE "))
        .hasSize(4)
        .filteredOn(line -> line.endsWith("versionId=v1"))
        .hasSize(3);
    assertThat(text()).contains("may be left", KEY + "\", version v1.");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void eachVersionIsDeletedEvenIfOneCanNotBe() {
    probed(GONE, taken("v1"), there("v1"), taken("v2"), DENIED, DENIED, GONE, DENIED, DENIED);

    assertThat(text()).contains(KEY + "\", version v1.").doesNotContain("version v2");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void conditionThatFailsWhereNothingIsShowsNothing() {
    ConditionProbe probe = probed(GONE, UNMET, GONE, ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(probe.completes()).isEqualTo(Conditions.UNKNOWN);
    assertThat(lines()).last().isEqualTo("HEAD " + PATH);
    assertThat(lines()).hasSize(4);
    assertThat(text())
        .contains(
            "If-None-Match was not met although nothing was there",
            "Not shown: whether the store honours If-None-Match for puts.")
        .doesNotContain("was put");
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void conditionThatFailsIsToldWhereNothingCanBeSeen() {
    access = Access.REFUSED;

    probed(GONE, UNMET, GONE, Answer.empty(403));

    assertThat(lines())
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "PUT " + PATH,
            "DELETE " + PATH + "?versionId=null",
            "HEAD " + PATH);
    assertThat(text())
        .contains("it can't be shown that an earlier try of that put has left nothing: key", KEY)
        .doesNotContain("s3:GetObject", "may be left");
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void objectOfAnEarlierTryOfAPutIsDeleted() {
    access = Access.REFUSED;

    probed(GONE, UNMET, GONE, there("v1"), GONE, Answer.empty(403));

    assertThat(lines()).contains("DELETE " + PATH + "?versionId=v1").hasSize(6);
    assertThat(text()).doesNotContain("can't be shown", "may be left");
    assertThat(findings.areOk()).isTrue();
  }

  @Test
  void objectOfAPutWithoutAnAnswerIsNamedWhereItCanNotBeSeen() {
    access = Access.REFUSED;

    probed(GONE, Answer.cut(), GONE, Answer.empty(403));

    assertThat(text()).contains("(no answer)", "An object of one byte may be left", KEY);
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectOfAPutWithoutAnAnswerIsDeleted() {
    ConditionProbe probe = probed(GONE, Answer.cut(), GONE, there("v1"), GONE, ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(lines())
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "PUT " + PATH,
            "DELETE " + PATH + "?versionId=null",
            "HEAD " + PATH,
            "DELETE " + PATH + "?versionId=v1",
            "HEAD " + PATH);
    assertThat(text()).contains("PutObject s3://bucket/" + KEY, "(no answer)");
    assertThat(findings.areOk()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Access.class,
      names = {"GRANTED", "REFUSED"})
  void putThatIsRefusedWithAndWithoutAConditionWouldFailARun(Access access) {
    this.access = access;

    ConditionProbe probe = probed(GONE, DENIED, DENIED);

    assertThat(probe.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(withIfNoneMatch()).hasSize(1);
    assertThat(lines()).hasSize(3).last().isEqualTo("PUT " + PATH);
    assertThat(text())
        .contains("the credentials need s3:PutObject")
        .doesNotContain("may be left", "s3:GetObject");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectOfAnotherSizeIsAFailureAndDeleted() {
    ConditionProbe probe = probed(GONE, TAKEN, head(87), GONE, ABSENT);

    assertThat(probe.puts()).isEqualTo(Conditions.UNKNOWN);
    assertThat(probe.isRead()).isFalse();
    assertThat(lines())
        .containsSubsequence("HEAD " + PATH, "DELETE " + PATH + "?versionId=null", "HEAD " + PATH);
    assertThat(text())
        .contains(
            "HeadObject s3://bucket/" + KEY + ": the store keeps 87 bytes of an object of 1",
            "takes the framing of chunked bodies for content");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectOfAnotherChecksumIsAFailure() {
    Answer other = head(1, "x-amz-checksum-crc32c", Crc32c.of(new byte[] {'q'}).base64());

    probed(GONE, TAKEN, other, GONE, ABSENT);

    assertThat(text()).contains("the store has CRC-32C", "framing");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectOfAnotherMd5IsAFailureWhereThereAreNoChecksums() {
    Answer other = head(1, "ETag", OTHER_MD5);

    probed(ChecksumLevel.NONE, ObjectOptions.NONE, GONE, TAKEN, other, GONE, ABSENT);

    assertThat(text()).contains("HeadObject s3://bucket/" + KEY + ": the store has the ETag 0000");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectThatIsTakenAndNotThereIsAFailure() {
    probed(GONE, TAKEN, ABSENT, GONE, ABSENT);

    assertThat(lines())
        .containsExactly(
            "DELETE " + PATH + "?versionId=null",
            "PUT " + PATH,
            "HEAD " + PATH,
            "DELETE " + PATH + "?versionId=null",
            "HEAD " + PATH);
    assertThat(text())
        .contains("the store took the object and doesn't have it")
        .doesNotContain("deleted again");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectThatMayNotBeLookedAtIsDeletedAndNamedAllTheSame() {
    ConditionProbe probe =
        probed(
            GONE,
            TAKEN,
            Answer.empty(403),
            GONE,
            Answer.empty(403),
            Answer.empty(403),
            Answer.empty(403));

    assertThat(probe.isRead()).isFalse();
    assertThat(lines())
        .filteredOn(line -> line.startsWith("DELETE "))
        .hasSize(2)
        .allMatch(line -> line.equals("DELETE " + PATH + "?versionId=null"));
    assertThat(text())
        .contains(
            "s3:GetObject on this key",
            "An object of one byte may be left, and costs money until it is deleted: key \""
                + KEY
                + "\".");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void refusedLookAfterOneThatWasGrantedShowsThatNothingIsThereToWhoMayNotList() {
    access = Access.REFUSED;

    ConditionProbe probe =
        probed(
            GONE,
            TAKEN,
            there(),
            UNMET,
            STARTED,
            PART,
            UNMET,
            GONE,
            NO_UPLOADS,
            GONE,
            Answer.empty(403));

    assertThat(probe.isRead()).isTrue();
    assertThat(lines()).hasSize(11);
    assertThat(findings.areOk()).as(text()).isTrue();
  }

  @Test
  void refusedLookShowsNothingToWhoMayList() {
    probed(
        GONE,
        TAKEN,
        there(),
        UNMET,
        STARTED,
        PART,
        UNMET,
        GONE,
        NO_UPLOADS,
        GONE,
        Answer.empty(403));

    assertThat(lines()).hasSize(13).last().isEqualTo("HEAD " + PATH);
    assertThat(text()).contains("may be left", KEY).doesNotContain("deleted again");
    assertThat(findings.areOk()).isFalse();
  }

  /** As by a retention of the bucket. */
  @Test
  void objectThatCanNotBeDeletedIsNamedWithItsVersion() {
    probed(
        GONE,
        taken("v1"),
        there("v1"),
        UNMET,
        STARTED,
        PART,
        UNMET,
        GONE,
        NO_UPLOADS,
        DENIED,
        DENIED,
        DENIED);

    assertThat(lines()).hasSize(12);
    assertThat(text())
        .contains(
            "DeleteObject s3://bucket/" + KEY,
            "may be left, and costs money until it is deleted: key \"" + KEY + "\", version v1.",
            "The store honours If-None-Match for puts.")
        .doesNotContain("deleted again");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void objectThatStaysAfterAllDeletesIsNamed() {
    Answer[] stays =
        Stream.generate(() -> Stream.of(GONE, there()))
            .limit(5)
            .flatMap(two -> two)
            .toArray(Answer[]::new);
    List<Answer> answers = new ArrayList<>(List.of(GONE, TAKEN, head(2)));
    for (int tries = 0; tries < 3; tries++) {
      answers.addAll(Arrays.asList(stays));
    }

    probed(answers.toArray(Answer[]::new));

    assertThat(lines()).hasSize(3 + 3 * 10);
    assertThat(text())
        .contains("the store took it 5 times and still has an object", "may be left", KEY);
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void uploadThatCanNotBeAbortedIsNamedAndTheObjectDeleted() {
    probed(GONE, TAKEN, there(), UNMET, STARTED, PART, UNMET, DENIED, DENIED, DENIED, GONE, ABSENT);

    assertThat(lines()).last().isEqualTo("HEAD " + PATH);
    assertThat(lines()).hasSize(12);
    assertThat(text())
        .contains("An upload of one byte may be left", KEY, "upload id id-1.")
        .doesNotContain("An object of one byte may be left");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void interruptStillDeletesTheObjectAndIsKept() {
    Thread caller = Thread.currentThread();
    Answer interrupting = new Answer(exchange -> interruptAndHang(caller));

    probed(GONE, taken("v1"), there("v1"), interrupting, GONE, ABSENT);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(lines().subList(4, 6))
        .containsExactly("DELETE " + PATH + "?versionId=v1", "HEAD " + PATH);
    assertThat(text()).contains("PutObject s3://bucket/" + KEY + ": interrupted");
    assertThat(text()).doesNotContain("may be left");
    assertThat(findings.areOk()).isFalse();
  }

  @Test
  void interruptWithinTheRemovalDoesNotStopIt() {
    Thread caller = Thread.currentThread();
    Answer interrupting = new Answer(exchange -> interruptAndHang(caller));

    probed(
        GONE,
        TAKEN,
        there(),
        UNMET,
        STARTED,
        PART,
        UNMET,
        GONE,
        NO_UPLOADS,
        interrupting,
        GONE,
        ABSENT);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(lines()).hasSize(12).last().isEqualTo("HEAD " + PATH);
    assertThat(text()).doesNotContain("may be left");
  }

  @ParameterizedTest
  @EnumSource(ChecksumLevel.class)
  void requestsHaveTheOptionsOfARun(ChecksumLevel level) {
    ObjectOptions options =
        new ObjectOptions(
            new Encryption(Optional.of("aws:kms"), Optional.of("key-1"), Optional.empty()),
            Optional.of("STANDARD_IA"),
            Optional.empty(),
            Map.of("team", "data"),
            Map.of(),
            Optional.of("123456789012"),
            Optional.of("requester"));

    probed(level, options, goodStore());

    assertThat(stub.requests())
        .hasSize(11)
        .allSatisfy(
            request -> {
              assertThat(request.header("x-amz-expected-bucket-owner")).isEqualTo("123456789012");
              assertThat(request.header("x-amz-request-payer")).isEqualTo("requester");
            });
    assertThat(stub.requests())
        .filteredOn(request -> request.header("x-amz-tagging") != null)
        .extracting(Received::line)
        .containsExactly("PUT " + PATH, "PUT " + PATH, "POST " + PATH + "?uploads");
    assertThat(findings.areOk()).as(text()).isTrue();
  }

  @Test
  void customersKeyGoesAlongWithEachRequestThatNeedsIt() {
    CustomerKey key = CustomerKey.of("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    ObjectOptions options =
        new ObjectOptions(
            new Encryption(Optional.empty(), Optional.empty(), Optional.of(key)),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty());

    probed(ChecksumLevel.NONE, options, goodStore());

    assertThat(stub.requests())
        .hasSize(11)
        .allSatisfy(
            request ->
                assertThat(request.header("x-amz-server-side-encryption-customer-key") != null)
                    .as(request.line())
                    .isEqualTo(!request.line().matches("(DELETE|GET) .*")));
    assertThat(findings.areOk()).as(text()).isTrue();
  }

  @Test
  void deniedDeleteNamesTheOwnerThatIsExpected() {
    ObjectOptions options =
        new ObjectOptions(
            Encryption.DEFAULT,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            Optional.of("123456789012"),
            Optional.empty());

    probed(ChecksumLevel.FULL_OBJECT, options, DENIED);

    assertThat(text()).contains("account 123456789012 (expected_bucket_owner) does not own");
  }

  /** Returns what a store answers that honours the condition and keeps nothing. */
  private static Answer[] goodStore() {
    return new Answer[] {
      GONE, TAKEN, there(), UNMET, STARTED, PART, UNMET, GONE, NO_UPLOADS, GONE, ABSENT
    };
  }

  private ConditionProbe probed(Answer... answers) {
    return probed(ChecksumLevel.FULL_OBJECT, ObjectOptions.NONE, answers);
  }

  private ConditionProbe probed(ChecksumLevel level, ObjectOptions options, Answer... answers) {
    stub.answers(answers);
    SdkObjectStore store = SdkObjectStore.of(client, "bucket").with(options).at(level);
    ConditionProbe probe =
        new ConditionProbe(
            store, KEY, new ObjectRemoval(client, store, options, KEY, access), findings);
    probe.run();
    return probe;
  }

  private List<String> lines() {
    return stub.requests().stream().map(Received::line).toList();
  }

  private List<String> withIfNoneMatch() {
    return stub.requests().stream()
        .filter(request -> "*".equals(request.header("if-none-match")))
        .map(Received::line)
        .toList();
  }

  private String text() {
    return String.join("\n", findings.report().messages());
  }

  private void interruptAndHang(Thread caller) {
    caller.interrupt();
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the stub is closing
    }
  }

  private static Answer taken(String version) {
    return Answer.empty(200, "x-amz-version-id", version);
  }

  private static Answer completed(String version) {
    return Answer.xml(
        200,
        "<CompleteMultipartUploadResult><ETag>\"e-1\"</ETag></CompleteMultipartUploadResult>",
        "x-amz-version-id",
        version);
  }

  private static Answer there() {
    return head(1);
  }

  private static Answer there(String version) {
    return head(1, "x-amz-version-id", version);
  }

  private static Answer head(int length, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Content-Length";
    all[headers.length + 1] = String.valueOf(length);
    return Answer.empty(200, all);
  }

  private static Answer marker(String version) {
    return Answer.empty(204, "x-amz-delete-marker", "true", "x-amz-version-id", version);
  }
}
