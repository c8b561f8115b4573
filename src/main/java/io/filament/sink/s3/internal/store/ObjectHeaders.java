package io.filament.sink.s3.internal.store;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

  public ObjectHeaders {
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(contentEncoding, "contentEncoding");
    metadata = Map.copyOf(metadata);
  }
}
