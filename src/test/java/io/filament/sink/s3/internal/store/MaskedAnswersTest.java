package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.utils.AttributeMap;

/** Nothing above the HTTP client sees a secret that a store repeats. */
class MaskedAnswersTest {

  private static final String SECRET = "secret-of-this-test";
  private static final String TEXT = "ä of " + SECRET;
  private static final String CUSTOMER_KEY = "customer-key-of-this-test";
  private static final SdkHttpRequest GET =
      SdkHttpRequest.builder()
          .method(SdkHttpMethod.GET)
          .uri(URI.create("http://127.0.0.1"))
          .build();

  @Test
  void refusalIsMasked() throws IOException {
    assertThat(body(GET, 403, TEXT)).isEqualTo("ä of ***");
  }

  @Test
  void headersAndTheStatusLineAreMaskedWhateverTheStatus() throws IOException {
    SdkHttpResponse head = answer(GET, 200, TEXT).httpResponse();

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.statusText()).contains("said ***");
    assertThat(head.matchingHeaders("x-amz-request-id")).containsExactly("one", "of ***");
  }

  @Test
  void errorThatComesWithStatus200IsMasked() throws IOException {
    assertThat(body(GET, 200, " <Error>" + SECRET + "</Error>")).isEqualTo(" <Error>***</Error>");
  }

  /** STS gives out secrets in such answers. */
  @Test
  void resultIsNotTouched() throws IOException {
    assertThat(body(GET, 200, TEXT)).isEqualTo(TEXT);
  }

  @Test
  void longResultIsHandedOnAsAWhole() throws IOException {
    String text = TEXT.repeat(1 + (2 << 20) / TEXT.length());

    assertThat(body(GET, 200, text)).isEqualTo(text);
  }

  /** Nothing is kept of what nobody says, and no half of a secret is shown. */
  @Test
  void longRefusalIsCut() throws IOException {
    String text = "x".repeat((64 << 10) - SECRET.length() / 2) + SECRET + "y".repeat(1 << 20);
    AtomicBoolean aborted = new AtomicBoolean();
    InputStream sent = new ByteArrayInputStream(text.getBytes(UTF_8));

    try (InputStream in =
        new MaskedBody(
            AbortableInputStream.create(sent, () -> aborted.set(true)),
            Secrets.none().and(Stream.of(SECRET)),
            true)) {
      assertThat(new String(in.readAllBytes(), UTF_8))
          .containsPattern("^x+$")
          .hasSizeLessThan(64 << 10);
    }

    assertThat(aborted).as("nobody reads on to the end").isTrue();
  }

  @Test
  void whatCameBeforeTheConnectionBrokeIsHandedOn() throws IOException {
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(("<Error>" + SECRET).getBytes(UTF_8)),
            new FilterInputStream(InputStream.nullInputStream()) {
              @Override
              public int read(byte[] buffer, int offset, int length) throws IOException {
                throw new IOException("broken after " + SECRET);
              }
            });
    try (InputStream in =
        new MaskedBody(
            AbortableInputStream.create(broken), Secrets.none().and(Stream.of(SECRET)), true)) {
      assertThat(new String(in.readNBytes(10), UTF_8)).isEqualTo("<Error>***");
      assertThatThrownBy(in::read)
          .isInstanceOf(IOException.class)
          .hasMessage("java.io.IOException: broken after ***");
    }
  }

  @Test
  void failureThatQuotesAnAnswerIsMasked() {
    Fixed broken = new Fixed(0, "Invalid header: " + SECRET);

    assertThatThrownBy(() -> answer(masked(broken, Secrets.none().and(Stream.of(SECRET))), GET))
        .isInstanceOf(IOException.class)
        .hasMessage("java.io.IOException: Invalid header: ***");
  }

  @Test
  void secretThatHoldsAnotherIsMaskedAsAWhole() {
    Secrets secrets = Secrets.none().and(Stream.of(SECRET, "before-" + SECRET + "-after"));

    assertThat(secrets.mask("of before-" + SECRET + "-after and " + SECRET))
        .isEqualTo("of *** and ***");
  }

  @Test
  void keyThatARequestBringsAlongIsMaskedInItsAnswer() throws IOException {
    SdkHttpRequest request =
        GET.toBuilder()
            .putHeader("x-amz-server-side-encryption-customer-key", CUSTOMER_KEY)
            .build();

    assertThat(body(request, 403, CUSTOMER_KEY)).isEqualTo("***");
    assertThat(body(GET, 403, CUSTOMER_KEY)).isEqualTo(CUSTOMER_KEY);
  }

  @Test
  void secretThatIsLearntLaterIsMasked() throws IOException {
    Secrets secrets = Secrets.none();
    try (SdkHttpClient client = client(secrets, 403, TEXT)) {
      secrets.learn(List.of(SECRET));

      assertThat(body(client, GET)).isEqualTo("ä of ***");
    }
  }

  @Test
  void bodyIsReadInAnyWay() throws IOException {
    try (InputStream in = answer(GET, 403, TEXT).responseBody().orElseThrow()) {
      assertThat(in.available()).isPositive();
      assertThat(in.skip(2)).isEqualTo(2);
      assertThat(in.read()).isEqualTo(' ');
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("of ***");
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  private static String body(SdkHttpRequest request, int status, String text) throws IOException {
    try (SdkHttpClient client = client(Secrets.none().and(Stream.of(SECRET)), status, text)) {
      return body(client, request);
    }
  }

  private static String body(SdkHttpClient client, SdkHttpRequest request) throws IOException {
    try (InputStream in = answer(client, request).responseBody().orElseThrow()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static HttpExecuteResponse answer(SdkHttpRequest request, int status, String text)
      throws IOException {
    return answer(client(Secrets.none().and(Stream.of(SECRET)), status, text), request);
  }

  private static HttpExecuteResponse answer(SdkHttpClient client, SdkHttpRequest request)
      throws IOException {
    return client.prepareRequest(HttpExecuteRequest.builder().request(request).build()).call();
  }

  private static SdkHttpClient client(Secrets secrets, int status, String text) {
    return masked(new Fixed(status, text), secrets);
  }

  private static SdkHttpClient masked(Fixed client, Secrets secrets) {
    return new MaskedAnswers.Builder(client, secrets).buildWithDefaults(AttributeMap.empty());
  }

  /** A client that gets one answer to all, or with status 0 none. */
  private record Fixed(int status, String text)
      implements SdkHttpClient, SdkHttpClient.Builder<Fixed> {

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return this;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {

        @Override
        public HttpExecuteResponse call() throws IOException {
          if (status == 0) {
            throw new IOException(text);
          }
          return HttpExecuteResponse.builder()
              .response(
                  SdkHttpResponse.builder()
                      .statusCode(status)
                      .statusText("said " + SECRET)
                      .appendHeader("x-amz-request-id", "one")
                      .appendHeader("x-amz-request-id", "of " + SECRET)
                      .build())
              .responseBody(
                  AbortableInputStream.create(new ByteArrayInputStream(text.getBytes(UTF_8))))
              .build();
        }

        @Override
        public void abort() {}
      };
    }

    @Override
    public void close() {}
  }
}
