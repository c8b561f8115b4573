package io.filament.sink.s3.internal.store;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/**
 * The way to a store.
 *
 * @param fips whether AWS's FIPS endpoints are used
 * @param dualstack whether AWS's endpoints with IPv6 are used
 * @param accelerate whether S3 Transfer Acceleration is used
 * @param proxy what stands between; if empty, what the JVM and the environment say
 * @param crt whether the AWS Common Runtime makes the requests, and not Apache's client
 */
public record Route(
    boolean fips, boolean dualstack, boolean accelerate, Optional<Proxy> proxy, boolean crt) {

  /** The usual way. */
  public static final Route DIRECT = new Route(false, false, false, Optional.empty());

  public Route {
    Objects.requireNonNull(proxy, "proxy");
  }

  /** Makes a way for Apache's client. */
  public Route(boolean fips, boolean dualstack, boolean accelerate, Optional<Proxy> proxy) {
    this(fips, dualstack, accelerate, proxy, false);
  }

  /**
   * An HTTP proxy. {@code toString} masks the password.
   *
   * @param address its URL
   * @param username the user's name, if it asks for one
   * @param password the user's password, if it asks for one
   */
  public record Proxy(URI address, Optional<String> username, Optional<String> password) {

    public Proxy {
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(username, "username");
      Objects.requireNonNull(password, "password");
    }

    @Override
    public String toString() {
      return "Proxy[" + address + (username.isPresent() ? ", ***]" : "]");
    }
  }
}
