package io.filament.sink.bench;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/**
 * Sends the requests of https over http, so that the SDK makes and signs them as it does for AWS,
 * where it does not read a body to sign it, and nobody pays for TLS.
 */
final class WithoutTls {

  private WithoutTls() {}

  static SdkHttpClient of(SdkHttpClient client) {
    return new Plain(client);
  }

  static SdkAsyncHttpClient of(SdkAsyncHttpClient client) {
    return new PlainAsync(client);
  }

  private static SdkHttpRequest plain(SdkHttpRequest request) {
    return request.toBuilder().protocol("http").port(request.port()).build();
  }

  private record Plain(SdkHttpClient client) implements SdkHttpClient {

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      HttpExecuteRequest.Builder http =
          HttpExecuteRequest.builder().request(plain(request.httpRequest()));
      request.contentStreamProvider().ifPresent(http::contentStreamProvider);
      return client.prepareRequest(http.build());
    }

    @Override
    public String clientName() {
      return client.clientName();
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private record PlainAsync(SdkAsyncHttpClient client) implements SdkAsyncHttpClient {

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
      return client.execute(
          AsyncExecuteRequest.builder()
              .request(plain(request.request()))
              .requestContentPublisher(request.requestContentPublisher())
              .responseHandler(request.responseHandler())
              .fullDuplex(request.fullDuplex())
              .build());
    }

    @Override
    public String clientName() {
      return client.clientName();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
