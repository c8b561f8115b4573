package io.filament.sink.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** NDJSON as a program would write it with Jackson. */
final class JacksonPeers {

  private JacksonPeers() {}

  /** The generator, from rows; the names are encoded once. */
  static Side streaming(Table table, Path file) {
    JsonFactory factory = new JsonFactory();
    List<Object[]> rows = table.objects();
    SerializedString[] names =
        table.schema().fields().stream()
            .map(field -> new SerializedString(field.name()))
            .toArray(SerializedString[]::new);
    return () -> {
      try (OutputStream out = Files.newOutputStream(file);
          JsonGenerator json = factory.createGenerator(out)) {
        json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
        for (Object[] row : rows) {
          json.writeStartObject();
          for (int i = 0; i < names.length; i++) {
            json.writeFieldName(names[i]);
            write(json, row[i]);
          }
          json.writeEndObject();
        }
      }
    };
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Integer number) {
      json.writeNumber(number);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof BigDecimal number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else {
      json.writeString(value.toString());
    }
  }

  /** The mapper, over a map for each record. */
  static Side mapper(List<Map<String, Object>> maps, Path file) {
    ObjectWriter writer =
        new ObjectMapper()
            .registerModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .writer()
            .withRootValueSeparator("\n");
    return () -> {
      try (OutputStream out = Files.newOutputStream(file);
          SequenceWriter sequence = writer.writeValues(out)) {
        for (Map<String, Object> map : maps) {
          sequence.write(map);
        }
      }
    };
  }
}
