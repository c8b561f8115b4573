package io.filament.sink.s3.internal.publish;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunManifest;
import io.filament.sink.s3.internal.store.StoreProfile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The manifest as JSON, both ways. Fields may be added to the format; none is renamed or removed,
 * and readers skip what they don't know.
 */
public final class ManifestJson {

  /** The version that is written. */
  public static final int VERSION = 1;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  private ManifestJson() {}

  /**
   * Returns a manifest's bytes, which depend on these values alone.
   *
   * @param startedAt when the run started
   * @param format how its objects are encoded
   * @param store how the store was made to check them
   */
  static byte[] write(
      RunManifest manifest, Instant startedAt, ObjectFormat format, StoreProfile store) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("version", manifest.version());
      json.writeStringField("run", manifest.run());
      json.writeArrayFieldStart("resources");
      for (RunManifest.Entry entry : manifest.resources()) {
        json.writeStartObject();
        json.writeStringField("name", entry.name());
        json.writeStringField("key", entry.key());
        json.writeStringField("uri", entry.uri());
        json.writeNumberField("rows", entry.rows());
        json.writeNumberField("bytes", entry.bytes());
        json.writeStringField("crc32c", entry.crc32c());
        json.writeEndObject();
      }
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
    } catch (IOException e) {
      throw new UncheckedIOException("can't happen: the bytes go to memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a manifest.
   *
   * @param uri where it was read, as {@code s3://bucket/key}
   * @throws IOException if it is no manifest of version 1; the message names {@code uri} and what
   *     is missing
   */
  public static RunManifest read(byte[] bytes, String uri) throws IOException {
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
