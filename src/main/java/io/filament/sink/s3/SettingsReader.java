package io.filament.sink.s3;

import io.filament.sink.ConfigField;
import io.filament.sink.ConfigField.Condition;
import io.filament.sink.ConfigField.Variant;
import io.filament.sink.InvalidConfigException;
import io.filament.sink.InvalidConfigException.Problem;
import io.filament.sink.s3.internal.store.VisibleText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks a configuration against its fields, and collects all problems. Values come out as String,
 * Integer or Boolean, words of an ENUM in their usual spelling, defaults filled in.
 */
final class SettingsReader {

  private final List<ConfigField> fields;
  private final Map<String, ?> given;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> problems = new HashMap<>();

  private SettingsReader(List<ConfigField> fields, Map<String, ?> given) {
    this.fields = fields;
    this.given = given;
  }

  /** Reads what the fields by themselves decide. */
  static SettingsReader read(List<ConfigField> fields, Map<String, ?> given) {
    SettingsReader reader = new SettingsReader(fields, given);
    fields.forEach(reader::read);
    fields.forEach(reader::require);
    return reader;
  }

  /** Returns whether there is a value, given (right or wrong) or by default. */
  boolean has(ConfigField field) {
    return values.containsKey(field.name()) || problems.containsKey(field.name());
  }

  /**
   * Checks a text further, if there is one.
   *
   * @param check throws an IllegalArgumentException with the problem
   */
  void check(ConfigField field, Consumer<String> check) {
    refine(
        field,
        text -> {
          check.accept(text);
          return text;
        });
  }

  /**
   * Checks a text further, if there is one, and puts its usual form in its place.
   *
   * @param refinement returns the usual form, or throws an IllegalArgumentException with the
   *     problem
   */
  void refine(ConfigField field, UnaryOperator<String> refinement) {
    if (values.get(field.name()) instanceof String text) {
      try {
        values.put(field.name(), refinement.apply(text));
      } catch (IllegalArgumentException e) {
        refuse(field, String.valueOf(e.getMessage()));
      }
    }
  }

  /** Takes a text that is only blanks for none. */
  void dropBlank(ConfigField field) {
    if (values.get(field.name()) instanceof String text && text.isBlank()) {
      values.remove(field.name());
    }
  }

  /** Adds a problem of a field, unless it has one. */
  void problem(ConfigField field, String problem) {
    problems.putIfAbsent(field.name(), problem);
  }

  /** Returns whether a switch is on. */
  boolean isOn(ConfigField field) {
    return Boolean.TRUE.equals(values.get(field.name()));
  }

  /** Returns a text that is there, right or wrong. */
  Optional<String> text(ConfigField field) {
    return Optional.ofNullable(values.get(field.name()))
        .filter(String.class::isInstance)
        .map(String.class::cast);
  }

  /**
   * Returns the values in the order of the fields.
   *
   * @throws InvalidConfigException with all problems in the order of the fields, those of unknown
   *     names last
   */
  Map<String, Object> values() {
    List<Problem> all = new ArrayList<>();
    for (ConfigField field : fields) {
      String problem = problems.get(field.name());
      if (problem != null) {
        all.add(new Problem(field.name(), problem));
      }
    }
    all.addAll(unknownNames());
    if (!all.isEmpty()) {
      throw new InvalidConfigException(all);
    }
    return values;
  }

  private void read(ConfigField field) {
    Object raw = given.get(field.name());
    Object value = raw == null ? null : converted(field, raw);
    if (!isVisible(field)) {
      if (raw != null && !dependsOnProblem(field)) {
        refuse(field, "is allowed only with " + field.visibleWhen().orElseThrow().described());
      }
      return;
    }
    if (raw == null) {
      variant(field)
          .map(Variant::defaultValue)
          .or(field::defaultValue)
          .ifPresent(usual -> values.put(field.name(), usual));
    } else if (value != null) {
      values.put(field.name(), value);
      variant(field).ifPresent(variant -> checkVariant(field, variant, value));
      if (!value.equals(false)) {
        field.refusedWhen().stream()
            .filter(this::isMet)
            .findFirst()
            .ifPresent(when -> refuse(field, "is not allowed with " + when.described()));
      }
    }
  }

