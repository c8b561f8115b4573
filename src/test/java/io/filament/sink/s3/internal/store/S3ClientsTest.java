package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;

/** What clients are made of. */
class S3ClientsTest {

  private static final Optional<URI> ENDPOINT = Optional.of(URI.create("http://127.0.0.1:9000"));
  private static final Optional<URI> AWS = Optional.empty();
  private static final String ARN = "arn:aws:s3:eu-north-1:123456789012:accesspoint/point";
  private static final Regions NONE = new Regions(() -> null, () -> null);
  private static final AwsRegionProvider UNASKED =
      () -> {
        throw new AssertionError("asked for nothing");
      };

  @Test
  void everyCombinationOfSettingsMakesAClient() throws SinkException {
    for (Optional<URI> endpoint : List.of(AWS, ENDPOINT)) {
      for (boolean pathStyle : List.of(true, false)) {
        for (Optional<String> token : List.of(Optional.<String>empty(), Optional.of("token"))) {
          for (String bucket : List.of("bucket", ARN)) {
            ClientSettings settings =
                new ClientSettings(
                    Optional.of("eu-west-1"),
                    endpoint,
                    pathStyle,
                    Optional.of(new Credentials("id", "secret", token)),
                    32);
            try (S3Client client = S3Clients.create(bucket, settings)) {
              assertThat(client.serviceClientConfiguration().region()).isEqualTo(Region.EU_WEST_1);
            }
          }
        }
      }
    }
  }

  @Test
  void pathStylePutsTheBucketIntoThePath() throws SinkException {
    assertThat(urlOf("bucket", ENDPOINT, true)).isEqualTo("http://127.0.0.1:9000/bucket/a/b");
    assertThat(urlOf("bucket", AWS, false))
        .isEqualTo("https://bucket.s3.eu-west-1.amazonaws.com/a/b");
    assertThat(urlOf("bucket", AWS, true))
        .isEqualTo("https://s3.eu-west-1.amazonaws.com/bucket/a/b");
  }

  @Test
  void accessPointIsReachedInItsRegionWhateverThePathStyle() throws SinkException {
    assertThat(urlOf(ARN, AWS, true))
        .isEqualTo("https://point-123456789012.s3-accesspoint.eu-north-1.amazonaws.com/a/b");
  }

  @Test
  void endpointsOfAwsAreChosen() throws Exception {
    assertThat(connectedBy(new Route(true, false, false, Optional.empty())))
        .startsWith("CONNECT bucket.s3-fips.eu-west-1.amazonaws.com:443 ");
    assertThat(connectedBy(new Route(false, true, false, Optional.empty())))
        .startsWith("CONNECT bucket.s3.dualstack.eu-west-1.amazonaws.com:443 ");
    assertThat(connectedBy(new Route(false, false, true, Optional.empty())))
        .startsWith("CONNECT bucket.s3-accelerate.amazonaws.com:443 ");
    assertThat(connectedBy(Route.DIRECT))
        .startsWith("CONNECT bucket.s3.eu-west-1.amazonaws.com:443 ");
  }

  @Test
  void retriesAreSetInCode() throws SinkException {
    try (S3Client client = S3Clients.create("bucket", settings(ENDPOINT, true))) {
      assertThat(client.serviceClientConfiguration().overrideConfiguration().retryStrategy())
          .hasValueSatisfying(
              strategy -> {
                assertThat(strategy.maxAttempts()).isEqualTo(1);
                assertThat(strategy.getClass().getSimpleName()).contains("Standard");
              });
    }
  }

  @Test
  void patienceOfARunIsPinned() {
    assertThat(Patience.ofRun())
        .isEqualTo(
            new Patience(
                1,
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(2)));
  }

