package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.filament.sink.ConnectionReport;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import io.filament.sink.s3.testing.EachS3Endpoint;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** The connection test that writes finds what would fail a run, and leaves nothing. */
@Timeout(60)
class WriteTestTest {

  private static final String FOLDER = "raw/_runs/_connection-test/";
  private static final String RIGHT = ProfileProbe.body().crc32c().base64();
  private static final String RULE =
      "<Rule><Status>Enabled</Status><Filter><Prefix>raw/</Prefix></Filter>"
          + "<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation>"
          + "</AbortIncompleteMultipartUpload></Rule>";
  private static final Answer STARTED =
      Answer.xml(
          200,
          "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>");
  private static final TimeLimit PATIENT =
      new TimeLimit(Duration.ofSeconds(50), Duration.ofSeconds(30));

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean there;
  private S3Stub stub;

  /** A store where all goes well, unless a test says otherwise. */
  @BeforeEach
  void open() throws IOException {
    String etag = "\"" + Md5Etag.of(ProfileProbe.body()) + "\"";
    answers.put("HeadBucket", Answer.empty(200));
    answers.put("HeadObject", Answer.empty(404));
    answers.put("AbortMultipartUpload", Answer.empty(204));
    answers.put("UploadPart", Answer.empty(200, "ETag", etag));
    answers.put("UploadPart, wrong", Answer.error(400, "BadDigest"));
    answers.put("ListParts", parts(1));
    answers.put("ListMultipartUploads", uploads(""));
    answers.put("GetBucketLifecycleConfiguration", rules(RULE));
    answers.put("CreateMultipartUpload", STARTED);
    answers.put("PutObject", new Answer(this::put));
    answers.put("CompleteMultipartUpload", Answer.error(412, "PreconditionFailed"));
    answers.put("HeadObject, made", new Answer(this::headOfMade));
    answers.put("DeleteObject", new Answer(this::delete));
    stub =
        S3Stub.start()
            .answers(
                new Answer(exchange -> answers.get(operation(exchange)).sender().send(exchange)));
  }

  @AfterEach
  void close() {
    over.countDown();
    stub.close();
  }

  @Test
  void aGoodStoreIsOkAndAllHappensBelowThePrefix() {
    ConnectionReport report = report();

    assertThat(report.messages())
        .containsExactly(
            "Bucket bucket is there, and the credentials may ask for it.",
            "The store checks the CRC-32C of each part, and keeps whole objects' (checksum_mode:"
                + " auto takes full_object).",
            "An upload was started, took a part and was aborted below s3://bucket/raw/, so the"
                + " credentials may write there.",
            "An object of one byte was put, kept as it was sent, and deleted again. Not shown: that"
                + " the store completes uploads; each run looks at its own objects.",
            "The store honours If-None-Match for puts.",
            "The store honours If-None-Match for completed uploads.",
            "A lifecycle rule expires unfinished uploads after 7 days; a run must not take longer.");
    assertThat(report.ok()).isTrue();
    assertThat(stub.requests())
        .extracting(Received::line)
        .filteredOn(line -> !line.contains(" /bucket/" + FOLDER))
        .allMatch(line -> line.matches("HEAD /bucket|GET /bucket\\?(lifecycle|.*uploads.*)"))
        .hasSize(5);
    assertThat(lines("POST"))
        .hasSize(4)
        .filteredOn(line -> line.contains("uploadId"))
        .singleElement()
        .asString()
        .contains("-object?");
    assertThat(lines("PUT")).filteredOn(line -> !line.contains("uploadId")).hasSize(2);
    assertThat(lines("PUT")).hasSize(6);
    assertThat(lines("DELETE")).filteredOn(line -> line.contains("uploadId")).hasSize(3);
    assertThat(lines("DELETE"))
        .filteredOn(line -> line.contains("versionId=null"))
        .hasSize(2)
        .allMatch(line -> line.contains("-object?"));
    assertThat(lines("DELETE")).hasSize(5);
    assertThat(there).isFalse();
  }

  @Test
  void eachTestHasAPlaceOfItsOwn() {
    report();
    report();

    assertThat(lines("POST").stream().map(line -> line.replaceAll("\\?.*", "")).distinct())
        .hasSize(4);
  }

