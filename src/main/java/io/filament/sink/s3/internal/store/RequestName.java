package io.filament.sink.s3.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * What a request asks for.
 *
 * @param operation S3's name of the operation
 * @param bucket the bucket's name or access-point ARN
 * @param key null for an operation on the bucket
 */
record RequestName(String operation, String bucket, @Nullable String key) {

  @Override
  public String toString() {
    return operation + " s3://" + bucket + (key == null ? "" : "/" + key);
  }
}
