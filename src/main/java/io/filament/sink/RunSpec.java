package io.filament.sink;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes one run: its id, when it started, and the resources that it will have. What makes no
 * valid key is refused by {@link Sink#open}, which knows the layout.
 */
public final class RunSpec {

  private static final int NAMES_IN_A_TEXT = 20;

  private final String runId;
  private final Instant startedAt;
  private final @Nullable String sourceName;
  private final WriteMode mode;
  private final List<Resource> resources;

  private RunSpec(Builder builder) {
    this.runId = builder.runId;
    this.startedAt = builder.startedAt == null ? Instant.now() : builder.startedAt;
    this.sourceName = builder.sourceName;
    this.mode = builder.mode;
    this.resources = List.copyOf(builder.resources);
  }

  /**
   * Returns a builder.
   *
   * @param runId names the run's objects; not empty, without {@code /} and control characters
   */
  public static Builder builder(String runId) {
    return new Builder(Objects.requireNonNull(runId, "runId"));
  }

  /** Returns the run's id. */
  public String runId() {
    return runId;
  }

  /** Returns the instant from which the partition is made, for all objects of the run. */
  public Instant startedAt() {
    return startedAt;
  }

  /** Returns the name of the records' source, from which the default prefix is made. */
  public Optional<String> sourceName() {
    return Optional.ofNullable(sourceName);
  }

  /** Returns what the run means for earlier runs. */
  public WriteMode mode() {
    return mode;
  }

  /** Returns the declared resources in their order. */
  public List<Resource> resources() {
    return resources;
  }

  /** Returns the run in one line: of its resources the names, and of many the first. */
  @Override
  public String toString() {
    String names =
        resources.stream()
            .limit(NAMES_IN_A_TEXT)
            .map(Resource::name)
            .collect(Collectors.joining(", "));
    int more = resources.size() - NAMES_IN_A_TEXT;
    return "RunSpec[runId=%s, startedAt=%s, %smode=%s, resources=[%s%s]]"
        .formatted(
            runId,
            startedAt,
            sourceName == null ? "" : "sourceName=" + sourceName + ", ",
            mode,
            names,
            more > 0 ? ", and " + more + " more" : "");
  }

  /**
   * One declared resource. It gets an object even if no record comes.
   *
   * @param name the name that batches use
   * @param schema the fields of its records
   * @param folder its folder below the prefix
   */
  public record Resource(String name, Schema schema, String folder) {

    public Resource {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(schema, "schema");
      Objects.requireNonNull(folder, "folder");
    }
  }

  /** Collects the description of a run. Not for several threads. */
  public static final class Builder {

    private final String runId;
    private final List<Resource> resources = new ArrayList<>();
    private @Nullable Instant startedAt;
    private @Nullable String sourceName;
    private WriteMode mode = WriteMode.FULL_REPLACE;

    private Builder(String runId) {
      this.runId = runId;
    }

    /** Sets when the run started; the default is when {@link #build} is called. */
    public Builder startedAt(Instant startedAt) {
      this.startedAt = Objects.requireNonNull(startedAt, "startedAt");
      return this;
    }

    /** Names the source of the records; its normal form is the prefix where none is configured. */
    public Builder sourceName(String sourceName) {
      this.sourceName = Objects.requireNonNull(sourceName, "sourceName");
      return this;
    }

    /** Sets what the run means for earlier runs; the default is {@link WriteMode#FULL_REPLACE}. */
    public Builder mode(WriteMode mode) {
      this.mode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /** Declares a resource whose folder has its name. */
    public Builder resource(String name, Schema schema) {
      return resource(name, schema, name);
    }

    /** Declares a resource with a folder of its own. */
    public Builder resource(String name, Schema schema, String folder) {
      resources.add(new Resource(name, schema, folder));
      return this;
    }

    /** Returns the description. */
    public RunSpec build() {
      return new RunSpec(this);
    }
  }
}
