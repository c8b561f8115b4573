package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import io.filament.sink.FieldType.ListType;
import io.filament.sink.FieldType.MapType;
import io.filament.sink.FieldType.StructType;
import io.filament.sink.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes what writes the values of each type as JSON. All of one object write to one generator. */
final class JsonValues {

  private final JsonGenerator out;
  private final TextBuffer text = new TextBuffer();
  private final RawUtf8 raw = new RawUtf8();

  JsonValues(JsonGenerator out) {
    this.out = out;
  }

  /** Writes a value that is not null. */
  interface JsonValue {

    void write(Vector vector, int index) throws IOException;
  }

  /** Writes records as objects with all fields of a schema, nulls included. */
  final class JsonObject {

    private final List<SerializableString> names;
    private final List<JsonValue> values;

    JsonObject(Schema schema) {
      List<Field> fields = schema.fields();
      names = fields.stream().<SerializableString>map(f -> new SerializedString(f.name())).toList();
      values = fields.stream().map(f -> of(f.type())).toList();
    }

    void write(List<Vector> vectors, int index) throws IOException {
      out.writeStartObject();
      for (int i = 0; i < names.size(); i++) {
        out.writeFieldName(names.get(i));
        writeNullable(values.get(i), vectors.get(i), index);
      }
      out.writeEndObject();
    }
  }

  private JsonValue of(FieldType type) {
    if (type instanceof ListType list) {
      return list(list);
    }
    if (type instanceof StructType struct) {
      JsonObject object = new JsonObject(struct.schema());
      return (vector, index) -> object.write(((Vector.Structs) vector).fields(), index);
    }
    if (type instanceof MapType map) {
      return map(map);
    }
    if (type instanceof DecimalType) {
      return bare(ScalarText.of(type));
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN, INT16, INT32, INT64 -> bare(ScalarText.of(type));
      case FLOAT32, FLOAT64, NUMERIC -> numberOrName(ScalarText.of(type));
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID -> quoted(ScalarText.of(type));
      case STRING -> this::writeString;
      case JSON -> this::writeRaw;
      case BYTES -> this::writeBinary;
    };
  }

  private void writeNullable(JsonValue value, Vector vector, int index) throws IOException {
    if (vector.isNull(index)) {
      out.writeNull();
    } else {
      value.write(vector, index);
    }
  }

  private JsonValue list(ListType type) {
    JsonValue element = of(type.element());
    return (vector, index) -> {
      Vector.Lists lists = (Vector.Lists) vector;
      out.writeStartArray();
      for (int i = lists.start(index); i < lists.end(index); i++) {
        writeNullable(element, lists.elements(), i);
      }
      out.writeEndArray();
    };
  }

  private JsonValue map(MapType type) {
    JsonValue key = key(type.key());
    JsonValue value = of(type.value());
    return (vector, index) -> {
      Vector.Maps maps = (Vector.Maps) vector;
      out.writeStartObject();
      for (int i = maps.start(index); i < maps.end(index); i++) {
        key.write(maps.keys(), i);
        writeNullable(value, maps.values(), i);
      }
      out.writeEndObject();
    };
  }

  /**
   * Writes a key as a name. Names go out as SerializedString: the generator itself would write
   * characters beyond U+FFFF as pairs of escapes.
   */
  private JsonValue key(FieldType type) {
    if (type == FieldType.STRING) {
      return (vector, index) -> {
        Vector.Bytes keys = (Vector.Bytes) vector;
        writeName(keys.array(), keys.start(index), keys.length(index));
      };
    }
    ScalarText scalar = ScalarText.of(type);
    return (vector, index) -> {
      scalar.put(vector, index, text.clear());
      writeName(text.array(), 0, text.length());
    };
  }

  private void writeName(byte[] utf8, int start, int length) throws IOException {
    out.writeFieldName(
        new SerializedString(new String(utf8, start, length, StandardCharsets.UTF_8)));
  }

  private JsonValue bare(ScalarText scalar) {
    return (vector, index) -> {
      scalar.put(vector, index, text.clear());
      out.writeRawValue(raw.of(text.array(), 0, text.length()));
    };
  }

  private JsonValue quoted(ScalarText scalar) {
    return (vector, index) -> {
      scalar.put(vector, index, text.clear());
      out.writeRawUTF8String(text.array(), 0, text.length());
    };
  }

  /** Quotes NaN and the infinities, the ones whose text doesn't end in a digit. */
  private JsonValue numberOrName(ScalarText scalar) {
    return (vector, index) -> {
      scalar.put(vector, index, text.clear());
      byte last = text.array()[text.length() - 1];
      if (last >= '0' && last <= '9') {
        out.writeRawValue(raw.of(text.array(), 0, text.length()));
      } else {
        out.writeRawUTF8String(text.array(), 0, text.length());
      }
    };
  }

  private void writeString(Vector vector, int index) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    out.writeUTF8String(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private void writeRaw(Vector vector, int index) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    out.writeRawValue(raw.of(bytes.array(), bytes.start(index), bytes.length(index)));
  }

  private void writeBinary(Vector vector, int index) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    out.writeBinary(bytes.array(), bytes.start(index), bytes.length(index));
  }
}