  @Test
  void whoMayOnlyWriteBelowThePrefixPassesAndHearsOfTheRest() {
    for (String denied :
        List.of(
            "HeadBucket",
            "HeadObject",
            "DeleteObject",
            "ListParts",
            "ListMultipartUploads",
            "GetBucketLifecycleConfiguration")) {
      answers.put(denied, Answer.error(403, "AccessDenied"));
    }

    ConnectionReport report = report();

    assertThat(report.ok()).isTrue();
    assertThat(text(report))
        .contains("The credentials need s3:ListBucket on the bucket for this test")
        .doesNotContain("If not: the access key id is unknown")
        .contains("it can't be shown that the credentials have s3:GetObject")
        .contains("s3:ListMultipartUploadParts on this key")
        .contains("s3:ListBucketMultipartUploads on the bucket")
        .contains("s3:GetLifecycleConfiguration on the bucket")
        .contains("s3:DeleteObjectVersion on this key")
        .contains("the credentials may write there");
  }

  @ParameterizedTest
  @CsvSource({"404", "301", "400", "500"})
  void aBucketThatIsNotThereEndsTheTest(int status) {
    answers.put("HeadBucket", Answer.empty(status));

    assertThat(report().ok()).isFalse();
    assertThat(stub.requests()).allMatch(request -> request.line().equals("HEAD /bucket"));
  }

