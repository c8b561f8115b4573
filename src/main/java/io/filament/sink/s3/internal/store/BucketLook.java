package io.filament.sink.s3.internal.store;

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
 *
 * @param region for which requests are signed
 */
record BucketLook(
    String bucket, ClientSettings settings, ObjectOptions options, Region region, Clock clock) {

  /** S3 refuses requests that are older or younger (S3 API, RequestTimeTooSkewed). */
  private static final Duration MOST_SKEW = Duration.ofMinutes(15);

  /** MinIO's way to give a HEAD its error code. */
  private static final String MINIO_CODE = "x-minio-error-code";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** What came of asking for the bucket. */
  enum Access {
    /** It may be asked for. */
    GRANTED,
    /** It may not, which says nothing of writing. */
    REFUSED,
    /** There is no use in asking further. */
    NONE
  }

  /** What is known of the keys beside the answer to a HEAD, which does not tell it. */
  enum Keys {
    RIGHT,
    /** Or the clock is. */
    WRONG,
    UNKNOWN
  }

  /**
   * What came of asking.
   *
   * @param messages what is certain
   * @param isUnexplained whether it is refused for a cause that can only be guessed
   */
  record Answer(Access access, List<String> messages, boolean isUnexplained) {}

  /** Asks once; takes some 20 seconds at most. */
  Answer ask(S3Client client) {
    try {
      return answered(
          client.headBucket(
              request ->
                  request
                      .bucket(bucket)
                      .applyMutation(options::addTo)
                      .overrideConfiguration(o -> o.apiCallTimeout(LIMIT))));
    } catch (AwsServiceException e) {
      return new Answer(access(e), refused(e), isUnexplained(e));
    } catch (SdkException | IllegalArgumentException | IllegalStateException e) {
      return new Answer(Access.NONE, List.of(silent(e)), false);
    }
  }

  private Answer answered(HeadBucketResponse answer) {
    List<String> messages = new ArrayList<>();
    messages.add("Bucket " + bucket + " is there, and the credentials may ask for it.");
    skew(answer.sdkHttpResponse().firstMatchingHeader("Date")).ifPresent(messages::add);
    return new Answer(Access.GRANTED, messages, false);
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

  private static boolean isUnexplained(AwsServiceException refusal) {
    boolean isDenial = refusal.statusCode() == 401 || refusal.statusCode() == 403;
    return isDenial && StoreErrors.header(refusal, MINIO_CODE).isEmpty();
  }

  /** Returns the messages, with the likely causes of a refusal that are left. */
  List<String> told(Answer answer, Keys keys) {
    List<String> told = new ArrayList<>(answer.messages());
    if (!answer.isUnexplained() || keys == Keys.WRONG) {
      return told;
    }
    if (keys == Keys.RIGHT) {
      told.add("The credentials need s3:ListBucket on the bucket for this test.");
    } else {
      told.add(
          "If the keys are right, the credentials need s3:ListBucket on the bucket for this test.");
      told.add(
          "If not: the access key id is unknown, or the secret access key or session token does not"
              + " belong to it. The answer to a HEAD does not say which.");
    }
    options
        .bucketOwner()
        .ifPresent(
            owner ->
                told.add(
                    "Or account " + owner + " (expected_bucket_owner) does not own the bucket."));
    return told;
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
    return messages;
  }

  private String elsewhere(Optional<String> home) {
    return "Wrong region: requests are signed for "
        + region
        + ", and bucket "
        + bucket
        + home.map(known -> " is in " + known + ". Set region to it.").orElse(" is elsewhere.");
  }

  /** Returns the words for a request that got no answer. */
  String silent(Exception failure) {
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
    return date.flatMap(BucketLook::instant)
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