  private void require(ConfigField field) {
    if (given.get(field.name()) != null || !isVisible(field)) {
      return;
    }
    if (field.required()) {
      refuse(
          field,
          field
              .visibleWhen()
              .map(when -> "is required with " + when.described())
              .orElse("is required"));
    }
    field.requiredWhen().stream()
        .filter(this::isMet)
        .findFirst()
        .ifPresent(when -> refuse(field, "is required with " + when.described()));
  }

  private boolean isVisible(ConfigField field) {
    return field.visibleWhen().map(this::isMet).orElse(true);
  }

  private boolean dependsOnProblem(ConfigField field) {
    return field.visibleWhen().map(when -> problems.containsKey(when.field())).orElse(false);
  }

  private Optional<Variant> variant(ConfigField field) {
    return field.variants().stream().filter(variant -> isMet(variant.when())).findFirst();
  }

  private void checkVariant(ConfigField field, Variant variant, Object value) {
    if (!variant.allowedValues().isEmpty() && !variant.allowedValues().contains(value)) {
      refuse(
          field,
          "must be one of "
              + String.join(", ", variant.allowedValues())
              + " with "
              + variant.when().field()
              + " "
              + values.get(variant.when().field())
              + ", not "
              + value);
    }
  }

  private boolean isMet(Condition condition) {
    return condition.isMetBy(values.get(condition.field()));
  }

  private @Nullable Object converted(ConfigField field, Object raw) {
    return switch (field.type()) {
      case STRING, SECRET -> raw instanceof String ? raw : wrongType(field, "a text", raw);
      case BOOLEAN -> raw instanceof Boolean ? raw : wrongType(field, "true or false", raw);
      case INT ->
          isWhole(raw) ? number(field, (Number) raw) : wrongType(field, "a whole number", raw);
      case ENUM -> raw instanceof String word ? word(field, word) : wrongType(field, "a text", raw);
    };
  }

  private static boolean isWhole(Object raw) {
    return raw instanceof Integer
        || raw instanceof Long
        || raw instanceof Short
        || raw instanceof Byte
        || raw instanceof BigInteger;
  }

  private @Nullable Object number(ConfigField field, Number raw) {
    BigInteger number = new BigInteger(raw.toString());
    boolean inRange =
        number.bitLength() < Long.SIZE
            && field.range().map(range -> range.contains(number.longValue())).orElse(true);
    if (!inRange || number.bitLength() >= Integer.SIZE) {
      String bounds =
          field.range().map(range -> range.min() + " to " + range.max()).orElse("a 32-bit number");
      return refuse(field, "must be " + bounds + ", not " + number);
    }
    return number.intValue();
  }

  private @Nullable Object word(ConfigField field, String raw) {
    String word = raw.strip().toLowerCase(Locale.ROOT);
    for (String allowed : field.allowedValues()) {
      if (allowed.toLowerCase(Locale.ROOT).equals(word)) {
        return allowed;
      }
    }
    return refuse(
        field,
        "must be one of "
            + String.join(", ", field.allowedValues())
            + ", not "
            + VisibleText.quoted(raw));
  }

  private @Nullable Object wrongType(ConfigField field, String expected, Object raw) {
    String value =
        field.type() == ConfigField.Type.SECRET ? "" : " " + VisibleText.quoted(raw.toString());
    return refuse(
        field, "must be " + expected + ", not the " + raw.getClass().getSimpleName() + value);
  }

  /** Returns null, as the value that there is not. */
  private @Nullable Object refuse(ConfigField field, String problem) {
    problem(field, problem);
    return null;
  }

  private List<Problem> unknownNames() {
    Set<String> known = fields.stream().map(ConfigField::name).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    for (Object name : given.keySet()) {
      if (!known.contains(String.valueOf(name))) {
        unknown.add(String.valueOf(name));
      }
    }
    return unknown.stream().map(name -> new Problem(name, unknownName(name))).toList();
  }

  private String unknownName(String name) {
    return "is no setting; "
        + ClosestName.of(name, fields.stream().map(ConfigField::name).toList())
            .map(close -> "did you mean " + close + "?")
            .orElseGet(
                () ->
                    "the settings are "
                        + fields.stream().map(ConfigField::name).collect(Collectors.joining(", ")));
  }
}
