package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.ListType;
import io.filament.sink.FieldType.MapType;
import io.filament.sink.FieldType.StructType;
import io.filament.sink.FileFormat;
import io.filament.sink.Schema;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What a schema must be so that a format can hold it and readers can read it. */
final class SchemaRules {

  /** Deep enough for every source; readers and writers of nested records recurse. */
  static final int MAX_DEPTH = 64;

  private final String resource;
  private final FileFormat format;

  SchemaRules(String resource, FileFormat format) {
    this.resource = resource;
    this.format = format;
  }

  /** Refuses a schema that breaks a rule. */
  void check(Schema schema) {
    checkStruct(schema, "", 1);
  }

  private void checkStruct(Schema schema, String path, int depth) {
    if (schema.fields().isEmpty()) {
      throw broken(path, path.isEmpty() ? "the schema has no fields" : "the struct has no fields");
    }
    Map<String, String> folded = new HashMap<>();
    for (Field field : schema.fields()) {
      String name = field.name();
      String fieldPath = path.isEmpty() ? name : path + "." + name;
      if (hasLoneSurrogate(name)) {
        throw broken(fieldPath, "the name has a surrogate without its partner, which has no UTF-8");
      }
      String other = folded.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
      if (other != null && format == FileFormat.PARQUET) {
        throw broken(
            fieldPath,
            "the name differs from \""
                + other
                + "\" in case alone, which readers of parquet ignore");
      }
      checkType(field.type(), fieldPath, depth);
    }
  }

  private void checkType(FieldType type, String path, int depth) {
    if (depth > MAX_DEPTH) {
      throw broken(path, "lists, structs and maps are nested deeper than " + MAX_DEPTH + " levels");
    }
    if (type instanceof ListType list) {
      checkType(list.element(), path + "[]", depth + 1);
    } else if (type instanceof MapType map) {
      checkType(map.value(), path + "{}", depth + 1);
    } else if (type instanceof StructType struct) {
      checkStruct(struct.schema(), path, depth + 1);
    }
  }

  private static boolean hasLoneSurrogate(String name) {
    return name.codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  private IllegalArgumentException broken(String path, String problem) {
    String field = path.isEmpty() ? "" : ", field \"" + path + "\"";
    return new IllegalArgumentException("resource \"" + resource + "\"" + field + ": " + problem);
  }
}
