package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.ConnectionReport;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.testing.EachS3Endpoint;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The report says in plain words what one HeadBucket shows, and no more. */
@Timeout(60)
class ConnectionTestTest {

  private static final String REGION_HEADER = "x-amz-bucket-region";

  private S3Stub stub;

  @BeforeEach
  void open() {
    stub = S3Stub.start();
  }

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void oneHeadOfTheBucketIsAllThatIsSent() {
    stub.answers(Answer.empty(200));

    ConnectionTest.report("bucket", stub.settings(), ObjectOptions.NONE);

    assertThat(stub.onlyRequest().line()).isEqualTo("HEAD /bucket");
    assertThat(stub.onlyRequest().length()).isZero();
  }

  @Test
  void successDoesNotClaimThatWritingWorks() {
    ConnectionReport report = answered(Answer.empty(200));

    assertThat(report.ok()).isTrue();
    assertThat(report.messages())
        .containsExactly(
            "Bucket bucket is there, and the credentials may ask for it.",
            "This does not show that they may write to it.");
  }

  @Test
  void absentBucketIsNamed() {
    ConnectionReport report = answered(Answer.empty(404));

    assertThat(report.ok()).isFalse();
    assertThat(report.messages())
        .containsExactly(
            "There is no bucket bucket at " + stub.uri() + ". (HeadBucket, status 404)");
  }

  @Test
  void redirectNamesTheRightRegion() {
    assertThat(failed(Answer.empty(301, REGION_HEADER, "ap-south-1")))
        .contains("Wrong region: requests are signed for eu-west-1, and bucket bucket is in")
        .contains("ap-south-1. Set region to it.");
  }

  @Test
  void badRequestWithARegionNamesTheRightRegion() {
    assertThat(failed(Answer.empty(400, REGION_HEADER, "ap-south-1")))
        .contains("is in ap-south-1. Set region to it.");
  }

  @Test
  void badRequestWithoutAReasonListsTheLikelyCauses() {
    assertThat(failed(Answer.empty(400)))
        .contains("wrong region")
        .contains("bad signature")
        .contains("expired credentials")
        .contains("status 400");
  }

  @Test
  void refusedAccessNamesTheRightAndTheKeys() {
    assertThat(failed(Answer.empty(403)))
        .contains("No access to bucket bucket at " + stub.uri())
        .contains("s3:ListBucket")
        .contains("the access key id is unknown, or the secret access key")
        .doesNotContain("region")
        .doesNotContain("clock");
  }

  @Test
  void refusedKeysAreTriedOnce() {
    failed(Answer.empty(403));

    assertThat(stub.requests()).hasSize(1);
  }

  @Test
  void refusedAccessInTheRightRegionDoesNotBlameTheRegion() {
    assertThat(failed(Answer.empty(403, REGION_HEADER, "eu-west-1"))).doesNotContain("region");
  }

  @Test
  void refusedAccessInAnotherRegionNamesIt() {
    assertThat(failed(Answer.empty(403, REGION_HEADER, "us-east-2")))
        .contains("Wrong region")
        .contains("is in us-east-2");
  }

  @Test
  void refusedAccessWithAClockThatIsFarOffNamesTheClock() {
    stub.answers(Answer.empty(403));
    Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(2));

    ConnectionReport report =
        ConnectionTest.report(
            "bucket", stub.settings(), ObjectOptions.NONE, Regions.ofSdk(), ahead);