  @Test
  void aHeadThatIsFineDoesNotHideThatPutsAreDenied() {
    answers.put("CreateMultipartUpload", Answer.error(403, "AccessDenied"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report))
        .contains("CreateMultipartUpload s3://bucket/" + FOLDER)
        .contains("the credentials need s3:PutObject on this key")
        .contains("kms:GenerateDataKey");
    assertThat(lines("DELETE")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SignatureDoesNotMatch", "InvalidAccessKeyId", "InvalidToken"})
  void keysThatAreRefusedAreTriedOnce(String code) {
    answers.replaceAll((operation, answer) -> Answer.error(403, code));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).hasSize(2);
    assertThat(report.messages().get(0))
        .startsWith("CreateMultipartUpload s3://bucket/" + FOLDER)
        .contains(code);
    assertThat(report.messages().get(1)).contains("No access to bucket bucket", "HeadBucket");
    assertThat(lines("HEAD")).hasSize(1);
    assertThat(lines("POST")).hasSize(1);
    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void keysThatAreRefusedAreTriedOnceAtALevelThatIsSet() {
    answers.replaceAll((operation, answer) -> Answer.error(403, "SignatureDoesNotMatch"));

    ConnectionReport report = report(Optional.of(ChecksumLevel.NONE));

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).first().asString().contains("the signature is wrong");
    assertThat(text(report)).doesNotContain("s3:ListBucket");
    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void keysThatTheHeadRefusesAreNotTriedAgain() {
    answers.put("HeadBucket", Answer.empty(403, "x-minio-error-code", "InvalidAccessKeyId"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("the store does not know the access key id");
    assertThat(stub.requests()).hasSize(1);
  }

  @Test
  void aStoreThatRefusesTheSignatureOfAChecksumIsTriedWithout() {
    answers.put(
        "CreateMultipartUpload",
        new Answer(
            exchange -> {
              boolean named = exchange.getRequestHeaders().containsKey("x-amz-checksum-algorithm");
              (named ? Answer.error(403, "SignatureDoesNotMatch") : STARTED)
                  .sender()
                  .send(exchange);
            }));

    ConnectionReport report = report();

    assertThat(report.ok()).as(report.toString()).isTrue();
  }

  @Test
  void keysOfWhichNothingIsShownStayInDoubt() {
    answers.replaceAll((operation, answer) -> Answer.error(403, "AccessDenied"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report))
        .contains("If the keys are right, the credentials need s3:ListBucket")
        .contains("If not: the access key id is unknown")
        .contains("the credentials need s3:PutObject on this key");
  }

  @Test
  void aDeniedPartNamesItsRightAndLeavesNoUpload() {
    answers.put("UploadPart", Answer.error(403, "AccessDenied"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("UploadPart s3://bucket/" + FOLDER, "s3:PutObject");
    assertThat(lines("DELETE")).hasSize(2);
  }

  @Test
  void aDeniedKmsKeyIsNamed() {
    answers.put("CreateMultipartUpload", Answer.error(400, "KMS.DisabledException"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("the KMS key of the bucket cannot be used");
  }

  @Test
  void aDeniedAbortNamesItsRightAndWhatIsLeft() {
    answers.put("AbortMultipartUpload", Answer.error(403, "AccessDenied"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report))
        .contains("s3:AbortMultipartUpload on this key")
        .containsPattern(
            "may be left, and costs money until a lifecycle rule expires it: key \"" + FOLDER)
        .contains("upload id id-1.");
  }

  @Test
  void anUploadThatStaysListedIsNamed() {
    answers.put("ListMultipartUploads", listedAtEachKey("id-1"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report))
        .contains("the store took it and still lists upload id id-1")
        .contains("key \"" + FOLDER);
    assertThat(lines("DELETE")).hasSize(5);
  }

  /** The first start is of the upload that is aborted, the second of the one at the object. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anUploadWhoseStartWasNotAnsweredIsAborted(int nth) {
    try (FaultServer server = FaultServer.start()) {
      ServedBucket bucket =
          server.createBucket("bucket", io.filament.sink.s3.testing.StoreProfile.S3);
      bucket.plan(S3Operation.CREATE_MULTIPART_UPLOAD, nth, new Fault.Cut(Fault.Point.CARRIED_OUT));

      ConnectionReport report = report(server);

      assertThat(report.ok()).as(report.toString()).isTrue();
      assertThat(bucket.openUploads()).isEmpty();
      assertThat(text(report)).contains("deleted again");
    }
  }

  @Test
  void anUploadWhoseStartIsNeverAnsweredIsAborted() {
    try (FaultServer server = FaultServer.start()) {
      ServedBucket bucket =
          server.createBucket("bucket", io.filament.sink.s3.testing.StoreProfile.S3);
      bucket.plan(
          S3Operation.CREATE_MULTIPART_UPLOAD, 1, 2, new Fault.Cut(Fault.Point.CARRIED_OUT));

      ConnectionReport report = report(server);

      assertThat(report.ok()).isFalse();
      assertThat(bucket.openUploads()).isEmpty();
      assertThat(text(report)).contains("(no answer)").doesNotContain("may be left");
    }
  }

  @Test
  void anUploadOfWhichNobodyHeardIsNamedIfItStays() {
    answers.put("ListMultipartUploads", listedAtEachKey("lost"));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("may be left", "key \"" + FOLDER, "upload id lost.");
    assertThat(report.messages()).filteredOn(said -> said.contains("upload id lost.")).hasSize(1);
  }

  @Test
  void aRefusedListOfUploadsIsToldOnce() {
    answers.put("ListMultipartUploads", Answer.error(403, "AccessDenied"));

    ConnectionReport report = report();

    assertThat(report.ok()).isTrue();
    assertThat(text(report)).contains("deleted again");
    assertThat(report.messages())
        .filteredOn(said -> said.contains("ListMultipartUploads"))
        .singleElement()
        .asString()
        .contains("so the store is believed", "s3:ListBucketMultipartUploads on the bucket");
  }

  @Test
  void anUploadThatIsNotAbortedAndStaysListedIsNamedOnce() {
    answers.put("AbortMultipartUpload", Answer.error(403, "AccessDenied"));
    answers.put("ListMultipartUploads", listedAtEachKey("id-1"));

    assertThat(report().messages())
        .filteredOn(said -> said.contains("An upload of one byte may be left"))
        .hasSize(1);
  }

  @Test
  void aStoreThatKeepsFramingIsFound() {
    answers.put("ListParts", parts(87));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report))
        .contains(
            "The store keeps 87 bytes of a part of 1: it takes the framing of chunked bodies");
    assertThat(lines("DELETE")).hasSize(2);
  }

  @Test
  void aStoreThatForgetsThePartIsFound() {
    answers.put("ListParts", Answer.xml(200, "<ListPartsResult></ListPartsResult>"));

    assertThat(text(report())).contains("The store took one part and lists 0 of upload id id-1");
  }

  @Test
  void anEtagOfOtherBytesIsAFailureWhereNothingElseIsCompared() {
    answers.put("UploadPart", Answer.empty(200, "ETag", "\"" + "0".repeat(32) + "\""));

    ConnectionReport report = report(Optional.of(ChecksumLevel.NONE));

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("has the ETag " + "0".repeat(32), "framing");
    assertThat(lines("DELETE")).hasSize(1);
  }

  @Test
  void anEtagOfOtherBytesIsToldWherePartsCannotBeListed() {
    answers.put("UploadPart", Answer.empty(200, "ETag", "\"" + "0".repeat(32) + "\""));
    answers.put("ListParts", Answer.error(501, "NotImplemented"));

    ConnectionReport report = report();

    assertThat(report.ok()).isTrue();
    assertThat(text(report)).contains("is not the MD5 of what was sent", "KMS");
  }

  @Test
  void whoMayListAndNotReadHearsThatCommitWouldFail() {
    answers.put("HeadObject", Answer.empty(403));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("s3:GetObject on this key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<Rule><Status>Enabled</Status><Filter><Prefix>raw/</Prefix></Filter><Expiration><Days>1</Days></Expiration></Rule>",
        "<Rule><Status>Disabled</Status><Filter><Prefix></Prefix></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>",
        "<Rule><Status>Enabled</Status><Filter><Prefix>raw/_runs/</Prefix></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>",
        "<Rule><Status>Enabled</Status><Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>"
      })
  void aMissingLifecycleRuleIsAWarning(String rules) {
    answers.put("GetBucketLifecycleConfiguration", rules(rules));

    assertWarned();
  }

  @Test
  void aBucketWithoutRulesIsAWarning() {
    answers.put(
        "GetBucketLifecycleConfiguration", Answer.error(404, "NoSuchLifecycleConfiguration"));

    assertWarned();
  }

  private void assertWarned() {
    ConnectionReport report = report();
    assertThat(report.ok()).isTrue();
    assertThat(report.messages())
        .last()
        .asString()
        .startsWith(
            "Warning: no lifecycle rule of the bucket expires unfinished uploads below"
                + " s3://bucket/raw/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<Prefix></Prefix>", "<Prefix>ra</Prefix>", ""})
  void aRuleInTheOldFormCounts(String prefix) {
    answers.put(
        "GetBucketLifecycleConfiguration",
        rules(
            "<Rule>"
                + prefix
                + "<Status>Enabled</Status><AbortIncompleteMultipartUpload>"
                + "<DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload>"
                + "</Rule>"));

    assertThat(report().messages()).last().asString().contains("after 3 days");
  }

  @Test
  void theLevelOfTheStoreIsToldWithItsReason() {
    answers.put("UploadPart, wrong", answers.get("UploadPart"));

    ConnectionReport report = report();

    assertThat(report.ok()).isTrue();
    assertThat(text(report))
        .contains(
            "The store checks no CRC-32C; Content-MD5 and ETags take its place (checksum_mode: auto"
                + " takes none). The reason: the store takes a part whose CRC-32C is wrong");
  }

  @ParameterizedTest
  @EnumSource(ChecksumLevel.class)
  void aLevelThatIsSetIsNotTried(ChecksumLevel level) {
    ConnectionReport report = report(Optional.of(level));

    assertThat(report.ok()).isTrue();
    assertThat(text(report)).contains("checksum_mode is " + level.label());
    assertThat(lines("PUT")).filteredOn(line -> !line.contains("-object")).hasSize(1);
    assertThat(lines("DELETE")).filteredOn(line -> !line.contains("-object")).hasSize(1);
    assertThat(lines("PUT")).hasSize(4);
    assertThat(lines("DELETE")).hasSize(4);
  }

  @Test
  void withoutAPrefixTheTopOfTheBucketIsTriedAndThatIsTold() {
    KeyLayout layout = layout(Optional.empty());

    ConnectionReport report =
        ConnectionTest.writeReport(
            layout, Optional.empty(), stub.settings(), ObjectOptions.NONE, PATIENT);

    assertThat(report.ok()).isTrue();
    assertThat(text(report)).contains("No prefix is set");
    assertThat(lines("POST")).allMatch(line -> line.contains("/bucket/_runs/_connection-test/"));
  }

  @Test
  void aStoreThatFallsSilentIsReported() {
    answers.put("CreateMultipartUpload", Answer.cut());

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("CreateMultipartUpload s3://bucket/" + FOLDER, "(no answer)");
  }

  @Test
  void anInterruptEndsTheTestAndItsUpload() {
    Thread caller = Thread.currentThread();
    answers.put("UploadPart", new Answer(exchange -> interruptAndHang(caller)));

    ConnectionReport report = report(Optional.of(ChecksumLevel.FULL_OBJECT));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).contains("The connection test was interrupted.");
    assertThat(lines("DELETE")).isNotEmpty();
  }

  @Test
  void aTestThatTakesTooLongIsEnded() {
    answers.put("HeadBucket", new Answer(exchange -> hang()));

    ConnectionReport report =
        ConnectionTest.writeReport(
            layout(Optional.of("raw")),
            Optional.empty(),
            stub.settings(),
            ObjectOptions.NONE,
            new TimeLimit(Duration.ZERO, Duration.ofSeconds(30)));

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).first().isEqualTo("The test was ended after 0 seconds.");
  }

  @Test
  void aTestThatDoesNotEndIsLeftAlone() {
    answers.put("HeadBucket", new Answer(exchange -> hang()));

    ConnectionReport report =
        ConnectionTest.writeReport(
            layout(Optional.of("raw")),
            Optional.empty(),
            stub.settings(),
            ObjectOptions.NONE,
            new TimeLimit(Duration.ZERO, Duration.ZERO));

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("an upload of one byte may be left");
  }

  @Test
  void noMessageRepeatsAKey() {
    answers.put("CreateMultipartUpload", Answer.echo(403, "AccessDenied"));
    answers.put("GetBucketLifecycleConfiguration", Answer.echo(403, "AccessDenied"));

    assertThat(report().toString()).doesNotContain("PLANTED", "planted-");
  }

  @Test
  void noMessageOfTheObjectRepeatsAKey() {
    answers.put("CompleteMultipartUpload", Answer.echo(400, "InvalidArgument"));
    answers.put("DeleteObject", Answer.echo(403, "AccessDenied"));
    String refused = report().toString();
    answers.put("DeleteObject", new Answer(this::delete));

    assertThat(refused + report())
        .contains("DeleteObject s3://bucket/", "CompleteMultipartUpload s3://bucket/")
        .doesNotContain("PLANTED", "planted-");
  }

  @EachS3Endpoint
  void realServersAreOkAndKeepNothing(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    Credentials keys =
        new Credentials(endpoint.accessKey(), endpoint.secretKey(), Optional.empty());

    ConnectionReport report =
        ConnectionTest.writeReport(
            KeyLayout.of(bucket, Optional.of("raw"), PartitionTemplate.parse("")),
            Optional.empty(),
            new ClientSettings(
                Optional.of(endpoint.region()),
                Optional.of(endpoint.uri()),
                true,
                Optional.of(keys),
                1),
            ObjectOptions.NONE);

    assertThat(report.ok()).as(report.toString()).isTrue();
    assertThat(text(report))
        .contains("auto takes full_object", "the credentials may write there", "deleted again")
        .contains("The store honours If-None-Match for puts.")
        .contains("The store honours If-None-Match for completed uploads.");
    try (S3Client client = endpoint.client()) {
      assertThat(client.listMultipartUploads(r -> r.bucket(bucket)).uploads()).isEmpty();
      assertThat(client.listObjectsV2(r -> r.bucket(bucket)).contents()).isEmpty();
      assertThat(client.listObjectVersions(r -> r.bucket(bucket)).versions()).isEmpty();
    }
  }

  @Test
  void whoMayNotListIsShownToReadByTheObject() {
    answers.put("HeadBucket", Answer.empty(403));
    answers.put("HeadObject", Answer.empty(403));

    ConnectionReport report = report();

    assertThat(report.ok()).as(report.toString()).isTrue();
    assertThat(text(report)).contains("deleted again").doesNotContain("s3:GetObject");
    assertThat(there).isFalse();
  }

  @Test
  void whoMayNotReadFailsAtTheObjectEvenIfTheBucketMayNotBeListed() {
    answers.put("HeadBucket", Answer.empty(403));
    answers.put("HeadObject", Answer.empty(403));
    answers.put("HeadObject, made", Answer.empty(403));

    ConnectionReport report = report();

    assertThat(report.ok()).isFalse();
    assertThat(text(report)).contains("-object: access denied: the credentials need s3:GetObject");
    assertThat(there).isFalse();
  }

  @Test
  void noObjectIsMadeWhereItCouldNotBeDeleted() {
    answers.put("DeleteObject", Answer.error(403, "AccessDenied"));

    ConnectionReport report = report();

    assertThat(report.ok()).isTrue();
    assertThat(text(report))
        .contains("Not shown, since it takes an object", "s3:DeleteObjectVersion on this key");
    assertThat(lines("PUT")).noneMatch(line -> line.contains("-object"));
  }

  @Test
  void noObjectIsMadeAfterAFailure() {
    answers.put("ListParts", parts(87));

    assertThat(report().ok()).isFalse();
    assertThat(stub.requests()).noneMatch(request -> request.line().contains("-object"));
  }

  @Test
  void storeThatIgnoresConditionsIsAWarning() {
    answers.put("PutObject", new Answer(this::putAlways));

    ConnectionReport report = report();

    assertThat(report.ok()).isTrue();
    assertThat(text(report)).contains("Warning: the store ignores If-None-Match for puts: ");
    assertThat(there).isFalse();
  }

  @Test
  void interruptWhileTheObjectIsMadeLeavesNone() {
    Thread caller = Thread.currentThread();
    answers.put("CompleteMultipartUpload", new Answer(exchange -> interruptAndHang(caller)));

    ConnectionReport report = report();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).contains("The connection test was interrupted.");
    assertThat(text(report)).doesNotContain("may be left");
    assertThat(there).isFalse();
  }

  private static Answer listedAtEachKey(String id) {
    return new Answer(
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          String key = query.replaceAll(".*prefix=([^&]*).*", "$1");
          uploads("<Upload><Key>" + key + "</Key><UploadId>" + id + "</UploadId></Upload>")
              .sender()
              .send(exchange);
        });
  }

  private static ConnectionReport report(FaultServer server) {
    return ConnectionTest.writeReport(
        layout(Optional.of("raw")),
        Optional.of(ChecksumLevel.FULL_OBJECT),
        new ClientSettings(
            Optional.of("eu-west-1"), Optional.of(server.uri()), true, Optional.of(S3Stub.KEYS), 2),
        ObjectOptions.NONE,
        PATIENT);
  }

  private void put(HttpExchange exchange) throws IOException {
    if (there) {
      Answer.error(412, "PreconditionFailed").sender().send(exchange);
    } else {
      putAlways(exchange);
    }
  }

  private void putAlways(HttpExchange exchange) throws IOException {
    there = true;
    Answer.empty(200).sender().send(exchange);
  }

  private void headOfMade(HttpExchange exchange) throws IOException {
    Answer answer = there ? Answer.empty(200, "Content-Length", "1") : Answer.empty(404);
    answer.sender().send(exchange);
  }

  private void delete(HttpExchange exchange) throws IOException {
    there = false;
    Answer.empty(204).sender().send(exchange);
  }

  private ConnectionReport report() {
    return report(Optional.empty());
  }

  private ConnectionReport report(Optional<ChecksumLevel> level) {
    return ConnectionTest.writeReport(
        layout(Optional.of("raw")), level, stub.settings(), ObjectOptions.NONE, PATIENT);
  }

  private static KeyLayout layout(Optional<String> prefix) {
    return KeyLayout.of("bucket", prefix, PartitionTemplate.parse(""));
  }

  private static String text(ConnectionReport report) {
    return String.join("\n", report.messages());
  }

  private List<String> lines(String method) {
    return stub.requests().stream()
        .map(Received::line)
        .filter(line -> line.startsWith(method + " "))
        .toList();
  }

  private void interruptAndHang(Thread caller) {
    caller.interrupt();
    hang();
  }

  private void hang() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the stub is closing
    }
  }

  private static Answer parts(int size) {
    return Answer.xml(
        200,
        "<ListPartsResult><Part><PartNumber>1</PartNumber><Size>"
            + size
            + "</Size></Part></ListPartsResult>");
  }

  private static Answer uploads(String uploads) {
    return Answer.xml(
        200,
        "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>"
            + uploads
            + "</ListMultipartUploadsResult>");
  }

  private static Answer rules(String rules) {
    return Answer.xml(200, "<LifecycleConfiguration>" + rules + "</LifecycleConfiguration>");
  }

  private static String operation(HttpExchange exchange) {
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    boolean ofBucket = exchange.getRequestURI().getPath().equals("/bucket");
    boolean ofUpload = query.contains("uploadId");
    return switch (exchange.getRequestMethod()) {
      case "HEAD" -> {
        boolean ofMade = exchange.getRequestURI().getPath().endsWith("-object");
        String ofObject = ofMade ? "HeadObject, made" : "HeadObject";
        yield ofBucket ? "HeadBucket" : ofObject;
      }
      case "POST" -> ofUpload ? "CompleteMultipartUpload" : "CreateMultipartUpload";
      case "DELETE" -> ofUpload ? "AbortMultipartUpload" : "DeleteObject";
      case "PUT" -> {
        if (!ofUpload) {
          yield "PutObject";
        }
        String crc32c = exchange.getRequestHeaders().getFirst("x-amz-checksum-crc32c");
        yield crc32c == null || crc32c.equals(RIGHT) ? "UploadPart" : "UploadPart, wrong";
      }
      default -> {
        if (!ofBucket) {
          yield "ListParts";
        }
        yield query.contains("lifecycle")
            ? "GetBucketLifecycleConfiguration"
            : "ListMultipartUploads";
      }
    };
  }
}
