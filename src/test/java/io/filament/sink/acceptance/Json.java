package io.filament.sink.acceptance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict reader of JSON: maps in their order, lists, texts, exact decimals, booleans, nulls. */
final class Json {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNumberLength(1_000_000).build())
          .build();

  private Json() {}

  /** Returns the one value that this text is. */
  static Object parse(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new AssertionError("more than one value: " + text);
      }
      return value;
    } catch (IOException e) {
      throw new AssertionError("no JSON: " + text, e);
    }
  }

  @SuppressWarnings("unchecked") // an object is read as such a map
  static Map<String, Object> object(String text) {
    return (Map<String, Object>) parse(text);
  }

  /** Returns the objects of this array. */
  @SuppressWarnings("unchecked") // each element is checked to be such a map
  static List<Map<String, Object>> objects(Object array) {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (Object element : (List<?>) array) {
      if (!(element instanceof Map)) {
        throw new AssertionError("no object: " + element);
      }
      objects.add((Map<String, Object>) element);
    }
    return objects;
  }

  /** Returns the lines of an NDJSON object, without their ends; the last one must have its own. */
  static List<String> lines(byte[] ndjson) {
    String text = utf8(ndjson);
    if (text.isEmpty()) {
      return List.of();
    }
    if (!text.endsWith("\n")) {
      throw new AssertionError("the last line has no end: " + text);
    }
    return List.of(text.substring(0, text.length() - 1).split("\n", -1));
  }

  /** Returns the records of an NDJSON object. */
  static List<Map<String, Object>> records(byte[] ndjson) {
    return lines(ndjson).stream().map(Json::object).toList();
  }

  /** Returns the text; bytes that are not UTF-8 are an error. */
  static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("not UTF-8", e);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new AssertionError("no value");
    }
    return switch (token) {
      case START_OBJECT -> members(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new BigDecimal(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("unexpected " + token);
    };
  }

  private static Map<String, Object> members(JsonParser parser) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static List<Object> elements(JsonParser parser) throws IOException {
    List<Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }
}
