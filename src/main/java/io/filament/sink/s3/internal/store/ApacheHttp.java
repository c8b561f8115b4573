package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Makes the SDK's requests with Apache's client. The SDK's own adapter of that client reads a body
 * 4 KiB at a time and writes 8, which takes more processor time than {@link ApacheExchange}'s
 * larger pieces.
 *
 * <p>Of what Apache's client offers, only connections, TLS and proxies are used: the SDK follows
 * redirects, signs and asks again by itself, and bodies are not to be changed.
 */
final class ApacheHttp implements SdkHttpClient {

  /** As the SDK's adapter does. */
  private static final TimeValue LONGEST_IDLE = TimeValue.ofSeconds(60);

  private static final TimeValue CONNECTION_LIFE = TimeValue.ofMinutes(5);

  private final ApachePool pool;
  private final CloseableHttpClient client;

  private ApacheHttp(Route route, Patience patience, int connections) {
    this.pool = new ApachePool(connections(patience, connections), LONGEST_IDLE);
    HttpClientBuilder builder =
        HttpClientBuilder.create()
            .setConnectionManager(pool)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    // An offer to go over to TLS, which a nearly-S3 may not understand.
                    .setProtocolUpgradeEnabled(false)
                    .setResponseTimeout(timeout(patience.silence().toMillis()))
                    .build())
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableContentCompression()
            .disableAuthCaching()
            .disableDefaultUserAgent();
    Proxies proxies = Proxies.of(route);
    builder.setRoutePlanner(proxies);
    builder.setDefaultCredentialsProvider(proxies.credentials());
    this.client = builder.build();
  }

  /** The pool is never what a request waits for: who makes requests bounds them. */
  private static PoolingHttpClientConnectionManager connections(Patience patience, int usual) {
    Timeout silence = timeout(patience.silence().toMillis());
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setConnectionFactory(socket -> new QuietConnection())
        .setTlsSocketStrategy(
            ClientTlsStrategyBuilder.create().useSystemProperties().buildClassic())
        .setDefaultSocketConfig(
            SocketConfig.custom().setSoTimeout(silence).setSoKeepAlive(true).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(timeout(patience.connect().toMillis()))
                .setSocketTimeout(silence)
                .setTimeToLive(CONNECTION_LIFE)
                .build())
        .setMaxConnTotal(2 * usual)
        .setMaxConnPerRoute(2 * usual)
        .build();
  }

  private static Timeout timeout(long millis) {
    return Timeout.of(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ApacheExchange(client, request);
  }

  @Override
  public String clientName() {
    return "Apache5";
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the HTTP client can't be closed", e);
    } finally {
      pool.end();
    }
  }

  /** Makes it. The SDK closes what it builds. */
  record Builder(Route route, Patience patience, int connections)
      implements SdkHttpClient.Builder<Builder> {

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return new ApacheHttp(route, patience, connections);
    }
  }
}
