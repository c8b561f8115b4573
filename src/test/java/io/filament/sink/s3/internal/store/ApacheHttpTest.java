package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.AttributeMap;

final class ApacheHttpTest {

  private static final char[] PASSWORD = "only-for-this-test".toCharArray();

  private final List<HttpServer> servers = new ArrayList<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<byte[]> bodies = Collections.synchronizedList(new ArrayList<>());
  private final byte[] body = new byte[300_000];

  ApacheHttpTest() {
    new Random(1).nextBytes(body);
  }

  @AfterEach
  void stopServers() {
    servers.forEach(server -> server.stop(0));
  }

  @Test
  void requestArrivesAsItIsAsked() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, "done"));

    Answer answer =
        put(Route.DIRECT, address.resolve("/bucket/a%2Fb%20c+d%3D?uploadId=x%2By&partNumber=1"));

    assertThat(answer).isEqualTo(new Answer(200, Optional.of("yes"), "done"));
    assertThat(requests)
        .containsExactly(
            "PUT /bucket/a%2Fb%20c+d%3D?uploadId=x%2By&partNumber=1 host=127.0.0.1:"
                + address.getPort()
                + " length=300000 x-asked=[one, two]");
    assertThat(bodies).singleElement().isEqualTo(body);
  }

  @Test
  void bodiesAreReadInLargePieces() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, ""));
    List<Integer> asked = new ArrayList<>();

    try (SdkHttpClient client = client(Route.DIRECT)) {
      client
          .prepareRequest(
              request(address, SdkHttpMethod.PUT)
                  .contentStreamProvider(() -> new Asked(new ByteArrayInputStream(body), asked))
                  .build())
          .call();
    }

    assertThat(asked).hasSizeLessThan(8).first().isEqualTo(64 << 10);
  }

  /** The SDK's own stream stands between: nothing may be read through it. */
  @Test
  void bodiesOfTheSinkWriteThemselves() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, ""));
    List<Integer> asked = new ArrayList<>();
    BodyContent content = content(() -> new Asked(new ByteArrayInputStream(body), asked));

    try (S3Client client =
        S3Client.builder()
            .httpClientBuilder(new ApacheHttp.Builder(Route.DIRECT, Patience.ofConnectionTest(), 2))
            .endpointOverride(address)
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
            .build()) {
      client.uploadPart(
          r -> r.bucket("lake").key("k").uploadId("u").partNumber(1),
          RequestBody.fromContentProvider(content, body.length, "text/plain"));
    }

    assertThat(bodies).singleElement().isEqualTo(body);
    // Over http the body is read once for its signature.
    assertThat(asked.stream().filter(count -> count == Asked.WRITTEN)).hasSize(1);
    assertThat(asked.get(asked.size() - 1)).isEqualTo(Asked.WRITTEN);
  }

  @Test
  void bodyThatTheSdkChangesOnTheWayIsReadAsTheSdkGivesIt() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, ""));
    BodyContent content = content(() -> new ByteArrayInputStream(new byte[10]));

    try (SdkHttpClient client = client(Route.DIRECT)) {
      client
          .prepareRequest(
              HttpExecuteRequest.builder()
                  .request(
                      SdkHttpRequest.builder()
                          .method(SdkHttpMethod.PUT)
                          .uri(address)
                          .putHeader("Content-Length", Integer.toString(body.length))
                          .putHeader("x-amz-decoded-content-length", "10")
                          .build())
                  .contentStreamProvider(
                      () -> {
                        content.newStream();
                        return new ByteArrayInputStream(body);
                      })
                  .build())
          .call();
    }

    assertThat(bodies).singleElement().isEqualTo(body);
  }

  @Test
  void bodyThatIsShorterThanItsLengthIsNoRequest() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, ""));
    BodyContent content = content(() -> new ByteArrayInputStream(body, 0, body.length - 1));

    try (SdkHttpClient client = client(Route.DIRECT)) {
      ExecutableHttpRequest request =
          client.prepareRequest(
              request(address, SdkHttpMethod.PUT).contentStreamProvider(content).build());
      assertThatThrownBy(request::call)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("299,999 bytes, and 300,000 were announced");
    }
  }

  private BodyContent content(Supplier<InputStream> stream) {
    return new BodyContent(new Body(stream, body.length, Crc32c.of(body)));
  }

  @Test
  void answersAreNotFollowedOrAskedForAgain() throws IOException {
    URI address =
        serve(
            plain(),
            exchange -> {
              exchange.getResponseHeaders().set("Location", "/elsewhere");
              answer(exchange, exchange.getRequestURI().getPath().equals("/a") ? 307 : 503, "no");
            });

    assertThat(put(Route.DIRECT, address.resolve("/a")).status).isEqualTo(307);
    assertThat(put(Route.DIRECT, address.resolve("/b")).status).isEqualTo(503);
    assertThat(requests).hasSize(2);
  }

  @Test
  void postWithoutBodySaysThatItHasNone() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, ""));

    try (SdkHttpClient client = client(Route.DIRECT)) {
      client.prepareRequest(request(address, SdkHttpMethod.POST).build()).call();
    }

    assertThat(requests).singleElement().asString().contains(" length=0 ");
  }

  @Test
  void abortBeforeTheRequestBeginsIsAFailureOfTheConnection() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, ""));

    try (SdkHttpClient client = client(Route.DIRECT)) {
      ExecutableHttpRequest aborted =
          client.prepareRequest(request(address, SdkHttpMethod.POST).build());
      aborted.abort();

      assertThatThrownBy(aborted::call)
          .isInstanceOf(IOException.class)
          .hasMessage("the request was aborted");
    }
    assertThat(requests).isEmpty();
  }

  /** More often than there are connections, so that none of them may be lost. */
  @Test
  @Timeout(60)
  void requestsGoOnAfterErrorsOfTheJvm() throws IOException {
    URI address = serve(plain(), exchange -> answer(exchange, 200, "done"));
    Error error = new OutOfMemoryError("as if");

    try (SdkHttpClient client = client(Route.DIRECT)) {
      for (int i = 0; i < 10; i++) {
        ExecutableHttpRequest failing =
            client.prepareRequest(
                request(address, SdkHttpMethod.PUT)
                    .contentStreamProvider(() -> new Failing(error))
                    .build());
        assertThatThrownBy(failing::call).isSameAs(error);
      }
      HttpExecuteResponse answer =
          client
              .prepareRequest(
                  request(address, SdkHttpMethod.PUT)
                      .contentStreamProvider(() -> new ByteArrayInputStream(body))
                      .build())
              .call();
      assertThat(answer.httpResponse().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void proxyThatAsksForAPasswordGetsIt() throws IOException {
    URI proxy =
        serve(
            plain(),
            exchange -> {
              String given = exchange.getRequestHeaders().getFirst("Proxy-Authorization");
              if (given == null) {
                exchange.getResponseHeaders().set("Proxy-Authenticate", "Basic realm=\"proxy\"");
                answer(exchange, 407, "who?");
              } else {
                answer(exchange, 200, given);
              }
            });
    Route route = through(new Route.Proxy(proxy, Optional.of("user"), Optional.of("word")));

    Answer answer = put(route, URI.create("http://store.invalid/bucket/key"));

    assertThat(answer.words).isEqualTo("Basic dXNlcjp3b3Jk");
    assertThat(requests).hasSize(2).last().asString().startsWith("PUT http://store.invalid/bucket");
    assertThat(bodies).last().isEqualTo(body);
  }

  @Test
  void proxyOfTheJvmIsTheOneForTheSchemeOfTheRequest() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> refused(proxy));
      System.setProperty("https.proxyHost", proxy.getInetAddress().getHostAddress());
      System.setProperty("https.proxyPort", Integer.toString(proxy.getLocalPort()));
      Answer answer;
      try {
        answer = put(Route.DIRECT, URI.create("https://store.invalid/bucket/key"));
      } finally {
        System.clearProperty("https.proxyHost");
        System.clearProperty("https.proxyPort");
      }

      assertThat(answer.status).isEqualTo(502);
      assertThat(asked.get()).isEqualTo("CONNECT store.invalid:443 HTTP/1.1");
    }
  }

  @Test
  void passwordOfAProxyIsASecretWhereverItIsSet() {
    Route set =
        through(
            new Route.Proxy(
                URI.create("http://proxy.invalid:1"), Optional.of("user"), Optional.of("word")));
    assertThat(Proxies.of(set).secrets()).containsExactly("word", "dXNlcjp3b3Jk");
    assertThat(Proxies.of(Route.DIRECT).secrets()).isEmpty();

    Map<String, String> properties =
        Map.of(
            "https.proxyHost", "proxy.invalid",
            "https.proxyPort", "1",
            "https.proxyUser", "user",
            "https.proxyPassword", "word");
    properties.forEach(System::setProperty);
    try {
      assertThat(Proxies.of(Route.DIRECT).secrets()).containsExactly("word", "dXNlcjp3b3Jk");
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }

  /** Refuses one request, and returns its first line. */
  private static String refused(ServerSocket server) {
    try (Socket socket = server.accept();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      String first = in.readLine();
      String line = first;
      while (!line.isEmpty()) {
        line = in.readLine();
      }
      socket
          .getOutputStream()
          .write(
              "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"
                  .getBytes(StandardCharsets.ISO_8859_1));
      return first;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void certificatesAreThoseThatTheJvmTrusts(@TempDir Path directory) throws Exception {
    KeyStore keys = keys(directory, "127.0.0.1");
    URI address = serve(secure(keys), exchange -> answer(exchange, 200, "secret"));

    Answer answer = trusting(keys, () -> put(Route.DIRECT, address.resolve("/key")));

    assertThat(answer.words).isEqualTo("secret");
    assertThat(bodies).singleElement().isEqualTo(body);
    assertThatThrownBy(() -> put(Route.DIRECT, address.resolve("/key")))
        .as("not trusted any more")
        .isInstanceOf(SSLException.class);
  }

  @Test
  void certificateOfAnotherHostIsRefused(@TempDir Path directory) throws Exception {
    KeyStore keys = keys(directory, "192.0.2.1");
    URI address = serve(secure(keys), exchange -> answer(exchange, 200, "secret"));

    assertThatThrownBy(() -> trusting(keys, () -> put(Route.DIRECT, address.resolve("/key"))))
        .isInstanceOf(SSLException.class);
    assertThat(requests).isEmpty();
  }

  /** What came back. */
  private record Answer(int status, Optional<String> header, String words) {}

  private interface Call {
    Answer make() throws Exception;
  }

  /** Makes a call in a JVM that trusts no other certificates than these. */
  private static Answer trusting(KeyStore keys, Call call) throws Exception {
    SSLContext usual = SSLContext.getDefault();
    SSLContext.setDefault(tls(keys));
    try {
      return call.make();
    } finally {
      SSLContext.setDefault(usual);
    }
  }

  private static SSLContext tls(KeyStore keys) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** Returns a key with a certificate for an address, made by the JDK's tool. */
  private static KeyStore keys(Path directory, String address) throws Exception {
    Path file = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "server",
                "-dname",
                "CN=test",
                "-ext",
                "SAN=IP:" + address,
                "-storetype",
                "PKCS12",
                "-storepass",
                String.valueOf(PASSWORD),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static HttpServer plain() throws IOException {
    return HttpServer.create(anyPort(), 0);
  }

  private static HttpServer secure(KeyStore keys) throws Exception {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(keys)));
    return server;
  }

  private interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  private URI serve(HttpServer server, Handler handler) {
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              "%s %s host=%s length=%s x-asked=%s"
                  .formatted(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      exchange.getRequestHeaders().getFirst("Host"),
                      exchange.getRequestHeaders().getFirst("Content-Length"),
                      exchange.getRequestHeaders().get("x-asked")));
          bodies.add(exchange.getRequestBody().readAllBytes());
          handler.handle(exchange);
        });
    server.start();
    servers.add(server);
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort());
  }

  private static void answer(HttpExchange exchange, int status, String words) throws IOException {
    byte[] bytes = words.getBytes(UTF_8);
    exchange.getResponseHeaders().set("x-answer", "yes");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private Answer put(Route route, URI address) throws IOException {
    try (SdkHttpClient client = client(route)) {
      HttpExecuteResponse answer =
          client
              .prepareRequest(
                  request(address, SdkHttpMethod.PUT)
                      .contentStreamProvider(() -> new ByteArrayInputStream(body))
                      .build())
              .call();
      return new Answer(
          answer.httpResponse().statusCode(),
          answer.httpResponse().firstMatchingHeader("x-answer"),
          new String(answer.responseBody().orElseThrow().readAllBytes(), UTF_8));
    }
  }

  private HttpExecuteRequest.Builder request(URI address, SdkHttpMethod method) {
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(method)
            .uri(address)
            .appendHeader("x-asked", "one")
            .appendHeader("x-asked", "two");
    if (method == SdkHttpMethod.PUT) {
      request.putHeader("Content-Length", Integer.toString(body.length));
    }
    return HttpExecuteRequest.builder().request(request.build());
  }

  private static SdkHttpClient client(Route route) {
    return new ApacheHttp.Builder(route, Patience.ofConnectionTest(), 2)
        .buildWithDefaults(AttributeMap.empty());
  }

  private static Route through(Route.Proxy proxy) {
    return new Route(false, false, false, Optional.of(proxy));
  }

  /** A body that ends with an error after its first bytes. */
  private static final class Failing extends InputStream {

    private final Error error;
    private boolean hasBegun;

    Failing(Error error) {
      this.error = error;
    }

    @Override
    public int read() {
      if (hasBegun) {
        throw error;
      }
      hasBegun = true;
      return 'x';
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      target[offset] = (byte) read();
      return 1;
    }
  }

  /** Tells how many bytes were asked for at a time, and when it wrote itself. */
  private static final class Asked extends FilterInputStream {

    static final int WRITTEN = -1;

    private final List<Integer> counts;

    Asked(InputStream in, List<Integer> counts) {
      super(in);
      this.counts = counts;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      counts.add(count);
      return super.read(target, offset, count);
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
      counts.add(WRITTEN);
      return in.transferTo(out);
    }
  }
}
