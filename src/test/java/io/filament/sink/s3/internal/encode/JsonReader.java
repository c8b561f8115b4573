package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON strictly: objects as maps in their order, arrays as lists, numbers as {@link
 * JsonNumber}. Repeated names are refused.
 */
final class JsonReader {

  private static final JsonFactory FACTORY =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private JsonReader() {}

  /** The text of a number. */
  record JsonNumber(String text) {}

  /** Reads all values that stand one after the other. */
  static List<Object> readAll(byte[] json) {
    List<Object> values = new ArrayList<>();
    try (JsonParser parser = FACTORY.createParser(json)) {
      while (parser.nextToken() != null) {
        values.add(value(parser));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IOException("not expected: " + parser.currentToken());
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    return object;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }
}
