package io.filament.sink.s3.internal.store;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the store says of an object.
 *
 * @param length its size
 * @param crc32c the checksum of the whole object, if the store gives one
 * @param composite the checksum of its parts' checksums, if the store gives one
 * @param etag its ETag, if the store gives no checksums ({@link ChecksumLevel#NONE}) and the ETag
 *     looks like one of MD5s
 * @param metadata its user metadata, names in lower case
 */
public record StoredObject(
    long length,
    Optional<Crc32c> crc32c,
    Optional<CompositeCrc32c> composite,
    Optional<Md5Etag> etag,
    Map<String, String> metadata) {

  public StoredObject {
    Objects.requireNonNull(crc32c, "crc32c");
    Objects.requireNonNull(composite, "composite");
    Objects.requireNonNull(etag, "etag");
    metadata = Map.copyOf(metadata);
  }
}
