package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.VisibleText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** The rules of {@code endpoint}, {@code region} and their like. */
final class StoreAddress {

  private static final int MAX_PORT = 65_535;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final Pattern AWS_REGION = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  // Other stores have regions such as RegionOne; a signature can hold what a path segment can.
  private static final Pattern OTHER_REGION =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");
  private static final int MAX_REGION_LENGTH = 63;

  private StoreAddress() {}

  /**
   * Returns a configured endpoint.
   *
   * @throws IllegalArgumentException if it is no URL of a store; the message doesn't hold what may
   *     be a secret
   */
  static URI endpoint(String endpoint) {
    // Before all else, since user info may hold keys, and messages hold the endpoint.
    if (endpoint.contains("@")) {
      throw new IllegalArgumentException("must not hold \"@\"; keys have settings of their own");
    }
    if (endpoint.contains("?") || endpoint.contains("#")) {
      throw new IllegalArgumentException("must have no query and no fragment");
    }
    String shown = VisibleText.quoted(endpoint);
    URI uri;
    try {
      uri = new URI(endpoint);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("must be a URL, as https://s3.example.com: " + shown, e);
    }
    if (!"http".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
      throw new IllegalArgumentException("must begin with http:// or https://: " + shown);
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException(
          "must have a host, of letters, digits, \".\" and \"-\": " + shown);
    }
    if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
      throw new IllegalArgumentException("must have a port of 1 to " + MAX_PORT + ": " + shown);
    }
    return uri;
  }

  /**
   * Returns a configured proxy, with its port.
   *
   * @throws IllegalArgumentException if it is no URL of a proxy; the message doesn't hold what may
   *     be a secret
   */
  static URI proxy(String proxy) {
    URI uri = endpoint(proxy);
    if (!uri.getPath().isEmpty() && !uri.getPath().equals("/")) {
      throw new IllegalArgumentException("must have no path: " + VisibleText.quoted(proxy));
    }
    boolean tls = uri.getScheme().equalsIgnoreCase("https");
    int usual = tls ? HTTPS_PORT : HTTP_PORT;
    int port = uri.getPort() < 0 ? usual : uri.getPort();
    return URI.create((tls ? "https" : "http") + "://" + uri.getHost() + ":" + port);
  }

  /** Checks a configured region of AWS. */
  static void checkAwsRegion(String region) {
    checkRegion(region, AWS_REGION, "must be a region of AWS, as eu-central-1");
  }

  /** Checks a configured region of another store. */
  static void checkOtherRegion(String region) {
    checkRegion(region, OTHER_REGION, "must have only letters, digits, \"-\", \".\" and \"_\"");
  }

  private static void checkRegion(String region, Pattern allowed, String rule) {
    if (region.length() > MAX_REGION_LENGTH || !allowed.matcher(region).matches()) {
      throw new IllegalArgumentException(
          rule + " (at most " + MAX_REGION_LENGTH + " characters): " + VisibleText.quoted(region));
    }
  }
}
