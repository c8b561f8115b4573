package io.filament.sink.s3.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class S3EndpointsTest {

  @Test
  void withoutEndpointVariableNoServerIsNamed() {
    assertThat(S3Endpoints.named(Map.of())).isEmpty();
    assertThat(S3Endpoints.named(Map.of("S3_TEST_ENDPOINT", " "))).isEmpty();
  }

  @Test
  void endpointVariableNamesServerKeysAndRegion() {
    assertThat(
            S3Endpoints.named(
                Map.of(
                    "S3_TEST_ENDPOINT", "http://127.0.0.1:4566",
                    "S3_TEST_ACCESS_KEY", "key",
                    "S3_TEST_SECRET_KEY", "secret",
                    "S3_TEST_REGION", "eu-central-1")))
        .contains(
            new S3Endpoint(
                "http://127.0.0.1:4566",
                URI.create("http://127.0.0.1:4566"),
                "key",
                "secret",
                "eu-central-1"));
  }

  @Test
  void endpointVariableWithoutKeyIsRefused() {
    assertThatThrownBy(
            () ->
                S3Endpoints.named(
                    Map.of("S3_TEST_ENDPOINT", "http://h", "S3_TEST_ACCESS_KEY", "key")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("S3_TEST_ENDPOINT is set, but S3_TEST_SECRET_KEY is not");
  }

  @Test
  void endpointIsPrintedWithoutItsSecret() {
    assertThat(new S3Endpoint("name", URI.create("http://h"), "key", "secret", "r"))
        .hasToString("name");
  }

  @Test
  void serversAnswerOnLoopbackAlone() throws IOException {
    try (S3ProxyServer proxy = S3ProxyServer.start();
        S3MockServer mock = S3MockServer.start()) {
      List<Integer> ports = new ArrayList<>(mock.ports());
      ports.add(proxy.endpoint().uri().getPort());

      assertThat(ports).hasSize(3);
      for (int port : ports) {
        assertThat(answers(InetAddress.getLoopbackAddress(), port)).isTrue();
        for (InetAddress address : addressesOnTheNetwork()) {
          assertThat(answers(address, port)).as("%s port %s", address, port).isFalse();
        }
      }
    }
  }

  private static List<InetAddress> addressesOnTheNetwork() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .toList();
  }

  private static boolean answers(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
