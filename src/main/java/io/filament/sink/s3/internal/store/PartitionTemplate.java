package io.filament.sink.s3.internal.store;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The user's part of a key: a path with placeholders, a subset of Go's {@code text/template}.
 * Immutable.
 */
public final class PartitionTemplate {

  // A fraction of a second is the one value that may print nothing: once with none, once with one.
  private static final List<Values> SAMPLES =
      List.of(
          new Values(Instant.parse("2026-09-10T02:00:00Z"), "resource", "run"),
          new Values(Instant.parse("2026-11-22T13:14:15.123456789Z"), "resource", "run"));

  private final String text;
  private final List<Function<Values, String>> pieces;

  private PartitionTemplate(String text, List<Function<Values, String>> pieces) {
    this.text = text;
    this.pieces = List.copyOf(pieces);
  }

  /**
   * Parses a template and renders it for sample values.
   *
   * @param template slashes at its ends don't count; may be empty
   * @throws IllegalArgumentException if it has something that is no placeholder, with the position
   *     in {@code template}, counted in UTF-16 units from 1, and the list of placeholders; or if it
   *     makes no valid path
   */
  public static PartitionTemplate parse(String template) {
    String text = KeyRules.withoutOuterSlashes(template);
    int skipped = template.indexOf(text);
    PartitionTemplate parsed =
        new PartitionTemplate(text, new TemplateParser(text, skipped).parse());
    SAMPLES.forEach(parsed::render);
    return parsed;
  }

  /**
   * Returns the path for these values; it may be empty.
   *
   * @throws IllegalArgumentException if it is no valid part of a key
   */
  public String render(Values values) {
    StringBuilder path = new StringBuilder();
    for (Function<Values, String> piece : pieces) {
      path.append(piece.apply(values));
    }
    KeyRules.checkPath("the rendered partition", path.toString());
    KeyRules.checkLength("the rendered partition", path.toString());
    return path.toString();
  }

  /** Returns the template without slashes at its ends. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }

  /**
   * What placeholders stand for.
   *
   * @param startedAt when the run started
   * @param folder the resource's folder
   * @param run the run id
   */
  public record Values(Instant startedAt, String folder, String run) {

    public Values {
      Objects.requireNonNull(startedAt, "startedAt");
      Objects.requireNonNull(folder, "folder");
      Objects.requireNonNull(run, "run");
    }
  }
}
