package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** One try of a request that failed, with what the failure promises for another one. */
final class FailedAttempt extends IOException {

  private static final long serialVersionUID = 1L;

  /** S3's codes for an answer that asks for fewer requests, beside status 429 and 503. */
  private static final Set<String> THROTTLING =
      Set.of(
          "SlowDown",
          "Throttling",
          "ThrottlingException",
          "ThrottledException",
          "TooManyRequests",
          "TooManyRequestsException",
          "RequestLimitExceeded",
          "RequestThrottled",
          "BandwidthLimitExceeded");

  private static final Set<String> DAMAGE =
      Set.of("BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch");

  private static final Set<String> CREDENTIALS =
      Set.of(
          "ExpiredToken",
          "ExpiredTokenException",
          "TokenRefreshRequired",
          "InvalidToken",
          "InvalidAccessKeyId");

  /** How Apache's HTTP clients 5 and 4 say that no connection became free in time. */
  private static final Set<String> CROWDED =
      Set.of("ConnectionRequestTimeoutException", "ConnectionPoolTimeoutException");

  private final IOException failure;
  private final Kind kind;

  private FailedAttempt(IOException failure, Kind kind) {
    super(failure.getMessage(), failure);
    this.failure = failure;
    this.kind = kind;
  }

  /** Classifies a failure by the answer, or by what the SDK threw if there was none. */
  static FailedAttempt of(IOException failure, Throwable thrown) {
    return new FailedAttempt(failure, kind(failure, thrown));
  }

  /** Returns the failure of an answer that says success and lacks what it must have. */
  static FailedAttempt unusable(IOException failure) {
    return new FailedAttempt(failure, Kind.UNUSABLE);
  }

  /** Returns what the caller shall see. */
  IOException failure() {
    return failure;
  }

  Kind kind() {
    return kind;
  }

  private static Kind kind(IOException failure, Throwable thrown) {
    if (!(failure instanceof StoreException refusal)) {
      return Kind.FINAL; // an interrupt
    }
    return refusal.statusCode() == 0 ? silence(thrown) : answer(refusal);
  }

  private static Kind silence(Throwable thrown) {
    // The SDK throws the latter if an answer breaks before its first byte.
    if (!(thrown instanceof SdkClientException || thrown instanceof UncheckedIOException)) {
      return Kind.FINAL;
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (isCrowded(cause)) {
        return Kind.CROWDED;
      }
      if (cause instanceof IOException
          || cause instanceof ApiCallAttemptTimeoutException
          || cause instanceof ApiCallTimeoutException
          || cause instanceof RetryableException
          || isFailing(cause)) {
        return Kind.SILENT;
      }
    }
    return Kind.FINAL;
  }

  /** Returns whether who gives out credentials has failed, and may not fail the next time. */
  private static boolean isFailing(Throwable cause) {
    return cause instanceof SdkServiceException refusal && refusal.statusCode() >= 500;
  }

  /** Returns whether all connections of the client were taken. */
  static boolean isCrowded(Throwable cause) {
    return CROWDED.contains(cause.getClass().getSimpleName());
  }

  private static Kind answer(StoreException refusal) {
    int status = refusal.statusCode();
    @Nullable String code = refusal.errorCode();
    if (status == 429 || status == 503 || (code != null && THROTTLING.contains(code))) {
      return Kind.THROTTLED;
    }
    if (code != null && DAMAGE.contains(code)) {
      return Kind.DAMAGED;
    }
    // The answer to a HEAD has no body, so an expired token shows as a bare 400.
    if (code == null
        ? status == 400 && refusal.operation().startsWith("Head")
        : CREDENTIALS.contains(code)) {
      return Kind.CREDENTIALS;
    }
    if ("RequestTimeTooSkewed".equals(code)) {
      return Kind.SKEWED;
    }
    // Of a put S3 says to try again, of an upload to begin it again (S3 API,
    // CompleteMultipartUpload), which can't be done: its bytes are not kept.
    if ("ConditionalRequestConflict".equals(code)
        && refusal.operation().equals("CompleteMultipartUpload")) {
      return Kind.OVERTAKEN;
    }
    boolean passing =
        status < 300
            || status == 408
            // S3 asks to try again after OperationAborted and ConditionalRequestConflict.
            || status == 409
            || (status >= 500 && status != 501)
            || "RequestTimeout".equals(code);
    return passing ? Kind.PASSING : Kind.FINAL;
  }

  /** What a failure promises. */
  enum Kind {
    /** The answer will not change. */
    FINAL(0),
    /** No answer came. */
    SILENT(Integer.MAX_VALUE),
    /** The client had no connection for it. */
    CROWDED(Integer.MAX_VALUE),
    /** The store failed, and may not fail the next time. */
    PASSING(Integer.MAX_VALUE),
    /** The answer is a success and can't be used: cut short, or the store always answers so. */
    UNUSABLE(2),
    /** Another operation on the key came between, perhaps an earlier try of the same request. */
    OVERTAKEN(2),
    /** The store asks for fewer requests. */
    THROTTLED(Integer.MAX_VALUE),
    /** The body was changed on its way. */
    DAMAGED(1),
    /** The credentials have expired or were replaced; the provider may have others. */
    CREDENTIALS(3),
    /** The clocks differ; the SDK has learnt by how much. */
    SKEWED(1);

    private final int tries;

    Kind(int tries) {
      this.tries = tries;
    }

    /** Returns how often at most a request is made again for this reason. */
    int tries() {
      return tries;
    }
  }
}
