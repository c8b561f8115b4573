package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/** The sink's own client with waits that a test can bear: the seam for tests in other packages. */
public final class ShortWaits {

  private static final ClientSettings.Credentials KEYS =
      new ClientSettings.Credentials("AKIDSHORTWAITS", "secret-of-short-waits", Optional.empty());

  private ShortWaits() {}

  /**
   * Makes a client, which the caller closes.
   *
   * @param attempts how often a request is sent at most
   * @param silence how long an answer may take; a stalled attempt is given up then
   * @param connections how many requests are in flight at most
   */
  public static S3Client client(URI endpoint, int attempts, Duration silence, int connections)
      throws SinkException {
    Patience patience =
        new Patience(
            attempts,
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofMillis(4),
            Duration.ofSeconds(5),
            silence,
            Duration.ofMillis(50));
    ClientSettings settings =
        new ClientSettings(
            Optional.of("us-east-1"), Optional.of(endpoint), true, Optional.of(KEYS), connections);
    return S3Clients.create("bucket", settings, patience, Regions.ofSdk());
  }
}
