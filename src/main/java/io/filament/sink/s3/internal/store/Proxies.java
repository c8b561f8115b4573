package io.filament.sink.s3.internal.store;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;

/**
 * Which proxy a host is reached through: the one of the settings, which is the only one then, or
 * what the JVM and the environment say, as the SDK reads it. They may name one for each scheme; the
 * one for {@code http} is also for {@code https} where there is no other, as with the SDK's
 * clients.
 */
final class Proxies extends DefaultRoutePlanner {

  private final Through plain;
  private final Through secure;

  private Proxies(Through plain, Through secure) {
    super(DefaultSchemePortResolver.INSTANCE);
    this.plain = plain;
    this.secure = secure;
  }

  /**
   * One proxy.
   *
   * @param host null if there is none
   * @param configuration has what else is known of it
   */
  private record Through(@Nullable HttpHost host, ProxyConfiguration configuration) {

    /**
     * @param scheme how the proxy itself is spoken to
     */
    static Through of(ProxyConfiguration configuration, String scheme) {
      boolean isThere = configuration.host() != null && configuration.port() > 0;
      return new Through(
          isThere ? new HttpHost(scheme, configuration.host(), configuration.port()) : null,
          configuration);
    }

    /** Returns the proxy, unless it is not for that host. */
    @Nullable HttpHost to(HttpHost target) {
      String name = target.getHostName().toLowerCase(Locale.ROOT);
      return configuration.nonProxyHosts().stream().anyMatch(name::matches) ? null : host;
    }

    void addTo(BasicCredentialsProvider credentials) {
      String password = configuration.password();
      if (host != null && configuration.username() != null && password != null) {
        credentials.setCredentials(
            new AuthScope(host),
            new UsernamePasswordCredentials(configuration.username(), password.toCharArray()));
      }
    }

    /** Returns the password, and what HTTP's Basic scheme makes of it (RFC 7617). */
    Stream<String> secrets() {
      String password = configuration.password();
      if (password == null) {
        return Stream.of();
      }
      String user = Objects.requireNonNullElse(configuration.username(), "");
      byte[] basic = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
      return Stream.of(password, Base64.getEncoder().encodeToString(basic));
    }
  }

  static Proxies of(Route route) {
    Optional<Route.Proxy> proxy = route.proxy();
    if (proxy.isPresent()) {
      Through set = Through.of(configured(proxy.get()), proxy.get().address().getScheme());
      return new Proxies(set, set);
    }
    Through plain = surrounding(URIScheme.HTTP);
    Through secure = surrounding(URIScheme.HTTPS);
    return new Proxies(plain, secure.host() == null ? plain : secure);
  }

  private static ProxyConfiguration configured(Route.Proxy proxy) {
    ProxyConfiguration.Builder configuration =
        ProxyConfiguration.builder()
            .endpoint(proxy.address())
            .useSystemPropertyValues(false)
            .useEnvironmentVariableValues(false);
    proxy.username().ifPresent(configuration::username);
    proxy.password().ifPresent(configuration::password);
    return configuration.build();
  }

  /** The scheme is that of the requests, and the proxy itself is spoken to without TLS. */
  private static Through surrounding(URIScheme scheme) {
    return Through.of(
        ProxyConfiguration.builder().scheme(scheme.getId()).build(), URIScheme.HTTP.getId());
  }

  /** Returns what must not be shown of what proxies get. */
  Stream<String> secrets() {
    return Stream.concat(plain.secrets(), secure.secrets()).distinct();
  }

  /** Returns what proxies that ask for a password get. */
  CredentialsProvider credentials() {
    BasicCredentialsProvider credentials = new BasicCredentialsProvider();
    plain.addTo(credentials);
    secure.addTo(credentials);
    return credentials;
  }

  @Override
  protected @Nullable HttpHost determineProxy(HttpHost target, HttpContext context) {
    return (URIScheme.HTTPS.same(target.getSchemeName()) ? secure : plain).to(target);
  }
}
