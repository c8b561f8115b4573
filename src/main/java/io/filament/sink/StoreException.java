package io.filament.sink;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that the store refused, or that got no answer, for good: retries are spent or would not
 * help.
 */
public final class StoreException extends SinkException {

  private static final long serialVersionUID = 1L;

  private final Request request;
  private final Answer answer;

  /**
   * @param problem what went wrong, in plain words, without operation, bucket and key: the message
   *     gets them from {@code request}
   */
  public StoreException(Request request, Answer answer, String problem, @Nullable Throwable cause) {
    super(message(request, answer, problem), cause);
    this.request = request;
    this.answer = answer;
  }

  /** Returns the S3 operation, as {@code UploadPart}. */
  public String operation() {
    return request.operation();
  }

  /** Returns the bucket's name or access-point ARN. */
  public String bucket() {
    return request.bucket();
  }

  /** Returns the raw key, or null for an operation on the bucket. */
  public @Nullable String key() {
    return request.key();
  }

  /** Returns the HTTP status, or 0 if no answer came. */
  public int statusCode() {
    return answer.statusCode();
  }

  /** Returns the store's error code, as {@code SlowDown}, or null if it gave none. */
  public @Nullable String errorCode() {
    return answer.errorCode();
  }

  /** Returns the store's id of the request, or null if it gave none. */
  public @Nullable String requestId() {
    return answer.requestId();
  }

  private static String message(Request request, Answer answer, String problem) {
    StringBuilder text = new StringBuilder(request.operation());
    text.append(" s3://").append(request.bucket());
    if (request.key() != null) {
      text.append('/').append(request.key());
    }
    text.append(": ").append(problem);
    if (answer.statusCode() == 0) {
      text.append(" (no answer)");
    } else {
      text.append(" (status ").append(answer.statusCode());
      if (answer.errorCode() != null) {
        text.append(", ").append(answer.errorCode());
      }
      if (answer.requestId() != null) {
        text.append(", request ").append(answer.requestId());
      }
      text.append(')');
    }
    return text.toString();
  }

  /**
   * What was asked.
   *
   * @param operation the S3 operation, as {@code UploadPart}
   * @param bucket the bucket's name or access-point ARN
   * @param key the raw key, or null for an operation on the bucket
   */
  public record Request(String operation, String bucket, @Nullable String key)
      implements java.io.Serializable {

    private static final long serialVersionUID = 1L;

    public Request {
      Objects.requireNonNull(operation, "operation");
      Objects.requireNonNull(bucket, "bucket");
    }
  }

  /**
   * What came back.
   *
   * @param statusCode the HTTP status, or 0 if no answer came
   * @param errorCode the store's error code, or null
   * @param requestId the store's id of the request, or null
   */
  public record Answer(int statusCode, @Nullable String errorCode, @Nullable String requestId)
      implements java.io.Serializable {

    private static final long serialVersionUID = 1L;

    /** No answer came. */
    public static final Answer NONE = new Answer(0, null, null);
  }
}