  @Test
  void retriesOfARunArePinned() {
    assertThat(RetryLimits.ofRun(Duration.ofMinutes(5)))
        .isEqualTo(
            new RetryLimits(
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20)));
    assertThat(RetryLimits.ofRun(Duration.ofMinutes(5)).hurried())
        .isEqualTo(
            new RetryLimits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20)));
  }

  @Test
  void patienceOfAConnectionTestIsPinned() {
    assertThat(Patience.ofConnectionTest())
        .isEqualTo(
            new Patience(
                2,
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
  }

  @Test
  void regionOfTheSettingsWins() throws SinkException {
    Regions regions = new Regions(UNASKED, UNASKED);

    assertThat(regions.of(ARN, settings(AWS, false))).isEqualTo(Region.EU_WEST_1);
  }

  @Test
  void regionOfTheArnIsNext() throws SinkException {
    Regions regions = new Regions(UNASKED, UNASKED);

    assertThat(regions.of(ARN, withoutRegion(AWS))).isEqualTo(Region.of("eu-north-1"));
  }

  @Test
  void regionIsLookedForEverywhereOnAws() throws SinkException {
    Regions regions = new Regions(UNASKED, () -> Region.AP_SOUTH_1);

    assertThat(regions.of("bucket", withoutRegion(AWS))).isEqualTo(Region.AP_SOUTH_1);
  }

  @Test
  void behindAnEndpointTheMachineIsNotAskedForARegion() throws SinkException {
    Regions found = new Regions(() -> Region.SA_EAST_1, UNASKED);
    Regions notFound = new Regions(() -> null, UNASKED);

    assertThat(found.of("bucket", withoutRegion(ENDPOINT))).isEqualTo(Region.SA_EAST_1);
    assertThat(notFound.of("bucket", withoutRegion(ENDPOINT))).isEqualTo(Region.US_EAST_1);
  }

  @Test
  void unknownRegionOnAwsIsSaidPlainly() {
    assertThatThrownBy(() -> S3Clients.create("bucket", withoutRegion(AWS), Patience.ofRun(), NONE))
        .isInstanceOf(SinkException.class)
        .hasMessage(
            "no region is known for bucket bucket: set region, or AWS_REGION, or a region in the"
                + " AWS profile");
  }

  @Test
  void settingsShowNoKey() {
    ClientSettings settings =
        new ClientSettings(Optional.of("eu-west-1"), ENDPOINT, true, Optional.of(S3Stub.KEYS), 4);

    assertThat(settings.toString())
        .contains("eu-west-1", "Credentials[***]")
        .doesNotContain("PLANTED", "planted-");
  }

  @Test
  void settingsRefuseToSendNothing() {
    assertThatThrownBy(() -> new ClientSettings(Optional.empty(), AWS, false, Optional.empty(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("uploadConcurrency must be positive: 0");
  }

  @Test
  void closedClientsLeaveNoThread() throws Exception {
    Role role =
        new Role.Assumed(
            "arn:aws:iam::123456789012:role/writer",
            Optional.empty(),
            "nightly",
            new Role.Sts(ENDPOINT, Optional.empty()));
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    for (int i = 0; i < 20; i++) {
      S3Clients.create("bucket", settings(ENDPOINT, true)).close();
      S3Clients.create("bucket", settings(ENDPOINT, true).as(role)).close();
    }

    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    left.removeIf(thread -> !thread.getName().startsWith("filament-"));
    for (Thread thread : left) {
      thread.join(10_000);
    }
    assertThat(left).noneMatch(Thread::isAlive);
  }

  private static String urlOf(String bucket, Optional<URI> endpoint, boolean pathStyle)
      throws SinkException {
    try (S3Client client = S3Clients.create(bucket, settings(endpoint, pathStyle))) {
      return client.utilities().getUrl(request -> request.bucket(bucket).key("a/b")).toString();
    }
  }

  /** Returns the line in which a client asks its proxy for the way to AWS; it goes no further. */
  private static String connectedBy(Route route) throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> firstLine(proxy));
      URI address = URI.create("http://127.0.0.1:" + proxy.getLocalPort());
      Route proxied =
          new Route(
              route.fips(),
              route.dualstack(),
              route.accelerate(),
              Optional.of(new Route.Proxy(address, Optional.empty(), Optional.empty())));
      Duration moment = Duration.ofSeconds(10);
      Patience once = new Patience(1, moment, moment, moment, moment, moment, moment);
      try (S3Client client =
          S3Clients.create("bucket", settings(AWS, false).by(proxied), once, NONE)) {
        assertThatThrownBy(() -> client.headObject(request -> request.bucket("bucket").key("a")))
            .isInstanceOf(SdkClientException.class);
      }
      return asked.get(10, TimeUnit.SECONDS);
    }
  }

  private static String firstLine(ServerSocket server) {
    try (Socket socket = server.accept();
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      return reader.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClientSettings settings(Optional<URI> endpoint, boolean pathStyle) {
    return new ClientSettings(
        Optional.of("eu-west-1"), endpoint, pathStyle, Optional.of(S3Stub.KEYS), 4);
  }

  private static ClientSettings withoutRegion(Optional<URI> endpoint) {
    return new ClientSettings(Optional.empty(), endpoint, false, Optional.of(S3Stub.KEYS), 4);
  }
}
