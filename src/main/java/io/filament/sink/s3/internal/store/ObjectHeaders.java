package io.filament.sink.s3.internal.store;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an object says of itself.
 *
 * @param contentType its media type
 * @param contentEncoding how it is compressed as a whole
 * @param metadata user metadata, without {@code x-amz-meta-}; names in lower case, values in
 *     printable ASCII, since HTTP headers carry nothing else safely
 */
public record ObjectHeaders(
    String contentType, Optional<String> contentEncoding, Map<String, String> metadata) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9-]+");

  /** Blanks at the ends get lost on the way. */
  private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]*[!-~])?");

  public ObjectHeaders {
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(contentEncoding, "contentEncoding");
    metadata = Map.copyOf(metadata);
    metadata.forEach(ObjectHeaders::requireSafe);
  }

  private static void requireSafe(String name, String value) {
    if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "user metadata must be printable ASCII, its names in lower case: " + name + "=" + value);
    }
  }
}
