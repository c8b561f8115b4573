package io.filament.sink.acceptance;

import java.net.URI;
import java.util.Properties;
import java.util.stream.Stream;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;

/** The S3 servers that the tests run against. */
final class Endpoints {

  private static final String ACCESS_KEY = "acceptance-access-key";
  private static final String SECRET_KEY = "acceptance-secret-key";

  private Endpoints() {}

  /** Returns every server that can be had on this machine. */
  static Stream<Endpoint> all() {
    return Stream.of(embedded());
  }

  /** Returns the server inside this process. */
  static Endpoint embedded() {
    return Embedded.SERVER;
  }

  private static Endpoint startS3Proxy() {
    Properties properties = new Properties();
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(BlobStores.create("transient", properties))
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
            .build();
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("S3Proxy does not start", e);
    }
    URI uri = URI.create("http://127.0.0.1:" + server.getPort());
    return new Endpoint("S3Proxy", uri, ACCESS_KEY, SECRET_KEY);
  }

  private static final class Embedded {
    private static final Endpoint SERVER = startS3Proxy();
  }
}
