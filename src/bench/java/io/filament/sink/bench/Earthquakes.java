package io.filament.sink.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.ListType;
import io.filament.sink.FieldType.Primitive;
import io.filament.sink.FieldType.StructType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The 1,707 earthquakes of the quickstart, over and over: nested records, as GeoJSON has them. */
final class Earthquakes {

  private static final File FILE = new File("src/test/resources/quickstart/earthquakes.json");

  private static final Schema PROPERTIES =
      Schema.builder()
          .required("mag", FieldType.FLOAT64)
          .required("place", FieldType.STRING)
          .required("time", FieldType.TIMESTAMPTZ)
          .required("updated", FieldType.TIMESTAMPTZ)
          .required("tz", FieldType.INT32)
          .required("url", FieldType.STRING)
          .required("detail", FieldType.STRING)
          .nullable("felt", FieldType.INT32)
          .nullable("cdi", FieldType.FLOAT64)
          .nullable("mmi", FieldType.FLOAT64)
          .nullable("alert", FieldType.STRING)
          .required("status", FieldType.STRING)
          .required("tsunami", FieldType.INT32)
          .required("sig", FieldType.INT32)
          .required("net", FieldType.STRING)
          .required("code", FieldType.STRING)
          .required("ids", FieldType.STRING)
          .required("sources", FieldType.STRING)
          .required("types", FieldType.STRING)
          .nullable("nst", FieldType.INT32)
          .nullable("dmin", FieldType.FLOAT64)
          .nullable("rms", FieldType.FLOAT64)
          .nullable("gap", FieldType.FLOAT64)
          .required("magType", FieldType.STRING)
          .required("type", FieldType.STRING)
          .required("title", FieldType.STRING)
          .build();

  private static final Schema GEOMETRY =
      Schema.builder()
          .required("type", FieldType.STRING)
          .required("coordinates", FieldType.list(FieldType.FLOAT64))
          .build();

  private static final Schema SCHEMA =
      Schema.builder()
          .required("type", FieldType.STRING)
          .required("properties", FieldType.struct(PROPERTIES))
          .required("geometry", FieldType.struct(GEOMETRY))
          .required("id", FieldType.STRING)
          .build();

  private Earthquakes() {}

  /** No two records share a string, as those of a source don't: the file is read that often. */
  static List<Map<String, @Nullable Object>> maps(int rows) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<Map<String, @Nullable Object>> maps = new ArrayList<>(rows);
    while (maps.size() < rows) {
      for (JsonNode feature : mapper.readTree(FILE).get("features")) {
        if (maps.size() < rows) {
          maps.add(map(SCHEMA, feature));
        }
      }
    }
    return maps;
  }

  static RecordBatch batch(List<Map<String, @Nullable Object>> maps) {
    return RecordBatch.ofMaps("bench", SCHEMA, maps);
  }

  private static Map<String, @Nullable Object> map(Schema schema, JsonNode object) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (Field field : schema.fields()) {
      map.put(field.name(), value(field.type(), object.get(field.name())));
    }
    return map;
  }

  private static @Nullable Object value(FieldType type, JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    if (type instanceof StructType struct) {
      return map(struct.schema(), node);
    }
    if (type instanceof ListType list) {
      List<@Nullable Object> values = new ArrayList<>();
      node.forEach(element -> values.add(value(list.element(), element)));
      return values;
    }
    return switch ((Primitive) type) {
      case FLOAT64 -> node.doubleValue();
      case INT32 -> node.intValue();
      case TIMESTAMPTZ -> Instant.ofEpochMilli(node.longValue());
      default -> node.textValue();
    };
  }
}
