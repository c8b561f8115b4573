package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Masks secrets in what a store answers, before the SDK sees it: stores repeat in a refusal what
 * they were sent (a wrong signature is answered with all that was signed), and the SDK logs
 * answers. Results are not touched: only headers, refusals, errors that come with status 200, and
 * the words of failures.
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
    return new Masked(client.prepareRequest(request), secrets.and(own));
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

  /** One request and its answer. */
  private record Masked(ExecutableHttpRequest exchange, Secrets secrets)
      implements ExecutableHttpRequest {

    @Override
    public HttpExecuteResponse call() throws IOException {
      HttpExecuteResponse answer;
      try {
        answer = exchange.call();
      } catch (IOException e) {
        throw secrets.mask(e);
      }
      SdkHttpResponse head = answer.httpResponse();
      HttpExecuteResponse.Builder masked = HttpExecuteResponse.builder().response(masked(head));
      answer
          .responseBody()
          .map(
              body ->
                  AbortableInputStream.create(
                      new MaskedBody(body, secrets, head.statusCode() >= FIRST_REFUSAL), body))
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
}
