package io.filament.sink.s3.internal.publish;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunManifest;
import io.filament.sink.s3.internal.store.StoreProfile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;

/**
 * A manifest's bytes, made entry by entry as they are read: the manifest of many resources never
 * stands in memory as a whole. Used by one thread.
 */
final class ManifestStream extends InputStream {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  /** Entries are made until there are so many bytes. */
  private static final int PIECE_BYTES = 8 << 10;

  private final RunManifest manifest;
  private final Instant startedAt;
  private final ObjectFormat format;
  private final StoreProfile store;
  private final Piece piece = new Piece();
  private final JsonGenerator json;
  private int entry = -1;
  private int position;

  /**
   * @param startedAt when the run started
   * @param format how its objects are encoded
   * @param store how the store was made to check them
   */
  ManifestStream(RunManifest manifest, Instant startedAt, ObjectFormat format, StoreProfile store) {
    this.manifest = manifest;
    this.startedAt = startedAt;
    this.format = format;
    this.store = store;
    try {
      this.json = JSON.createGenerator(piece);
    } catch (IOException e) {
      throw new IllegalStateException("can't happen: the bytes go to memory", e);
    }
  }

  @Override
  public int read() throws IOException {
    return hasMore() ? piece.bytes()[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int some = Math.min(count, piece.size() - position);
    System.arraycopy(piece.bytes(), position, target, offset, some);
    position += some;
    return some;
  }

  /** Makes the next piece if this one has been read, and returns whether there are bytes. */
  private boolean hasMore() throws IOException {
    if (position < piece.size()) {
      return true;
    }
    piece.reset();
    position = 0;
    int last = manifest.resources().size();
    while (piece.size() < PIECE_BYTES && entry <= last) {
      if (entry < 0) {
        begin();
      } else if (entry < last) {
        write(manifest.resources().get(entry));
      } else {
        end();
      }
      entry++;
      json.flush();
    }
    return piece.size() > 0;
  }

  private void begin() throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", manifest.version());
    json.writeStringField("run", manifest.run());
    json.writeArrayFieldStart("resources");
  }

  private void write(RunManifest.Entry resource) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", resource.name());
    json.writeStringField("key", resource.key());
    json.writeStringField("uri", resource.uri());
    json.writeNumberField("rows", resource.rows());
    json.writeNumberField("bytes", resource.bytes());
    json.writeStringField("crc32c", resource.crc32c());
    json.writeEndObject();
  }

  private void end() throws IOException {
    json.writeEndArray();
    json.writeStringField("startedAt", startedAt.toString());
    json.writeStringField("format", format.format().label());
    json.writeStringField("compression", format.compression().label());
    json.writeObjectFieldStart("store");
    json.writeStringField("checksums", store.checksums().label());
    json.writeStringField("found", store.found().label());
    json.writeStringField("conditionalPuts", store.conditionalPuts().label());
    json.writeStringField("conditionalCompletes", store.conditionalCompletes().label());
    json.writeEndObject();
    json.writeEndObject();
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  /** Lets its bytes be read where they are. */
  private static final class Piece extends ByteArrayOutputStream {

    byte[] bytes() {
      return buf;
    }
  }
}
