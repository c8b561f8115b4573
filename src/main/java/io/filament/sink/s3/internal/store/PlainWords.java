package io.filament.sink.s3.internal.store;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/** Says what a refusal means and what to do, by S3's error codes, or by the status without one. */
final class PlainWords {

  private static final Set<String> WRITES =
      Set.of("PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload");

  /** S3's codes for a refusal of who asks, whatever is asked for. */
  private static final Set<String> OF_KEYS =
      Set.of(
          "SignatureDoesNotMatch",
          "InvalidAccessKeyId",
          "ExpiredToken",
          "TokenRefreshRequired",
          "InvalidToken",
          "RequestTimeTooSkewed",
          "RequestExpired");

  /** What a failure that may pass ends with when nobody asks again. */
  static final String STILL = ", still after all retries";

  private static final String UNDER_WAY = "another operation on the key was under way" + STILL;

  private PlainWords() {}

  /** Returns whether a refusal is one of the keys or the clock, so that all requests get it. */
  static boolean isOfKeys(@Nullable String code) {
    return code != null && OF_KEYS.contains(code);
  }

  /** Returns the words for an answer that refuses. */
  static String refusal(
      String operation, int status, @Nullable String code, Optional<String> bucketRegion) {
    return switch (code == null ? "" : code) {
      case "NoSuchBucket" -> "there is no such bucket";
      case "NoSuchKey" -> "there is no such object";
      case "NoSuchUpload" -> "the store does not know this upload (any more)";
      case "AccessDenied", "AllAccessDisabled" -> accessDenied(operation);
      case "InvalidAccessKeyId" -> "the store does not know the access key id";
      case "SignatureDoesNotMatch" ->
          "the signature is wrong: the secret access key does not belong to the access key id, or"
              + " something on the way changed the request";
      case "ExpiredToken", "TokenRefreshRequired" -> "the credentials have expired";
      case "InvalidToken" -> "the session token is not valid";
      case "RequestTimeTooSkewed", "RequestExpired" ->
          "this machine's clock and the store's are too far apart (AWS allows 15 minutes)";
      case "PermanentRedirect",
          "TemporaryRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException" ->
          wrongRegion(bucketRegion);
      case "SlowDown", "ServiceUnavailable", "Throttling", "TooManyRequests" ->
          "the store asks to slow down" + STILL;
      case "PreconditionFailed" -> "there is an object at the key already";
      case "OperationAborted" -> UNDER_WAY;
      case "ConditionalRequestConflict" ->
          operation.equals("CompleteMultipartUpload")
              ? UNDER_WAY + "; S3 wants the upload to be begun again then, so run again"
              : UNDER_WAY;
      case "NotImplemented" -> "the store cannot do this";
      case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch" ->
          "the store computed another checksum: the bytes changed on the way";
      case "EntityTooSmall" -> "a part before the last is smaller than the store allows (5 MiB)";
      case "EntityTooLarge" -> "more bytes than the store allows";
      case "InvalidPart", "InvalidPartOrder" -> "the store holds other parts than were sent";
      case "AccessControlListNotSupported" ->
          "the bucket takes no ACLs (its objects belong to its owner): leave acl out, or set it to"
              + " bucket-owner-full-control";
      case "KeyTooLongError" -> "the key is longer than the store allows (1024 bytes)";
      default ->
          code != null && code.startsWith("KMS.")
              ? "the KMS key of the bucket cannot be used"
              : refusal(operation, status, bucketRegion);
    };
  }

  private static String refusal(String operation, int status, Optional<String> bucketRegion) {
    return switch (status) {
      case 301, 302, 307, 308 -> wrongRegion(bucketRegion);
      case 401, 403 ->
          accessDenied(operation)
              + "; or the keys are wrong, or this machine's clock is: the answer does not say which";
      case 404 -> "there is no such bucket, object or upload";
      case 409 -> "another operation was under way" + STILL;
      case 412 -> "there is an object at the key already";
      case 429, 503 -> "the store asks to slow down" + STILL;
      case 501 -> "the store cannot do this";
      default -> status >= 500 ? "the store failed" + STILL : "the store refused this";
    };
  }

