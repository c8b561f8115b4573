package io.filament.sink.s3.testing;

import java.net.URI;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/**
 * S3Proxy in this JVM, on a free port of 127.0.0.1, with its objects in memory.
 *
 * <p>It checks signatures, part checksums and whole-object checksums, and its conditional writes
 * are atomic. It forgets everything when it is closed.
 */
public final class S3ProxyServer implements AutoCloseable {

  private static final String ACCESS_KEY = "test-access-key";
  private static final String SECRET_KEY = "test-secret-key";

  private final S3Proxy server;
  private final S3Endpoint endpoint;

  private S3ProxyServer(S3Proxy server) {
    this.server = server;
    this.endpoint =
        new S3Endpoint(
            "S3Proxy",
            URI.create("http://127.0.0.1:" + server.getPort()),
            ACCESS_KEY,
            SECRET_KEY,
            S3Endpoint.DEFAULT_REGION);
  }

  /** Starts a server, which the caller closes. */
  public static S3ProxyServer start() {
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(BlobStores.create("transient", new Properties()))
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
            .build();
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not start", e);
    }
    return new S3ProxyServer(server);
  }

  /** Gives the endpoint of the one server that all tests of this JVM share. */
  public static S3Endpoint shared() {
    return Shared.SERVER.endpoint();
  }

  /** Gives where the server listens, and its keys. */
  public S3Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not stop", e);
    }
  }

  /** Holds the server that lives as long as the JVM. */
  private static final class Shared {
    static final S3ProxyServer SERVER = start();
  }
}
