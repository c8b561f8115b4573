package io.filament.sink.s3.internal.object;

import io.filament.sink.ObjectFormat;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import java.util.Objects;

/**
 * Describes one object that is to be written.
 *
 * @param resource the resource's name
 * @param schema the fields of its records
 * @param format how they are encoded
 * @param key where the object goes
 * @param headers what the object says of itself
 */
public record ObjectSpec(
    String resource, Schema schema, ObjectFormat format, String key, ObjectHeaders headers) {

  public ObjectSpec {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(headers, "headers");
  }

  /** Returns how messages name the object. */
  public String title(String bucket) {
    return "\"%s\" (s3://%s/%s)".formatted(resource, bucket, key);
  }
}