  /**
   * Returns the words for the right that an operation needs (S3 User Guide, required permissions).
   */
  static String accessDenied(String operation) {
    return "access denied: the credentials need "
        + switch (operation) {
          case "AbortMultipartUpload" -> "s3:AbortMultipartUpload on this key";
          case "DeleteObject" ->
              "s3:DeleteObjectVersion on this key (s3:DeleteObject where the store has no versions)";
          case "ListMultipartUploads" -> "s3:ListBucketMultipartUploads on the bucket";
          case "ListParts" -> "s3:ListMultipartUploadParts on this key";
          case "GetBucketLifecycleConfiguration" -> "s3:GetLifecycleConfiguration on the bucket";
          case "HeadBucket" -> "s3:ListBucket on the bucket";
          case "HeadObject" ->
              "s3:GetObject on this key and s3:ListBucket on the bucket (without it, a key without"
                  + " an object is refused, too)";
          default ->
              "s3:PutObject on this key (if a KMS key encrypts the bucket, kms:GenerateDataKey and"
                  + " kms:Decrypt on that key, too)";
        };
  }

  /**
   * Returns the words for what else may be wrong where requests have these options, or nothing. S3
   * gives the same answer for a missing right and for another owner (S3 User Guide, bucket owner
   * condition), and 400 or 403 for a customer's key that does not fit (SSE-C).
   */
  static String hint(String operation, int status, ObjectOptions options) {
    boolean denied = status == 403;
    StringBuilder hint = new StringBuilder();
    if (denied && options.bucketOwner().isPresent()) {
      hint.append("; or account ")
          .append(options.bucketOwner().get())
          .append(" (expected_bucket_owner) does not own the bucket");
    }
    if (denied && options.encryption().isKms() && WRITES.contains(operation)) {
      hint.append("; with server_side_encryption ")
          .append(options.encryption().algorithm().orElse(""))
          .append(" a write needs kms:GenerateDataKey and kms:Decrypt on ")
          .append(
              options.encryption().kmsKeyId().map("the key "::concat).orElse("the bucket's key"))
          .append(", also where another account owns it");
    }
    if ((denied || status == 400)
        && options.encryption().customerKey().isPresent()
        && (WRITES.contains(operation) || operation.equals("HeadObject"))) {
      hint.append(
              "; sse_customer_key is set: it needs https, a store and a bucket that allow SSE-C,")
          .append(" and the key that the object or upload was begun with");
    }
    return hint.toString();
  }

  /** Returns the words for a bucket that is elsewhere. */
  static String wrongRegion(Optional<String> bucketRegion) {
    return bucketRegion
        .map(region -> "wrong region: the bucket is in " + region + "; set region to it")
        .orElse("wrong region or endpoint: the bucket is elsewhere");
  }

  /**
   * Returns the status that an error code has. S3 may begin an answer with 200 while it still
   * works, and then send an error (S3 API, CompleteMultipartUpload).
   */
  static int status(int sent, @Nullable String code) {
    if (sent >= 300) {
      return sent;
    }
    return switch (code == null ? "" : code) {
      case "PreconditionFailed" -> 412;
      case "ConditionalRequestConflict", "OperationAborted" -> 409;
      case "NoSuchUpload", "NoSuchBucket", "NoSuchKey" -> 404;
      case "AccessDenied" -> 403;
      case "BadDigest", "EntityTooSmall", "InvalidPart", "InvalidPartOrder", "InvalidRequest" ->
          400;
      case "SlowDown", "ServiceUnavailable" -> 503;
      default -> 500;
    };
  }

  /** Returns the words for a request that got no answer. */
  static String silence(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String said = String.valueOf(cause.getMessage());
      if (said.startsWith(RoleCredentials.FAILED)) {
        return said;
      }
      if (FailedAttempt.isCrowded(cause)) {
        return "no connection of the client became free in time; give it more connections, or set a"
            + " smaller upload_concurrency: "
            + said;
      }
      if (cause instanceof UnknownHostException) {
        return "the host is unknown (DNS): " + said;
      } else if (cause instanceof SSLException) {
        return "no TLS connection (certificate, protocol, or http where https was meant): " + said;
      } else if (cause instanceof ConnectException) {
        return "nothing accepts connections there: " + said;
      } else if (cause instanceof SocketTimeoutException
          || cause instanceof ApiCallAttemptTimeoutException
          || cause instanceof ApiCallTimeoutException) {
        return "no answer in time: " + said;
      } else if (said.startsWith("Unable to load credentials")) {
        return "no credentials were found in the environment, the AWS profile, a web identity, or"
            + " the machine's or container's role";
      } else if (cause instanceof RejectedExecutionException
          || said.contains("Connection pool shut down")) {
        return "the client was closed";
      }
    }
    return "no usable answer: " + failure.getMessage();
  }
}
