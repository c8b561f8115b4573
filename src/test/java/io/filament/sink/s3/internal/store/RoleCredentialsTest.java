package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** Roles against an STS of our own, and the proxy that requests to both go through. */
@Timeout(60)
class RoleCredentialsTest {

  private static final String ROLE = "arn:aws:iam::123456789012:role/writer";
  private static final String LONG = "2999-01-01T00:00:00Z";
  private static final String PAST = "2001-01-01T00:00:00Z";
  private static final Answer STORED =
      new Answer(
          exchange -> {
            exchange.getResponseHeaders().set("Content-Length", "7");
            Answer.empty(200, "ETag", "\"e\"").sender().send(exchange);
          });

  @TempDir Path directory;

  private S3Stub s3;
  private S3Stub sts;

  @BeforeEach
  void start() {
    s3 = S3Stub.start().answers(STORED);
    sts = S3Stub.start();
  }

  @AfterEach
  void stop() {
    s3.close();
    sts.close();
  }

  @Test
  void keysOfTheConfigurationAssumeTheRoleAndItsSessionSignsRequests() throws IOException {
    sts.answers(session("AssumeRole", "one", LONG));
    try (S3Client client = client(assumed())) {
      SdkObjectStore.of(client, "bucket").head("key");
      SdkObjectStore.of(client, "bucket").head("key");
    }

    Received asked = sts.onlyRequest();
    assertThat(asked.line()).isEqualTo("POST /");
    assertThat(asked.header("authorization"))
        .contains("Credential=AKIDPLANTEDKEY/")
        .contains("/eu-central-1/sts/");
    assertThat(asked.header("x-amz-security-token")).isEqualTo("planted-token");
    assertThat(asked.text())
        .contains("Action=AssumeRole&")
        .contains("RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fwriter")
        .contains("ExternalId=external-1")
        .contains("RoleSessionName=nightly");
    assertThat(s3.requests()).hasSize(2).allSatisfy(request -> assertSigned(request, "one"));
  }

  @Test
  void sessionThatExpiresIsRenewed() throws IOException {
    sts.answers(session("AssumeRole", "one", PAST), session("AssumeRole", "two", LONG));
    try (S3Client client = client(assumed())) {
      headUntilAsked(client, 2);
      SdkObjectStore.of(client, "bucket").head("key");
    }

    List<Received> requests = s3.requests();
    assertSigned(requests.get(0), "one");
    assertSigned(requests.get(requests.size() - 1), "two");
    assertThat(sts.requests())
        .hasSize(2)
        .allSatisfy(
            asked ->
                assertThat(asked.header("authorization")).contains("Credential=AKIDPLANTEDKEY/"));
  }