    assertThat(report.ok()).isFalse();
    assertThat(String.join("\n", report.messages()))
        .containsPattern(
            "This machine's clock is (119|120) minutes ahead of the store's; S3 allows 15");
  }

  @Test
  void clockThatIsFarOffIsToldEvenIfTheStoreForgivesIt() {
    stub.answers(Answer.empty(200));
    Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

    ConnectionReport report =
        ConnectionTest.report(
            "bucket", stub.settings(), ObjectOptions.NONE, Regions.ofSdk(), behind);

    assertThat(report.ok()).isTrue();
    assertThat(report.messages().get(2)).contains("behind the store's");
  }

  @Test
  void errorCodeOfAHeaderIsUsed() {
    assertThat(failed(Answer.empty(403, "x-minio-error-code", "InvalidAccessKeyId")))
        .contains("the store does not know the access key id")
        .doesNotContain("s3:ListBucket");
  }

  @Test
  void storeThatFailsIsAskedTwice() {
    assertThat(failed(Answer.empty(500))).contains("The store failed or is overloaded");
    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void portWhereNothingListensIsUnreachable() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }

    assertThat(unreachable("http://127.0.0.1:" + free))
        .contains("No answer for bucket bucket at http://127.0.0.1:" + free)
        .contains("nothing accepts connections there");
  }

  @Test
  void unknownHostIsNamed() {
    assertThat(unreachable("http://no-such-host.invalid"))
        .contains("the host is unknown (DNS): no-such-host.invalid");
  }

  @Test
  void serverWithoutTlsIsToldFromOneThatIsDown() throws IOException {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread refusing = new Thread(() -> refuseAll(plain));
      refusing.start();

      assertThat(unreachable("https://127.0.0.1:" + plain.getLocalPort()))
          .contains("no TLS connection");
    }
  }

  private static void refuseAll(ServerSocket plain) {
    try {
      while (true) {
        try (Socket client = plain.accept()) {
          client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
        }
      }
    } catch (IOException e) {
      // The test is over and the socket closed.
    }
  }

  @Test
  void cutConnectionIsNoAnswer() {
    assertThat(failed(Answer.cut())).contains("No answer for bucket bucket at " + stub.uri());
  }

  @Test
  void missingRegionIsAReport() {
    ClientSettings aws =
        new ClientSettings(Optional.empty(), Optional.empty(), false, Optional.of(S3Stub.KEYS), 1);
    Regions none = new Regions(() -> null, () -> null);

    ConnectionReport report =
        ConnectionTest.report("bucket", aws, ObjectOptions.NONE, none, Clock.systemUTC());

    assertThat(report.ok()).isFalse();
    assertThat(report.messages())
        .containsExactly(
            "no region is known for bucket bucket: set region, or AWS_REGION, or a region in the"
                + " AWS profile");
  }

  @Test
  void interruptIsReportedAndKept() {
    stub.answers(Answer.empty(200));

    Thread.currentThread().interrupt();
    ConnectionReport report = ConnectionTest.report("bucket", stub.settings(), ObjectOptions.NONE);
    boolean flag = Thread.interrupted();

    assertThat(flag).isTrue();
    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).containsExactly("The connection test was interrupted.");
  }

  @Test
  void noMessageRepeatsAKey() {
    stub.answers(Answer.echo(400, "Weird"));
    ClientSettings withUser =
        new ClientSettings(
            Optional.of("eu-west-1"),
            Optional.of(URI.create("http://user:planted-password@127.0.0.1:1/")),
            true,
            Optional.of(S3Stub.KEYS),
            1);

    assertThat(ConnectionTest.report("bucket", stub.settings(), ObjectOptions.NONE).toString())
        .doesNotContain("PLANTED", "planted-");
    assertThat(ConnectionTest.report("bucket", withUser, ObjectOptions.NONE).toString())
        .doesNotContain("planted-");
  }

  @EachS3Endpoint
  void bucketOfARealServerIsFound(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();

    assertThat(
            ConnectionTest.report(
                    bucket, settings(endpoint, endpoint.secretKey()), ObjectOptions.NONE)
                .ok())
        .isTrue();
  }

  @EachS3Endpoint
  void absentBucketOfARealServerIsNamed(S3Endpoint endpoint) {
    ConnectionReport report =
        ConnectionTest.report(
            "no-such-bucket-anywhere",
            settings(endpoint, endpoint.secretKey()),
            ObjectOptions.NONE);

    assertThat(report.ok()).isFalse();
    assertThat(report.messages().get(0))
        .startsWith("There is no bucket no-such-bucket-anywhere at ");
  }

  @Test
  void wrongSecretIsACauseOnARealServer() {
    try (S3ProxyServer server = S3ProxyServer.start()) {
      String bucket = server.endpoint().createBucket();

      ConnectionReport report =
          ConnectionTest.report(
              bucket, settings(server.endpoint(), "another-secret-key"), ObjectOptions.NONE);

      assertThat(report.ok()).isFalse();
      assertThat(String.join("\n", report.messages()))
          .contains("the secret access key or session token does not belong to it");
    }
  }

  private static ClientSettings settings(S3Endpoint endpoint, String secretKey) {
    return new ClientSettings(
        Optional.of(endpoint.region()),
        Optional.of(endpoint.uri()),
        true,
        Optional.of(new Credentials(endpoint.accessKey(), secretKey, Optional.empty())),
        1);
  }

  private ConnectionReport answered(Answer answer) {
    stub.answers(answer);
    return ConnectionTest.report("bucket", stub.settings(), ObjectOptions.NONE);
  }

  private String failed(Answer answer) {
    ConnectionReport report = answered(answer);
    assertThat(report.ok()).isFalse();
    return String.join("\n", report.messages());
  }

  private static String unreachable(String endpoint) {
    ConnectionReport report =
        ConnectionTest.report(
            "bucket",
            new ClientSettings(
                Optional.of("eu-west-1"),
                Optional.of(URI.create(endpoint)),
                true,
                Optional.of(S3Stub.KEYS),
                1),
            ObjectOptions.NONE);
    assertThat(report.ok()).isFalse();
    return String.join("\n", report.messages());
  }
}
