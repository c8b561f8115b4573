package io.filament.sink.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.ConnectionReport;
import io.filament.sink.s3.S3SinkProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a connection test reports. */
@Timeout(60)
class ConnectionTest extends WithRelay {

  private final S3SinkProvider provider = new S3SinkProvider();

  private ConnectionReport testWith(Object... settings) {
    return provider.testConnection(bucket.settings(settings));
  }

  @Test
  void reachableBucketIsOk() {
    assertThat(testWith().ok()).isTrue();
    assertThat(testWith().messages()).isNotEmpty();
  }

  @Test
  void oneHeadBucketIsAskedAndNothingElse() {
    assertThat(testWith("endpoint", relay.endpoint()).ok()).isTrue();
    assertThat(relay.requests()).extracting(S3Request::operation).containsExactly("HeadBucket");
  }

  @Test
  void okDoesNotClaimThatWritingWorks() {
    assertThat(String.join(" ", testWith().messages()).toLowerCase(Locale.ROOT))
        .doesNotContain("writing works", "can write", "writable");
  }

  @Test
  void missingBucketIsNamed() {
    ConnectionReport report = testWith("bucket", "no-such-bucket-here");

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).anyMatch(message -> message.contains("no-such-bucket-here"));
  }

  @Test
  void deniedAccessNamesTheRight() {
    relay.rule(request -> new Relay.Answer(403, "AccessDenied"));
    ConnectionReport report = testWith("endpoint", relay.endpoint());

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).anyMatch(message -> message.contains("s3:ListBucket"));
  }

  @Test
  void badKeysAreReported() {
    ConnectionReport report = testWith("secret_access_key", "wrong");

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).anyMatch(message -> message.contains("key"));
  }

  @Test
  void wrongRegionNamesTheRightOne() {
    relay.rule(request -> new Relay.Answer(301, "PermanentRedirect", "eu-north-1"));
    ConnectionReport report = testWith("endpoint", relay.endpoint());

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).anyMatch(message -> message.contains("eu-north-1"));
  }

  @Test
  void answerOf400WithoutABodyListsLikelyCauses() {
    relay.rule(request -> new Relay.Answer(400, ""));
    ConnectionReport report = testWith("endpoint", relay.endpoint());

    assertThat(report.ok()).isFalse();
    assertThat(String.join(" ", report.messages())).containsIgnoringCase("region");
  }

  @Test
  void unreachableEndpointIsNamed() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    ConnectionReport report = testWith("endpoint", "http://127.0.0.1:" + port);

    assertThat(report.ok()).isFalse();
    assertThat(report.messages()).anyMatch(message -> message.contains("127.0.0.1:" + port));
  }

  @Test
  void nothingIsLeftInTheBucket() {
    assertThat(testWith().ok()).isTrue();
    assertThat(bucket.keys()).isEmpty();
    assertThat(bucket.uploads()).isEmpty();
  }
}
