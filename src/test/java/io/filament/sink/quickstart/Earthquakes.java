package io.filament.sink.quickstart;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A week of earthquakes, from a GeoJSON file: times, nulls, a struct, a list, JSON as it came. */
final class Earthquakes implements DataSet {

  private static final Schema LOCATION =
      Schema.builder()
          .required("longitude", FieldType.FLOAT64)
          .required("latitude", FieldType.FLOAT64)
          .required("depth_km", FieldType.FLOAT64)
          .build();

  private static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.STRING)
          .required("time", FieldType.TIMESTAMPTZ)
          .required("updated", FieldType.TIMESTAMPTZ)
          .nullable("magnitude", FieldType.decimal(4, 2))
          .nullable("place", FieldType.STRING)
          .nullable("felt", FieldType.INT32)
          .nullable("alert", FieldType.STRING)
          .required("tsunami", FieldType.BOOLEAN)
          .required("location", FieldType.struct(LOCATION))
          .required("products", FieldType.list(FieldType.STRING))
          .required("properties", FieldType.JSON)
          .build();

  private final JsonFactory json = new JsonFactory();

  @Override
  public String resource() {
    return "earthquakes";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public List<Reading> readings() {
    return List.of(
        Reading.shown("id", "id", row -> row[0]),
        Reading.shown("time", "\"time\"", row -> row[1]),
        Reading.compared("updated", "updated", row -> row[2]),
        Reading.shown("magnitude", "CAST(magnitude AS DECIMAL(4, 2))", row -> row[3]),
        Reading.compared("place", "place", row -> row[4]),
        Reading.shown("felt", "CAST(felt AS INTEGER)", row -> row[5]),
        Reading.compared("alert", "alert", row -> row[6]),
        Reading.compared("tsunami", "tsunami", row -> row[7]),
        Reading.compared("location.longitude", "location.longitude", row -> location(row)[0]),
        Reading.compared("location.latitude", "location.latitude", row -> location(row)[1]),
        Reading.shown("location.depth_km", "location.depth_km", row -> location(row)[2]),
        Reading.shown("products[1]", "products[1]", row -> ((List<?>) row[9]).get(0)),
        Reading.compared("products", "array_to_string(products, ',')", Earthquakes::products),
        Reading.compared("properties", "CAST(properties AS JSON)->>'title'", this::title));
  }

  @Override
  public void forEachRow(RowConsumer consumer) throws IOException {
    try (Reader reader = DataSet.open("earthquakes.json");
        JsonParser parser = json.createParser(reader)) {
      toFeatures(parser);
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        consumer.accept(row(parser));
      }
    }
  }

  /** Stands on the array's start afterwards. */
  private static void toFeatures(JsonParser parser) throws IOException {
    parser.nextToken();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      parser.nextToken();
      if (parser.currentName().equals("features")) {
        return;
      }
      parser.skipChildren();
    }
    throw new IOException("earthquakes.json has no features");
  }

  private @Nullable Object[] row(JsonParser parser) throws IOException {
    Map<?, ?> properties = Map.of();
    String propertiesText = "";
    List<?> coordinates = List.of();
    String id = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "id" -> id = parser.getText();
        case "geometry" -> coordinates = (List<?>) ((Map<?, ?>) value(parser)).get("coordinates");
        case "properties" -> {
          propertiesText = copy(parser);
          properties = parsed(propertiesText);
        }
        default -> parser.skipChildren();
      }
    }
    BigDecimal felt = (BigDecimal) properties.get("felt");
    return new Object[] {
      id,
      instant(properties.get("time")),
      instant(properties.get("updated")),
      properties.get("mag"),
      properties.get("place"),
      felt == null ? null : felt.intValueExact(),
      properties.get("alert"),
      BigDecimal.ONE.compareTo((BigDecimal) properties.get("tsunami")) == 0,
      coordinates.stream().map(number -> ((BigDecimal) number).doubleValue()).toArray(),
      products((String) properties.get("types")),
      propertiesText
    };
  }

  private static Instant instant(Object epochMillis) {
    return Instant.ofEpochMilli(((BigDecimal) epochMillis).longValueExact());
  }

  /** Splits a list that has a comma before, between and behind its elements. */
  private static List<String> products(String types) {
    return List.of(types.substring(1, types.length() - 1).split(",", -1));
  }

  private static Object[] location(Object[] row) {
    return (Object[]) row[8];
  }

  private static String products(Object[] row) {
    return ((List<?>) row[9]).stream().map(Object::toString).collect(Collectors.joining(","));
  }

  private @Nullable Object title(Object[] row) {
    return parsed((String) row[10]).get("title");
  }

  private String copy(JsonParser parser) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = json.createGenerator(text)) {
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  private Map<?, ?> parsed(String object) {
    try (JsonParser parser = json.createParser(object)) {
      parser.nextToken();
      return (Map<?, ?>) value(parser);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads the value that the parser stands on; numbers keep all digits. */
  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }
}
