package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import java.util.Objects;
import java.util.Set;

/**
 * When a write may be carried out. A store answers status 412 if it may not be (<a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html">S3 User
 * Guide, conditional writes</a>).
 */
public sealed interface Condition {

  /** Whatever is at the key. */
  Condition ALWAYS = new Always();

  /** If nothing is at the key. */
  Condition ABSENT = new Absent();

  /** Returns the condition that the key still has the object of this ETag. */
  static Condition unchanged(String etag) {
    return new Unchanged(etag);
  }

  /** Returns whether a write was refused since its condition doesn't hold. */
  static boolean isUnmet(StoreException refusal) {
    return refusal.statusCode() == 412 || "PreconditionFailed".equals(refusal.errorCode());
  }

  /**
   * Returns whether a request was refused for something that the store doesn't know, as a
   * condition: with 501, by some with 400.
   */
  static boolean isRefused(StoreException refusal) {
    Set<String> unknownHeader = Set.of("NotImplemented", "InvalidArgument", "InvalidRequest");
    return refusal.statusCode() == 501
        || (refusal.statusCode() == 400
            && unknownHeader.contains(String.valueOf(refusal.errorCode())));
  }

  /** See {@link #ALWAYS}. */
  record Always() implements Condition {}

  /** See {@link #ABSENT}. */
  record Absent() implements Condition {}

  /**
   * See {@link #unchanged}.
   *
   * @param etag as the store gave it, quotes included
   */
  record Unchanged(String etag) implements Condition {

    public Unchanged {
      Objects.requireNonNull(etag, "etag");
    }
  }
}
