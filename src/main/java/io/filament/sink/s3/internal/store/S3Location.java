package io.filament.sink.s3.internal.store;

import java.util.Objects;

/**
 * Where an object is.
 *
 * @param bucket the bucket's name or access-point ARN
 * @param key the raw key: nothing in it is escaped
 */
public record S3Location(String bucket, String key) {

  public S3Location {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(key, "key");
  }

  /** Returns {@code s3://bucket/} and the raw key. */
  public String uri() {
    return "s3://" + bucket + "/" + key;
  }
}
