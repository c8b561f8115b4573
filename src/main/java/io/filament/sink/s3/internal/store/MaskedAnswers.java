package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Masks secrets in what a store answers, before the SDK sees it: stores repeat in a refusal what
 * they were sent (a wrong signature is answered with all that was signed), and the SDK logs
 * answers. Contents are not touched: only headers, refusals, and the errors that come with status
 * 200.
 */
final class MaskedAnswers implements SdkHttpClient {

  /** The secrets that a request brings along by itself. */
  private static final List<String> SECRET_HEADERS =
      List.of(
          "x-amz-server-side-encryption-customer-key",
          "x-amz-server-side-encryption-customer-key-MD5");

  private static final int FIRST_REFUSAL = 300;

  private final SdkHttpClient client;
  private final Secrets secrets;

  private MaskedAnswers(SdkHttpClient client, Secrets secrets) {
    this.client = client;
    this.secrets = secrets;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    SdkHttpRequest asked = request.httpRequest();
    Stream<String> own =
        SECRET_HEADERS.stream().map(asked::firstMatchingHeader).flatMap(Optional::stream);
    return new Masked(
        client.prepareRequest(request), secrets.and(own), asked.method() == SdkHttpMethod.POST);
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    client.close();
  }

  /** Masks the answers that another builder's client gets. The SDK closes what it builds. */
  record Builder(SdkHttpClient.Builder<?> builder, Secrets secrets)
      implements SdkHttpClient.Builder<Builder> {

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return new MaskedAnswers(builder.buildWithDefaults(defaults), secrets);
    }
  }

  /**
   * One request and its answer.
   *
   * @param mayFailLate whether an answer of status 200 may turn out to be an error
   */
  private record Masked(ExecutableHttpRequest exchange, Secrets secrets, boolean mayFailLate)
      implements ExecutableHttpRequest {

    @Override
    public HttpExecuteResponse call() throws IOException {
      HttpExecuteResponse answer = exchange.call();
      SdkHttpResponse head = answer.httpResponse();
      boolean isRefusal = head.statusCode() >= FIRST_REFUSAL;
      HttpExecuteResponse.Builder masked = HttpExecuteResponse.builder().response(masked(head));
      answer
          .responseBody()
          .map(
              body ->
                  isRefusal || mayFailLate
                      ? AbortableInputStream.create(new MaskedBody(body, secrets, isRefusal), body)
                      : body)
          .ifPresent(masked::responseBody);
      return masked.build();
    }

    private SdkHttpResponse masked(SdkHttpResponse head) {
      SdkHttpResponse.Builder builder = head.toBuilder();
      head.statusText().map(secrets::mask).ifPresent(builder::statusText);
      head.forEachHeader(
          (name, values) -> builder.putHeader(name, values.stream().map(secrets::mask).toList()));
      return builder.build();
    }

    @Override
    public void abort() {
      exchange.abort();
    }
  }

  /** The text of an answer, read as a whole when the first byte is asked for. */
  private static final class MaskedBody extends FilterInputStream {

    private static final String ERROR = "<Error";

    private final Secrets secrets;
    private final boolean isRefusal;
    private @Nullable InputStream masked;

    MaskedBody(InputStream body, Secrets secrets, boolean isRefusal) {
      super(body);
      this.secrets = secrets;
      this.isRefusal = isRefusal;
    }

    @Override
    public int read() throws IOException {
      return masked().read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return masked().read(buffer, offset, length);
    }

    @Override
    public long skip(long count) throws IOException {
      return masked().skip(count);
    }

    @Override
    public int available() throws IOException {
      return masked().available();
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    private InputStream masked() throws IOException {
      InputStream known = masked;
      if (known == null) {
        // Byte by byte the same as it came, in whichever encoding: secrets are ASCII.
        String text = new String(in.readAllBytes(), ISO_8859_1);
        String shown = isRefusal || text.contains(ERROR) ? secrets.mask(text) : text;
        known = new ByteArrayInputStream(shown.getBytes(ISO_8859_1));
        masked = known;
      }
      return known;
    }
  }
}
