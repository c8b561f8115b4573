package io.filament.sink;

import io.filament.sink.ConfigField.Condition;
import io.filament.sink.ConfigField.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in JSON Schema 2020-12 what the fields of a sink say, as a tree of maps and lists. */
final class ConfigSchema {

  private ConfigSchema() {}

  static Map<String, Object> of(SinkSpec spec) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", spec.displayName());
    schema.put("type", "object");
    Map<String, Object> properties = new LinkedHashMap<>();
    spec.fields().forEach(field -> properties.put(field.name(), property(field)));
    schema.put("properties", properties);
    schema.put("required", namesOfRequired(alwaysVisible(spec.fields())));
    schema.put("additionalProperties", false);
    List<Object> conditions = conditions(spec.fields());
    if (!conditions.isEmpty()) {
      schema.put("allOf", conditions);
    }
    return schema;
  }

  private static Map<String, Object> property(ConfigField field) {
    Map<String, Object> property = new LinkedHashMap<>();
    property.put("type", typeName(field.type()));
    property.put("description", field.help());
    if (field.type() == ConfigField.Type.ENUM) {
      property.put("enum", field.allowedValues());
    }
    field.defaultValue().ifPresent(value -> property.put("default", value));
    field
        .range()
        .ifPresent(
            range -> {
              property.put("minimum", range.min());
              property.put("maximum", range.max());
            });
    if (field.type() == ConfigField.Type.SECRET) {
      property.put("writeOnly", true);
    }
    return property;
  }

  private static String typeName(ConfigField.Type type) {
    return switch (type) {
      case STRING, ENUM, SECRET -> "string";
      case INT -> "integer";
      case BOOLEAN -> "boolean";
    };
  }

  private static List<Object> conditions(List<ConfigField> fields) {
    Map<String, ConfigField> byName =
        fields.stream().collect(Collectors.toMap(ConfigField::name, field -> field));
    Map<Condition, List<ConfigField>> byCondition = new LinkedHashMap<>();
    List<Object> conditions = new ArrayList<>();
    for (ConfigField field : fields) {
      field
          .visibleWhen()
          .ifPresent(when -> byCondition.computeIfAbsent(when, w -> new ArrayList<>()).add(field));
    }
    byCondition.forEach((when, hidden) -> conditions.add(visibility(test(when, byName), hidden)));
    for (ConfigField field : fields) {
      for (Condition when : field.requiredWhen()) {
        conditions.add(requirement(test(when, byName), field, byName));
      }
      for (Condition when : field.refusedWhen()) {
        conditions.add(refusal(test(when, byName), field));
      }
      for (Variant variant : field.variants()) {
        conditions.add(variant(test(variant.when(), byName), field, variant));
      }
    }
    return conditions;
  }

  /** What is hidden must not be set, and {@code false} is the schema that nothing fulfils. */
  private static Map<String, Object> visibility(
      Map<String, Object> test, List<ConfigField> hidden) {
    Map<String, Object> forbidden = new LinkedHashMap<>();
    hidden.forEach(field -> forbidden.put(field.name(), false));
    Map<String, Object> visibility = new LinkedHashMap<>();
    visibility.put("if", test);
    visibility.put("then", Map.of("required", namesOfRequired(hidden)));
    visibility.put("else", Map.of("properties", forbidden));
    return visibility;
  }

  /** Where the field is hidden, it is not required either. */
  private static Map<String, Object> requirement(
      Map<String, Object> test, ConfigField field, Map<String, ConfigField> byName) {
    List<Object> tests = new ArrayList<>(List.of(test));
    field.visibleWhen().ifPresent(visible -> tests.add(test(visible, byName)));
    Map<String, Object> requirement = new LinkedHashMap<>();
    requirement.put("if", tests.size() == 1 ? test : Map.of("allOf", tests));
    requirement.put("then", Map.of("required", List.of(field.name())));
    return requirement;
  }

  private static Map<String, Object> refusal(Map<String, Object> test, ConfigField field) {
    Map<String, Object> refusal = new LinkedHashMap<>();
    Object allowed = field.type() == ConfigField.Type.BOOLEAN ? Map.of("const", false) : false;
    refusal.put("if", test);
    refusal.put("then", Map.of("properties", Map.of(field.name(), allowed)));
    return refusal;
  }

  private static Map<String, Object> variant(
      Map<String, Object> test, ConfigField field, Variant variant) {
    Map<String, Object> property = new LinkedHashMap<>();
    if (!variant.allowedValues().isEmpty()) {
      property.put("enum", variant.allowedValues());
    }
    property.put("default", variant.defaultValue());
    Map<String, Object> narrowed = new LinkedHashMap<>();
    narrowed.put("if", test);
    narrowed.put("then", Map.of("properties", Map.of(field.name(), property)));
    return narrowed;
  }

  /** A property that is absent has its default, which may fulfil the condition by itself. */
  private static Map<String, Object> test(Condition when, Map<String, ConfigField> byName) {
    Map<String, Object> test = new LinkedHashMap<>();
    ConfigField other = byName.get(when.field());
    if (!when.values().isEmpty()) {
      test.put("properties", Map.of(when.field(), Map.of("enum", values(when, other))));
    }
    if (other == null || !when.isMetBy(other.defaultValue().orElse(null))) {
      test.put("required", List.of(when.field()));
    }
    return test;
  }

  private static List<?> values(Condition when, @Nullable ConfigField other) {
    return other != null && other.type() == ConfigField.Type.BOOLEAN
        ? when.values().stream().map(Boolean::valueOf).toList()
        : when.values();
  }

  private static List<ConfigField> alwaysVisible(List<ConfigField> fields) {
    return fields.stream().filter(field -> field.visibleWhen().isEmpty()).toList();
  }

  private static List<String> namesOfRequired(List<ConfigField> fields) {
    return fields.stream().filter(ConfigField::required).map(ConfigField::name).toList();
  }
}
