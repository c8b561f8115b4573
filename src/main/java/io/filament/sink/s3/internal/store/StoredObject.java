package io.filament.sink.s3.internal.store;

import java.time.Instant;
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
 * @param version which of the objects at its key it is, if the store tells
 */
public record StoredObject(
    long length,
    Optional<Crc32c> crc32c,
    Optional<CompositeCrc32c> composite,
    Optional<Md5Etag> etag,
    Map<String, String> metadata,
    Optional<Version> version) {

  public StoredObject {
    Objects.requireNonNull(crc32c, "crc32c");
    Objects.requireNonNull(composite, "composite");
    Objects.requireNonNull(etag, "etag");
    Objects.requireNonNull(version, "version");
    metadata = Map.copyOf(metadata);
  }

  /**
   * Tells objects at one key apart.
   *
   * @param etag as the store gave it
   * @param lastModified when it was put or completed, by the store's clock, in whole seconds
   */
  public record Version(String etag, Instant lastModified) {

    public Version {
      Objects.requireNonNull(etag, "etag");
      Objects.requireNonNull(lastModified, "lastModified");
    }
  }
}
