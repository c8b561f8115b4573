package io.filament.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a sink: all that a host needs to ask for it and to check what it got.
 *
 * @param name the key in a configuration, in snake case
 * @param type what values it takes
 * @param scope what it belongs to
 * @param required whether it must be set wherever it is visible
 * @param defaultValue what holds where it is not set: a String, an Integer or a Boolean
 * @param allowedValues all values of an ENUM, else empty
 * @param range the bounds of an INT
 * @param visibleWhen when it may be set at all; empty for always
 * @param requiredWhen conditions of which each makes it required where it is visible
 * @param refusedWhen conditions of which each forbids to set it, or, a BOOLEAN, to set it to true
 * @param variants what else holds under conditions of which at most one is true
 * @param help what it means, in a sentence or two
 */
public record ConfigField(
    String name,
    Type type,
    Scope scope,
    boolean required,
    Optional<Object> defaultValue,
    List<String> allowedValues,
    Optional<Range> range,
    Optional<Condition> visibleWhen,
    List<Condition> requiredWhen,
    List<Condition> refusedWhen,
    List<Variant> variants,
    String help) {

  public ConfigField {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(visibleWhen, "visibleWhen");
    Objects.requireNonNull(help, "help");
    allowedValues = List.copyOf(allowedValues);
    requiredWhen = List.copyOf(requiredWhen);
    refusedWhen = List.copyOf(refusedWhen);
    variants = List.copyOf(variants);
    if (!name.matches("[a-z][a-z0-9_]*")) {
      throw new IllegalArgumentException("a setting's name is in snake case: \"" + name + "\"");
    }
    if (type == Type.ENUM == allowedValues.isEmpty()) {
      throw new IllegalArgumentException(name + ": an ENUM, and nothing else, has allowed values");
    }
    if (range.isPresent() && type != Type.INT) {
      throw new IllegalArgumentException(name + ": only an INT has a range");
    }
    if (required && defaultValue.isPresent()) {
      throw new IllegalArgumentException(name + ": a required setting has no default");
    }
    List<Object> defaults = new ArrayList<>(defaultValue.stream().toList());
    for (Variant variant : variants) {
      defaults.add(variant.defaultValue());
      if (!allowedValues.containsAll(variant.allowedValues())) {
        throw new IllegalArgumentException(
            name + ": a variant allows less, not more: " + variant.allowedValues());
      }
    }
    for (Object value : defaults) {
      if (!fits(value, type, allowedValues, range)) {
        throw new IllegalArgumentException(name + ": the default does not fit: " + value);
      }
    }
  }

  /** Returns a builder of an optional setting. */
  public static Builder builder(String name, Type type, Scope scope) {
    return new Builder(name, type, scope);
  }

  private static boolean fits(
      Object value, Type type, List<String> allowedValues, Optional<Range> range) {
    return switch (type) {
      case STRING -> value instanceof String;
      case INT ->
          value instanceof Integer number && (range.isEmpty() || range.get().contains(number));
      case BOOLEAN -> value instanceof Boolean;
      case ENUM -> value instanceof String && allowedValues.contains(value);
      case SECRET -> false;
    };
  }

  /** What values a setting takes. */
  public enum Type {
    /** Text. */
    STRING,
    /** A whole number. */
    INT,
    /** True or false. */
    BOOLEAN,
    /** One of a few words. */
    ENUM,
    /** Text that nobody may see. */
    SECRET
  }

  /** What a setting belongs to. */
  public enum Scope {
    /** The store and the way to it, shared by pipelines. */
    CONNECTION,
    /** One pipeline. */
    PIPELINE
  }

  /**
   * The bounds of a number.
   *
   * @param min the least value allowed
   * @param max the greatest value allowed
   */
  public record Range(int min, int max) {

    public Range {
      if (min > max) {
        throw new IllegalArgumentException("min " + min + " is greater than max " + max);
      }
    }

    /** Returns whether a number lies within the bounds. */
    public boolean contains(long number) {
      return min <= number && number <= max;
    }
  }

  /**
   * A condition on another setting.
   *
   * @param field the other setting's name
   * @param values the values that it must have one of; empty if any will do
   */
  public record Condition(String field, List<String> values) {

    public Condition {
      Objects.requireNonNull(field, "field");
      values = List.copyOf(values);
    }

    /** Returns the condition that a setting is set, or has a default. */
    public static Condition isSet(String field) {
      return new Condition(field, List.of());
    }

    /** Returns the condition that a setting has one of these values. */
    public static Condition hasValue(String field, String... values) {
      return new Condition(field, List.of(values));
    }

    /** Returns whether the other setting's value, null if there is none, fulfils it. */
    public boolean isMetBy(@Nullable Object value) {
      return value != null && (values.isEmpty() || values.contains(value.toString()));
    }

    /** Returns the condition in words, as {@code mode a or b}. */
    public String described() {
      return values.isEmpty() ? field : field + " " + String.join(" or ", values);
    }
  }

  /**
   * What holds in place of the setting's own default and allowed values.
   *
   * @param when the condition
   * @param allowedValues the values of an ENUM that are allowed then, else empty
   * @param defaultValue the default then
   */
  public record Variant(Condition when, List<String> allowedValues, Object defaultValue) {

    public Variant {
      Objects.requireNonNull(when, "when");
      Objects.requireNonNull(defaultValue, "defaultValue");
      allowedValues = List.copyOf(allowedValues);
    }
  }

  /** Collects what is known of a setting. Not for several threads. */
  public static final class Builder {

    private final String name;
    private final Type type;
    private final Scope scope;
    private final List<Condition> requiredWhen = new ArrayList<>();
    private final List<Condition> refusedWhen = new ArrayList<>();
    private final List<Variant> variants = new ArrayList<>();
    private boolean required;
    private @Nullable Object defaultValue;
    private List<String> allowedValues = List.of();
    private @Nullable Range range;
    private @Nullable Condition visibleWhen;
    private String help = "";

    private Builder(String name, Type type, Scope scope) {
      this.name = name;
      this.type = type;
      this.scope = scope;
    }

    /** Says that it must be set wherever it is visible. */
    public Builder required() {
      this.required = true;
      return this;
    }

    /** Says what holds where it is not set. */
    public Builder defaultValue(Object value) {
      this.defaultValue = value;
      return this;
    }

    /** Lists the values of an ENUM. */
    public Builder allowedValues(List<String> values) {
      this.allowedValues = values;
      return this;
    }

    /** Sets the bounds of an INT. */
    public Builder range(int min, int max) {
      this.range = new Range(min, max);
      return this;
    }

    /** Says when it may be set at all. */
    public Builder visibleWhen(Condition condition) {
      this.visibleWhen = condition;
      return this;
    }

    /** Adds a condition under which it must be set, if it is visible then. */
    public Builder requiredWhen(Condition condition) {
      requiredWhen.add(condition);
      return this;
    }

    /** Adds a condition under which it must not be set, or, a BOOLEAN, must not be true. */
    public Builder refusedWhen(Condition condition) {
      refusedWhen.add(condition);
      return this;
    }

    /** Adds what else holds under a condition. */
    public Builder variant(Variant variant) {
      variants.add(variant);
      return this;
    }

    /** Says what it means. */
    public Builder help(String help) {
      this.help = help;
      return this;
    }

    /** Returns the setting. */
    public ConfigField build() {
      return new ConfigField(
          name,
          type,
          scope,
          required,
          Optional.ofNullable(defaultValue),
          allowedValues,
          Optional.ofNullable(range),
          Optional.ofNullable(visibleWhen),
          requiredWhen,
          refusedWhen,
          variants,
          help);
    }
  }
}
