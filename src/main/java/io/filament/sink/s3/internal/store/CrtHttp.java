package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import java.util.Optional;
import java.util.ServiceLoader;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpService;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The HTTP client of the AWS Common Runtime, which a host may add. It is found as the SDK finds it,
 * as a service, so that nothing of it is needed otherwise.
 */
public final class CrtHttp {

  private static final String MISSING =
      "http_client is crt, and software.amazon.awssdk:aws-crt-client is not on the class path";

  private static final String PACKAGE = "software.amazon.awssdk.http.crt.";

  private CrtHttp() {}

  /** Returns whether the host has added it. */
  public static boolean isThere() {
    return service().isPresent();
  }

  /**
   * Refuses to go on without it.
   *
   * @throws SinkException that names what the host has to add
   */
  static void require() throws SinkException {
    if (!isThere()) {
      throw new SinkException(MISSING);
    }
  }

  /**
   * Returns a builder of a client with this patience. How long a connection may be silent is not
   * among its options: the time limit of each attempt is what ends such a wait.
   *
   * @throws IllegalStateException if the host has not added it; {@link #require} says so before
   */
  static SdkHttpClient.Builder<?> builder(Patience patience, int connections) {
    SdkHttpService service =
        service()
            .map(ServiceLoader.Provider::get)
            .orElseThrow(() -> new IllegalStateException(MISSING));
    AttributeMap options =
        AttributeMap.builder()
            .put(SdkHttpConfigurationOption.CONNECTION_TIMEOUT, patience.connect())
            .put(SdkHttpConfigurationOption.MAX_CONNECTIONS, connections)
            .build();
    return new WithOptions(service, options);
  }

  private static Optional<ServiceLoader.Provider<SdkHttpService>> service() {
    return ServiceLoader.load(SdkHttpService.class, SdkHttpService.class.getClassLoader()).stream()
        .filter(provider -> provider.type().getName().startsWith(PACKAGE))
        .findFirst();
  }

  /** Builds with these options before the SDK's own. */
  private record WithOptions(SdkHttpService service, AttributeMap options)
      implements SdkHttpClient.Builder<WithOptions> {

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return service.createHttpClientBuilder().buildWithDefaults(options.merge(defaults));
    }
  }
}
