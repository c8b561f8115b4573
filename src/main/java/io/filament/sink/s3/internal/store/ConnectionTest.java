package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
import io.filament.sink.SinkException;
import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadBucketResponse;

/**
 * Asks for a bucket with one HeadBucket and says in plain words what came of it. The answer to a
 * HEAD has no body, so error codes are missing: what is wrong is told from status and headers, and
 * where they fit several causes, all are named.
 */
public final class ConnectionTest {

  /** S3 refuses requests that are older or younger (S3 API, RequestTimeTooSkewed). */
  private static final Duration MOST_SKEW = Duration.ofMinutes(15);

  /** MinIO's way to give a HEAD its error code. */
  private static final String MINIO_CODE = "x-minio-error-code";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final String bucket;
  private final ClientSettings settings;
  private final Region region;
  private final Clock clock;
  private final Secrets secrets;

  private ConnectionTest(String bucket, ClientSettings settings, Region region, Clock clock) {
    this.bucket = bucket;
    this.settings = settings;
    this.region = region;
    this.clock = clock;
    this.secrets = Secrets.of(settings.credentials());
  }

  /** Asks for the bucket; takes some 20 seconds at most. */
  public static ConnectionReport report(String bucket, ClientSettings settings) {
    return report(bucket, settings, Regions.ofSdk(), Clock.systemUTC());
  }

  static ConnectionReport report(
      String bucket, ClientSettings settings, Regions regions, Clock clock) {
    try {
      Region region = regions.of(bucket, settings);
      return new ConnectionTest(bucket, settings, region, clock).report();
    } catch (SinkException e) {
      return new ConnectionReport(false, List.of(String.valueOf(e.getMessage())));
    }
  }

  private ConnectionReport report() throws SinkException {
    Regions known = new Regions(() -> region, () -> region);
    try (S3Client client = S3Clients.create(bucket, settings, Patience.ofConnectionTest(), known)) {
      return answered(
          client.headBucket(
              request ->
                  request.bucket(bucket).overrideConfiguration(o -> o.apiCallTimeout(LIMIT))));
    } catch (AwsServiceException e) {
      return failed(refused(e));
    } catch (SdkException | IllegalArgumentException | IllegalStateException e) {
      return failed(List.of(silent(e)));
    }
  }

  private ConnectionReport answered(HeadBucketResponse answer) {
    List<String> messages = new ArrayList<>();
    messages.add("Bucket " + bucket + " is there, and the credentials may ask for it.");
    messages.add("This does not show that they may write to it.");
    skew(answer.sdkHttpResponse().firstMatchingHeader("Date")).ifPresent(messages::add);
    return new ConnectionReport(true, messages);
  }

  private ConnectionReport failed(List<String> messages) {
    return new ConnectionReport(false, messages.stream().map(secrets::mask).toList());
  }

  private List<String> refused(AwsServiceException refusal) {
    Optional<String> home = StoreErrors.region(refusal);
    Optional<String> skew = skew(StoreErrors.header(refusal, "Date"));
    Optional<String> code = StoreErrors.header(refusal, MINIO_CODE);
    String status = " (HeadBucket, status " + refusal.statusCode() + ")";
    if (code.isPresent()) {
      String words = PlainWords.refusal("HeadBucket", refusal.statusCode(), code.get(), home);
      return List.of("Bucket " + bucket + place() + ": " + words + "." + status);
    }
    return switch (refusal.statusCode()) {
      case 301, 307, 308 -> List.of(elsewhere(home) + status);
      case 400 ->
          home.isPresent()
              ? List.of(elsewhere(home) + status)
              : List.of(
                  "The store refused the request for bucket "
                      + bucket
                      + " without a reason. Likely causes: the wrong region, a bad signature (wrong"
                      + " secret access key), or expired credentials."
                      + status);
      case 401, 403 -> denied(home, skew, status);
      case 404 -> List.of("There is no bucket " + bucket + place() + "." + status);
      case 405, 501 -> List.of("The store does not know HeadBucket." + status);
      default ->
          List.of(
              refusal.statusCode() >= 500
                  ? "The store failed or is overloaded; try again later." + status
                  : "The store refused the request for bucket " + bucket + "." + status);
    };
  }

  private List<String> denied(Optional<String> home, Optional<String> skew, String status) {
    List<String> messages = new ArrayList<>();
    messages.add("No access to bucket " + bucket + place() + "." + status);
    if (skew.isPresent()) {
      messages.add(skew.get());
    } else if (home.isPresent() && !home.get().equals(region.id())) {
      messages.add(elsewhere(home));
    }
    messages.add(
        "If the keys are right, the credentials need s3:ListBucket on the bucket for this test.");
    messages.add(
        "If not: the access key id is unknown, or the secret access key or session token does not"
            + " belong to it. The answer to a HEAD does not say which.");
    return messages;
  }

  private String elsewhere(Optional<String> home) {
    return "Wrong region: requests are signed for "
        + region
        + ", and bucket "
        + bucket
        + home.map(known -> " is in " + known + ". Set region to it.").orElse(" is elsewhere.");
  }

  private String silent(RuntimeException failure) {
    if (StoreErrors.interrupted(failure)) {
      Thread.currentThread().interrupt();
      return "The connection test was interrupted.";
    }
    return "No answer for bucket " + bucket + place() + ": " + PlainWords.silence(failure) + ".";
  }

  private String place() {
    return settings.endpoint().map(ConnectionTest::address).map(" at "::concat).orElse("");
  }

  /** Leaves out what else a URL may hold: a user's name and password, for one. */
  private static String address(URI endpoint) {
    String port = endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
    return endpoint.getScheme() + "://" + endpoint.getHost() + port;
  }

  private Optional<String> skew(Optional<String> date) {
    return date.flatMap(ConnectionTest::instant)
        .map(theirs -> Duration.between(theirs, clock.instant()))
        .filter(ahead -> ahead.abs().compareTo(MOST_SKEW) > 0)
        .map(
            ahead ->
                String.format(
                    Locale.ROOT,
                    "This machine's clock is %d minutes %s the store's; S3 allows %d.",
                    ahead.abs().toMinutes(),
                    ahead.isNegative() ? "behind" : "ahead of",
                    MOST_SKEW.toMinutes()));
  }

  private static Optional<Instant> instant(String date) {
    try {
      return Optional.of(
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
