package io.filament.sink.s3;

import io.filament.sink.RunManifest;
import io.filament.sink.s3.internal.publish.ManifestJson;
import java.io.IOException;
import java.util.Objects;

/** Reads what a committed run has published. Any thread may call. */
public final class ManifestReader {

  private ManifestReader() {}

  /**
   * Reads a manifest, of any sink of this library. Fields that it doesn't know are skipped, so a
   * later version may have written it.
   *
   * @param json the whole content of a {@code _SUCCESS.json}
   * @param uri where it was read, as {@code s3://bucket/key}; the manifest's {@code uri} then
   * @return the same as {@code commit} has returned
   * @throws IOException if it is no manifest of version 1, or is cut short; the message names
   *     {@code uri} and what is wrong
   */
  public static RunManifest read(byte[] json, String uri) throws IOException {
    return ManifestJson.read(
        Objects.requireNonNull(json, "json"), Objects.requireNonNull(uri, "uri"));
  }
}