  @Test
  void tokenOfTheFileGetsTheRoleAndIsReadAtEachRenewal() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "planted-web-token-1");
    sts.answers(
        session("AssumeRoleWithWebIdentity", "one", PAST),
        session("AssumeRoleWithWebIdentity", "two", LONG));
    try (S3Client client = client(webIdentity(file))) {
      SdkObjectStore.of(client, "bucket").head("key");
      Files.writeString(file, "planted-web-token-2");
      headUntilAsked(client, 2);
      SdkObjectStore.of(client, "bucket").head("key");
    }

    List<Received> requests = s3.requests();
    assertSigned(requests.get(0), "one");
    assertSigned(requests.get(requests.size() - 1), "two");
    assertThat(sts.requests())
        .hasSize(2)
        .allSatisfy(
            asked -> {
              assertThat(asked.header("authorization")).isNull();
              assertThat(asked.text())
                  .contains("Action=AssumeRoleWithWebIdentity&")
                  .contains("RoleSessionName=nightly");
            });
    assertThat(sts.requests())
        .extracting(asked -> asked.text().replaceAll(".*WebIdentityToken=([^&]*).*", "$1"))
        .containsExactly("planted-web-token-1", "planted-web-token-2");
  }

  @Test
  void refusalOfStsIsNotTakenForOneOfTheStore() throws SinkException {
    sts.answers(Answer.xml(403, stsError("AccessDenied", "not you")));
    try (S3Client client = client(assumed())) {
      assertThatThrownBy(() -> SdkObjectStore.of(client, "bucket").head("key"))
          .isInstanceOfSatisfying(
              StoreException.class, failure -> assertThat(failure.statusCode()).isZero())
          .hasMessage(
              "HeadObject s3://bucket/key: no credentials from STS: AccessDenied: not you"
                  + " (no answer)");
    }
    assertThat(s3.requests()).isEmpty();

    assertThat(ConnectionTest.report("bucket", settings(assumed()), ObjectOptions.NONE).messages())
        .singleElement()
        .asString()
        .contains("no credentials from STS: AccessDenied: not you");
  }

  @Test
  void tokenThatStsRepeatsIsMasked() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "planted-web-token-1\n");
    sts.answers(Answer.xml(400, stsError("InvalidIdentityToken", "no: planted-web-token-1")));
    try (S3Client client = client(webIdentity(file))) {
      assertThatThrownBy(() -> SdkObjectStore.of(client, "bucket").head("key"))
          .hasMessageContaining("InvalidIdentityToken: no: ***")
          .satisfies(RoleCredentialsTest::assertShowsNothingPlanted);
    }
  }

  @Test
  void keysOfASessionThatTheStoreRepeatsAreMasked() throws IOException {
    sts.answers(session("AssumeRole", "planted-one", LONG));
    S3Stub echo =
        S3Stub.start()
            .answers(
                new Answer(
                    exchange ->
                        Answer.error(
                                403,
                                "AccessDenied",
                                exchange.getRequestHeaders().getFirst("x-amz-security-token"))
                            .sender()
                            .send(exchange)));
    ClientSettings settings = echo.settings().as(assumed());
    try (echo;
        S3Client client = S3Clients.create("bucket", settings, patience(), Regions.ofSdk())) {
      assertThatThrownBy(() -> SdkObjectStore.of(client, "bucket").uploads("key"))
          .hasMessageContaining("the store says: ***")
          .satisfies(RoleCredentialsTest::assertShowsNothingPlanted);
    }
  }

  @Test
  void requestsToStoreAndStsGoThroughTheProxy() throws IOException {
    S3Stub proxy =
        S3Stub.start()
            .answers(
                Answer.empty(407, "Proxy-Authenticate", "Basic realm=\"p\""),
                session("AssumeRole", "one", LONG),
                Answer.empty(407, "Proxy-Authenticate", "Basic realm=\"p\""),
                STORED);
    Role role =
        new Role.Assumed(
            ROLE,
            Optional.empty(),
            "nightly",
            new Role.Sts(Optional.of(URI.create("http://sts.invalid")), Optional.of("eu-west-1")));
    ClientSettings settings =
        new ClientSettings(
                Optional.of("eu-west-1"),
                Optional.of(URI.create("http://s3.invalid")),
                true,
                Optional.of(S3Stub.KEYS),
                2)
            .as(role)
            .by(
                new Route(
                    false,
                    false,
                    false,
                    Optional.of(
                        new Route.Proxy(
                            proxy.uri(), Optional.of("user"), Optional.of("password")))));
    try (proxy;
        S3Client client = S3Clients.create("bucket", settings, patience(), Regions.ofSdk())) {
      SdkObjectStore.of(client, "bucket").head("key");
    }

    assertThat(proxy.requests())
        .extracting(Received::line)
        .containsExactly(
            "POST http://sts.invalid/",
            "POST http://sts.invalid/",
            "HEAD http://s3.invalid/bucket/key",
            "HEAD http://s3.invalid/bucket/key");
    assertThat(proxy.requests())
        .extracting(request -> request.header("proxy-authorization"))
        .containsExactly(null, "Basic dXNlcjpwYXNzd29yZA==", null, "Basic dXNlcjpwYXNzd29yZA==");
  }

  /** Renewals are at least a second apart. */
  private void headUntilAsked(S3Client client, int times) throws IOException {
    while (sts.requests().size() < times) {
      SdkObjectStore.of(client, "bucket").head("key");
    }
  }

  private S3Client client(Role role) throws SinkException {
    return S3Clients.create("bucket", settings(role), patience(), Regions.ofSdk());
  }

  private static Patience patience() {
    return Patience.ofRun();
  }

  private ClientSettings settings(Role role) {
    return s3.settings().as(role);
  }

  private Role assumed() {
    return new Role.Assumed(ROLE, Optional.of("external-1"), "nightly", place());
  }

  private Role webIdentity(Path file) {
    return new Role.WebIdentity(
        Optional.of(ROLE), Optional.of(file.toString()), Optional.of("nightly"), place());
  }

  private Role.Sts place() {
    return new Role.Sts(Optional.of(sts.uri()), Optional.of("eu-central-1"));
  }

  private static void assertSigned(Received request, String session) {
    assertThat(request.header("authorization")).contains("Credential=ASIA-" + session + "/");
    assertThat(request.header("x-amz-security-token")).isEqualTo("token-" + session);
  }

  private static void assertShowsNothingPlanted(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      assertThat(each.toString()).doesNotContain("planted");
      assertThat(each.getSuppressed()).noneMatch(more -> more.toString().contains("planted"));
    }
  }

  private static String stsError(String code, String message) {
    return "<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error><RequestId>R</RequestId></ErrorResponse>"
        .formatted(code, message);
  }

  private static Answer session(String action, String name, String expiration) {
    return Answer.xml(
        200,
        ("<%1$sResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><%1$sResult><Credentials>"
                + "<AccessKeyId>ASIA-%2$s</AccessKeyId><SecretAccessKey>secret-%2$s</SecretAccessKey>"
                + "<SessionToken>token-%2$s</SessionToken><Expiration>%3$s</Expiration></Credentials>"
                + "</%1$sResult></%1$sResponse>")
            .formatted(action, name, expiration));
  }
}
