package io.filament.sink.s3.internal.encode;

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

/** Makes what writes the values of each type as JSON. All of one object write to one output. */
final class JsonValues {

  /** The text of null, the first character lowest. */
  private static final long NULL = 0x6C6C_756EL;

  private final JsonOutput out;
  private final TextBuffer text;

  JsonValues(JsonOutput out) {
    this.out = out;
    this.text = out.text();
  }

  /** Puts a value that is not null. */
  interface JsonValue {

    void put(Vector vector, int index, TextBuffer to) throws IOException;
  }

  /** Writes records as objects with all fields of a schema, nulls included. */
  final class JsonObject {

    private final Member[] members;

    JsonObject(Schema schema) {
      List<Field> fields = schema.fields();
      members = new Member[fields.size()];
      for (int i = 0; i < members.length; i++) {
        Field field = fields.get(i);
        members[i] = new Member(i == 0 ? '{' : ',', field.name(), of(field.type()));
      }
    }

    void write(List<Vector> vectors, int index) throws IOException {
      for (int i = 0; i < members.length; i++) {
        members[i].write(vectors.get(i), index);
      }
      text.put('}');
    }
  }

  /** A member of an object, whose name is written with all that stands before its value. */
  private final class Member {

    private final byte[] nameWords;
    private final int nameLength;
    private final JsonValue value;

    Member(char before, String name, JsonValue value) {
      TextBuffer json = new TextBuffer();
      byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
      json.put(before);
      json.put('"');
      JsonStrings.put(utf8, 0, utf8.length, json);
      json.put("\":");
      this.nameWords = TextBuffer.words(json.array(), json.length());
      this.nameLength = json.length();
      this.value = value;
    }

    void write(Vector vector, int index) throws IOException {
      out.flushIfFull();
      text.putWords(nameWords, nameLength);
      writeNullable(value, vector, index);
    }
  }

  private JsonValue of(FieldType type) {
    if (type instanceof ListType list) {
      return list(list);
    }
    if (type instanceof StructType struct) {
      JsonObject object = new JsonObject(struct.schema());
      return (vector, index, to) -> object.write(((Vector.Structs) vector).fields(), index);
    }
    if (type instanceof MapType map) {
      return map(map);
    }
    if (type instanceof DecimalType) {
      return ScalarText.of(type);
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN, INT16, INT32, INT64 -> ScalarText.of(type);
      case FLOAT32, FLOAT64 -> numberOrName(ScalarText.of(type));
      case DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID -> quoted(ScalarText.of(type));
      case NUMERIC -> this::writeNumeric;
      case STRING -> this::writeString;
      case JSON -> this::writeRaw;
      case BYTES -> this::writeBinary;
    };
  }

  private void writeNullable(JsonValue value, Vector vector, int index) throws IOException {
    if (vector.isNull(index)) {
      text.putWord(NULL, 4);
    } else {
      value.put(vector, index, text);
    }
  }

  private JsonValue list(ListType type) {
    JsonValue element = of(type.element());
    return (vector, index, to) -> {
      Vector.Lists lists = (Vector.Lists) vector;
      text.put('[');
      for (int i = lists.start(index); i < lists.end(index); i++) {
        out.flushIfFull();
        if (i > lists.start(index)) {
          text.put(',');
        }
        writeNullable(element, lists.elements(), i);
      }
      text.put(']');
    };
  }

  private JsonValue map(MapType type) {
    JsonValue key = key(type.key());
    JsonValue value = of(type.value());
    return (vector, index, to) -> {
      Vector.Maps maps = (Vector.Maps) vector;
      text.put('{');
      for (int i = maps.start(index); i < maps.end(index); i++) {
        out.flushIfFull();
        if (i > maps.start(index)) {
          text.put(',');
        }
        key.put(maps.keys(), i, to);
        text.put(':');
        writeNullable(value, maps.values(), i);
      }
      text.put('}');
    };
  }

  /** Writes a key as a name: the text that the value has, always in quotes. */
  private JsonValue key(FieldType type) {
    if (type == FieldType.STRING) {
      return this::writeString;
    }
    return type == FieldType.BYTES ? this::writeBinary : quoted(ScalarText.of(type));
  }

  private JsonValue quoted(ScalarText scalar) {
    return (vector, index, to) -> {
      text.put('"');
      scalar.put(vector, index, text);
      text.put('"');
    };
  }

  /** Quotes NaN and the infinities, the ones whose text doesn't end in a digit. */
  private JsonValue numberOrName(ScalarText scalar) {
    JsonValue name = quoted(scalar);
    return (vector, index, to) -> {
      int start = text.length();
      scalar.put(vector, index, text);
      if (!endsInDigit(text.array(), text.length())) {
        text.length(start);
        name.put(vector, index, to);
      }
    };
  }

  /** Writes a number that may be long. */
  private void writeNumeric(Vector vector, int index, TextBuffer to) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    if (endsInDigit(bytes.array(), bytes.start(index) + bytes.length(index))) {
      writeRaw(vector, index, to);
    } else {
      writeString(vector, index, to);
    }
  }

  private static boolean endsInDigit(byte[] ascii, int end) {
    byte last = ascii[end - 1];
    return last >= '0' && last <= '9';
  }

  private void writeString(Vector vector, int index, TextBuffer to) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    out.putString(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private void writeRaw(Vector vector, int index, TextBuffer to) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    out.putRaw(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private void writeBinary(Vector vector, int index, TextBuffer to) throws IOException {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    out.putBase64(bytes.array(), bytes.start(index), bytes.length(index));
  }
}
