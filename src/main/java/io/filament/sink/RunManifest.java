package io.filament.sink;

import java.util.List;
import java.util.Objects;

/**
 * The list of a committed run's objects. A run is valid if and only if its manifest exists.
 *
 * @param version the version of the manifest's format, 1
 * @param run the run id
 * @param resources one entry an object, ordered by key as S3 lists keys (by their UTF-8 bytes)
 * @param uri where the manifest is, as {@code s3://bucket/key}
 */
public record RunManifest(int version, String run, List<Entry> resources, String uri) {

  public RunManifest {
    Objects.requireNonNull(run, "run");
    Objects.requireNonNull(uri, "uri");
    resources = List.copyOf(resources);
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1: " + version);
    }
  }

  /**
   * One object of the run.
   *
   * @param name the resource's name
   * @param key the object's key, raw: nothing in it is escaped
   * @param uri {@code s3://bucket/} and the raw key
   * @param rows the number of records in the object
   * @param bytes the object's size, after compression
   * @param crc32c the CRC-32C of the object's bytes, 8 lower-case hex digits
   */
  public record Entry(String name, String key, String uri, long rows, long bytes, String crc32c) {

    public Entry {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(uri, "uri");
      if (rows < 0 || bytes < 0) {
        throw new IllegalArgumentException(
            "rows and bytes must not be negative: " + rows + ", " + bytes);
      }
      if (!crc32c.matches("[0-9a-f]{8}")) {
        throw new IllegalArgumentException(
            "crc32c must have 8 lower-case hex digits: \"" + crc32c + "\"");
      }
    }
  }
}
