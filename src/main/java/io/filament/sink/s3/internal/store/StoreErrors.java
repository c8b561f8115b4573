package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.S3Client;

/** Turns what the SDK throws into the sink's exceptions. */
final class StoreErrors {

  private static final String BUCKET_REGION = "x-amz-bucket-region";
  private static final int LONGEST_QUOTE = 400;

  private final String bucket;
  private final String place;
  private final Secrets secrets;
  private final ObjectOptions options;

  /**
   * @param place where requests go, as {@link #place} tells it
   */
  StoreErrors(String bucket, String place, Secrets secrets, ObjectOptions options) {
    this.bucket = bucket;
    this.place = place;
    this.secrets = secrets;
    this.options = options;
  }

  /** Returns the same for requests with these options. */
  StoreErrors with(ObjectOptions other) {
    return new StoreErrors(bucket, place, secrets.and(other), other);
  }

  /** Returns where a client's requests go. */
  static String place(S3Client client) {
    return client
        .serviceClientConfiguration()
        .endpointOverride()
        .map(StoreErrors::address)
        .orElse("AWS");
  }

  /** Leaves out what else a URL may hold: a user's name and password, for one. */
  static String address(URI endpoint) {
    String port = endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
    return endpoint.getScheme() + "://" + endpoint.getHost() + port;
  }

  /**
   * Returns what to throw. An interrupt sets the thread's flag again.
   *
   * @param key null for an operation on the bucket
   */
  IOException of(String operation, @Nullable String key, RuntimeException failure) {
    Request request = new Request(operation, bucket, key);
    if (failure instanceof AwsServiceException refusal) {
      return refusal(request, refusal);
    }
    if (interrupted(failure)) {
      return interruption(request, failure);
    }
    return new StoreException(
        request, Answer.NONE, secrets.mask(PlainWords.silence(failure)), secrets.mask(failure));
  }

  /** An answer came, but nothing can be learnt from it: the request may have been carried out. */
  StoreException unusable(String operation, @Nullable String key, String problem) {
    return new StoreException(
        new Request(operation, bucket, key), Answer.NONE, "no usable answer: " + problem, null);
  }

  private StoreException refusal(Request request, AwsServiceException refusal) {
    Optional<AwsErrorDetails> details = Optional.ofNullable(refusal.awsErrorDetails());
    String code = details.map(AwsErrorDetails::errorCode).map(this::quote).orElse(null);
    Answer answer =
        new Answer(
            PlainWords.status(refusal.statusCode(), code),
            code,
            Optional.ofNullable(refusal.requestId()).map(this::quote).orElse(null));
    String words =
        PlainWords.refusal(request.operation(), answer.statusCode(), code, region(refusal))
            + ("NoSuchBucket".equals(code) ? " at " + place : "")
            + PlainWords.hint(request.operation(), answer.statusCode(), options);
    String quoted =
        details
            .map(AwsErrorDetails::errorMessage)
            .map(this::quote)
            .filter(text -> !text.isBlank())
            .map(text -> "; the store says: " + text)
            .orElse("");
    return new StoreException(request, answer, words + quoted, secrets.mask(refusal));
  }

  /** Returns the region that the bucket is in, where the store tells it. */
  static Optional<String> region(AwsServiceException refusal) {
    return header(refusal, BUCKET_REGION);
  }

  static Optional<String> header(AwsServiceException refusal, String name) {
    return Optional.ofNullable(refusal.awsErrorDetails())
        .map(AwsErrorDetails::sdkHttpResponse)
        .flatMap(answer -> answer.firstMatchingHeader(name));
  }

  /** Makes a store's text safe for a message: no secret, one line, not endless. */
  private String quote(String text) {
    String line = secrets.mask(text).replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() > LONGEST_QUOTE ? line.substring(0, LONGEST_QUOTE) + "…" : line;
  }

  /** Tells whether no answer came because this thread was interrupted. */
  static boolean interrupted(Throwable failure) {
    if (Thread.currentThread().isInterrupted()) {
      return true; // An answer that was broken off can look like one that can't be read.
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InterruptedException || cause instanceof AbortedException) {
        return true;
      }
    }
    return false;
  }

  private InterruptedIOException interruption(Request request, RuntimeException failure) {
    Thread.currentThread().interrupt();
    String place = request.key() == null ? bucket : bucket + "/" + request.key();
    InterruptedIOException interruption =
        new InterruptedIOException(request.operation() + " s3://" + place + ": interrupted");
    interruption.initCause(secrets.mask(failure));
    return interruption;
  }
}
