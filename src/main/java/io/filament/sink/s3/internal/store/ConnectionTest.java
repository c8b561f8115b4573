package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
import io.filament.sink.SinkException;
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
import java.util.UUID;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadBucketResponse;

/**
 * Asks for a bucket with one HeadBucket and says in plain words what came of it; and writes there,
 * if that is asked for. The answer to a HEAD has no body, so error codes are missing: what is wrong
 * is told from status and headers, and where they fit several causes, all are named.
 */
public final class ConnectionTest {

  /** S3 refuses requests that are older or younger (S3 API, RequestTimeTooSkewed). */
  private static final Duration MOST_SKEW = Duration.ofMinutes(15);

  /** MinIO's way to give a HEAD its error code. */
  private static final String MINIO_CODE = "x-minio-error-code";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** For some twenty requests; and for taking away what they have made. */
  private static final TimeLimit WRITE_LIMIT =
      new TimeLimit(Duration.ofSeconds(60), Duration.ofSeconds(20));

  private final String bucket;
  private final ClientSettings settings;
  private final ObjectOptions options;
  private final Region region;
  private final Clock clock;

  private ConnectionTest(
      String bucket, ClientSettings settings, ObjectOptions options, Region region, Clock clock) {
    this.bucket = bucket;
    this.settings = settings;
    this.options = options;
    this.region = region;
    this.clock = clock;
  }

  /** Asks for the bucket; takes some 20 seconds at most. */
  public static ConnectionReport report(
      String bucket, ClientSettings settings, ObjectOptions options) {
    return report(bucket, settings, options, Regions.ofSdk(), Clock.systemUTC());
  }

  static ConnectionReport report(
      String bucket, ClientSettings settings, ObjectOptions options, Regions regions, Clock clock) {
    return tested(bucket, settings, options, regions, clock, ConnectionTest::readReport);
  }

  /**
   * Asks for the bucket and writes below the prefix, without leaving anything; takes some 80
   * seconds at most.
   *
   * @param level which checksums are sent; empty if the store is to be asked
   */
  public static ConnectionReport writeReport(
      KeyLayout layout,
      Optional<ChecksumLevel> level,
      ClientSettings settings,
      ObjectOptions options) {
    return writeReport(layout, level, settings, options, WRITE_LIMIT);
  }

  static ConnectionReport writeReport(
      KeyLayout layout,
      Optional<ChecksumLevel> level,
      ClientSettings settings,
      ObjectOptions options,
      TimeLimit limit) {
    return limit.of(
        () ->
            tested(
                layout.bucket(),
                settings,
                options,
                Regions.ofSdk(),
                Clock.systemUTC(),
                (test, client) -> test.writeReport(client, layout, level)));
  }

  private static ConnectionReport tested(
      String bucket,
      ClientSettings settings,
      ObjectOptions options,
      Regions regions,
      Clock clock,
      Step step) {
    ConnectionTest test;
    try {
      test = new ConnectionTest(bucket, settings, options, regions.of(bucket, settings), clock);
    } catch (SinkException e) {
      return new ConnectionReport(false, List.of(String.valueOf(e.getMessage())));
    }
    Regions known = new Regions(() -> test.region, () -> test.region);
    try (S3Client client = S3Clients.create(bucket, settings, Patience.ofConnectionTest(), known)) {
      ConnectionReport report;
      try {
        report = step.report(test, client);
      } catch (SdkException | IllegalArgumentException | IllegalStateException e) {
        report = new ConnectionReport(false, List.of(test.silent(e)));
      }
      return masked(report, KnownCredentials.secretsOf(client).and(options));
    } catch (SinkException | SdkException | IllegalArgumentException | IllegalStateException e) {
      return masked(
          new ConnectionReport(false, List.of(test.silent(e))), Secrets.of(settings).and(options));
    }
  }

  private ConnectionReport readReport(S3Client client) {
    Look look = look(client);
    List<String> messages = new ArrayList<>(look.messages());
    if (look.access() == Access.GRANTED) {
      messages.add(1, "This does not show that they may write to it.");
    }
    return new ConnectionReport(look.access() == Access.GRANTED, messages);
  }

  private ConnectionReport writeReport(
      S3Client client, KeyLayout layout, Optional<ChecksumLevel> level) {
    Look look = look(client);
    List<String> messages = new ArrayList<>(look.messages());
    if (look.access() == Access.NONE) {
      return new ConnectionReport(false, messages);
    }
    if (layout.isOfSource()) {
      messages.add(
          "No prefix is set, so this writes at the top of the bucket; a run with a source name writes"
              + " below that.");
    }
    S3Location place = layout.connectionTest(UUID.randomUUID().toString());
    SdkObjectStore store = SdkObjectStore.of(client, bucket).with(options);
    ConnectionReport written =
        new WriteTest(client, store, options, place.key(), layout.top())
            .report(level, look.access());
    messages.addAll(written.messages());
    return new ConnectionReport(written.ok(), messages);
  }

  private Look look(S3Client client) {
    try {
      return answered(
          client.headBucket(
              request ->
                  request
                      .bucket(bucket)
                      .applyMutation(options::addTo)
                      .overrideConfiguration(o -> o.apiCallTimeout(LIMIT))));
    } catch (AwsServiceException e) {
      return new Look(access(e), refused(e));
    } catch (SdkException | IllegalArgumentException | IllegalStateException e) {
      return new Look(Access.NONE, List.of(silent(e)));
    }
  }

  private Look answered(HeadBucketResponse answer) {
    List<String> messages = new ArrayList<>();
    messages.add("Bucket " + bucket + " is there, and the credentials may ask for it.");
    skew(answer.sdkHttpResponse().firstMatchingHeader("Date")).ifPresent(messages::add);
    return new Look(Access.GRANTED, messages);
  }

  /** Who may write need not be allowed to ask for the bucket. */
  private static Access access(AwsServiceException refusal) {
    if (StoreErrors.header(refusal, MINIO_CODE).filter(PlainWords::isOfKeys).isPresent()) {
      return Access.NONE;
    }
    return switch (refusal.statusCode()) {
      case 401, 403, 405, 501 -> Access.REFUSED;
      default -> Access.NONE;
    };
  }

  private static ConnectionReport masked(ConnectionReport report, Secrets secrets) {
    return new ConnectionReport(
        report.ok(), report.messages().stream().map(secrets::mask).toList());
  }

  /** What came of asking for the bucket. */
  enum Access {
    /** It may be asked for. */
    GRANTED,
    /** It may not, which says nothing of writing. */
    REFUSED,
    /** There is no use in asking further. */
    NONE
  }

  private record Look(Access access, List<String> messages) {}

  /** What is done with a client. */
  @FunctionalInterface
  private interface Step {
    ConnectionReport report(ConnectionTest test, S3Client client);
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
    options
        .bucketOwner()
        .ifPresent(
            owner ->
                messages.add(
                    "Or account " + owner + " (expected_bucket_owner) does not own the bucket."));
    return messages;
  }

  private String elsewhere(Optional<String> home) {
    return "Wrong region: requests are signed for "
        + region
        + ", and bucket "
        + bucket
        + home.map(known -> " is in " + known + ". Set region to it.").orElse(" is elsewhere.");
  }

  private String silent(Exception failure) {
    if (StoreErrors.interrupted(failure)) {
      Thread.currentThread().interrupt();
      return "The connection test was interrupted.";
    }
    return "No answer for bucket " + bucket + place() + ": " + PlainWords.silence(failure) + ".";
  }

  private String place() {
    return settings.endpoint().map(StoreErrors::address).map(" at "::concat).orElse("");
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
