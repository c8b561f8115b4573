package io.filament.sink;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Describes a kind of sink.
 *
 * @param name what a host's configuration calls it, as {@code s3}
 * @param displayName what a user reads
 * @param version the sink's version
 * @param maturity how far it may be trusted
 * @param fields its settings; a setting stands after those that its conditions name
 * @param writeModes the modes that it takes
 * @param durability when what was written is safe
 * @param atomicity what becomes visible as a whole
 */
public record SinkSpec(
    String name,
    String displayName,
    String version,
    Maturity maturity,
    List<ConfigField> fields,
    Set<WriteMode> writeModes,
    Durability durability,
    Atomicity atomicity) {

  public SinkSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(displayName, "displayName");
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(maturity, "maturity");
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(atomicity, "atomicity");
    fields = List.copyOf(fields);
    writeModes = Set.copyOf(writeModes);
    Set<String> before = new HashSet<>();
    for (ConfigField field : fields) {
      Stream.concat(
              Stream.concat(field.visibleWhen().stream(), field.refusedWhen().stream()),
              field.variants().stream().map(ConfigField.Variant::when))
          .filter(condition -> !before.contains(condition.field()))
          .findFirst()
          .ifPresent(
              condition -> {
                throw new IllegalArgumentException(
                    field.name() + " depends on " + condition.field() + ", which is not before it");
              });
      if (!before.add(field.name())) {
        throw new IllegalArgumentException("setting " + field.name() + " is there twice");
      }
    }
  }

  /**
   * Returns the configuration as JSON Schema 2020-12. It says all that the fields say: types,
   * allowed values in their usual spelling, defaults, ranges, and what depends on what. What only
   * the sink can check, such as the names of buckets, it leaves to {@link SinkProvider#validate}.
   */
  public String toJsonSchema() {
    return JsonText.of(ConfigSchema.of(this));
  }

  /** How far a sink may be trusted. */
  public enum Maturity {
    /** May change or vanish. */
    EXPERIMENTAL,
    /** Complete, and not yet long in use. */
    BETA,
    /** Proven. */
    STABLE
  }

  /** When what was written is safe. */
  public enum Durability {
    /** When {@link Sink#commit} has returned. */
    AFTER_COMMIT
  }

  /** What becomes visible as a whole. */
  public enum Atomicity {
    /** The records that a run has for one resource. */
    RESOURCE
  }
}
