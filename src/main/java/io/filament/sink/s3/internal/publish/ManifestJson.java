package io.filament.sink.s3.internal.publish;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunManifest;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.StoreProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * The manifest as JSON, both ways. Fields may be added to the format; none is renamed or removed,
 * and readers skip what they don't know.
 */
public final class ManifestJson {

  /** The version that is written. */
  public static final int VERSION = 1;

  private static final JsonFactory JSON = JsonFactory.builder().build();

  private ManifestJson() {}

  /**
   * Returns a manifest's bytes, which depend on these values alone and are made as they are read.
   *
   * @param startedAt when the run started
   * @param format how its objects are encoded
   * @param store how the store was made to check them
   */
  static Body body(
      RunManifest manifest, Instant startedAt, ObjectFormat format, StoreProfile store) {
    Supplier<InputStream> content = () -> new ManifestStream(manifest, startedAt, format, store);
    CRC32C crc32c = new CRC32C();
    long length = 0;
    byte[] some = new byte[8 << 10];
    try (InputStream in = content.get()) {
      for (int count = in.read(some); count >= 0; count = in.read(some)) {
        crc32c.update(some, 0, count);
        length += count;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't happen: the bytes come from memory", e);
    }
    return new Body(content, length, Crc32c.of(crc32c));
  }

  /**
   * Reads a manifest.
   *
   * @param uri where it was read, as {@code s3://bucket/key}
   * @throws IOException if it is no manifest of version 1; the message names {@code uri} and what
   *     is missing
   */
  public static RunManifest read(byte[] bytes, String uri) throws IOException {
    try {
      return parsed(bytes, uri);
    } catch (JacksonException e) {
      throw new IOException(uri + " is no manifest: " + e.getOriginalMessage(), e);
    }
  }

  private static RunManifest parsed(byte[] bytes, String uri) throws IOException {
    Map<String, Object> values = new HashMap<>();
    List<RunManifest.Entry> entries = new ArrayList<>();
    try (JsonParser json = JSON.createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException(uri + " is no manifest: it doesn't begin with an object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        if (name.equals("resources") && json.currentToken() == JsonToken.START_ARRAY) {
          values.put(name, entries);
          while (json.nextToken() == JsonToken.START_OBJECT) {
            entries.add(entry(scalars(json), uri));
          }
        } else {
          put(values, name, json);
        }
      }
    }
    long version = number(values, "version", uri);
    if (version != VERSION) {
      throw new IOException(
          "%s has manifest version %d; this reads version %d".formatted(uri, version, VERSION));
    }
    if (!values.containsKey("resources")) {
      throw new IOException(uri + " is no manifest: it has no \"resources\"");
    }
    return new RunManifest((int) version, text(values, "run", uri), entries, uri);
  }

  private static RunManifest.Entry entry(Map<String, Object> values, String uri)
      throws IOException {
    try {
      return new RunManifest.Entry(
          text(values, "name", uri),
          text(values, "key", uri),
          text(values, "uri", uri),
          number(values, "rows", uri),
          number(values, "bytes", uri),
          text(values, "crc32c", uri));
    } catch (IllegalArgumentException e) {
      throw new IOException(uri + " is no manifest: " + e.getMessage(), e);
    }
  }

  /** Reads the object that has begun and keeps its strings and whole numbers. */
  private static Map<String, Object> scalars(JsonParser json) throws IOException {
    Map<String, Object> values = new HashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      put(values, name, json);
    }
    return values;
  }

  private static void put(Map<String, Object> values, String name, JsonParser json)
      throws IOException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      values.put(name, json.getText());
    } else if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      values.put(name, json.getLongValue());
    } else {
      json.skipChildren();
    }
  }

  private static String text(Map<String, Object> values, String name, String uri)
      throws IOException {
    if (values.get(name) instanceof String text) {
      return text;
    }
    throw new IOException(uri + " is no manifest: it has no text \"" + name + "\"");
  }

  private static long number(Map<String, Object> values, String name, String uri)
      throws IOException {
    if (values.get(name) instanceof Long number) {
      return number;
    }
    throw new IOException(uri + " is no manifest: it has no whole number \"" + name + "\"");
  }
}
