package io.filament.sink;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A configuration that can't be used. It holds all problems, so that one try shows them all. */
public final class InvalidConfigException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * @param problems at least one
   */
  public InvalidConfigException(List<Problem> problems) {
    super(message(problems));
    this.problems = List.copyOf(problems);
  }

  /** Returns what is wrong, in the order of the configuration's documentation. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }

  private static String message(List<Problem> problems) {
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("an invalid configuration has at least one problem");
    }
    return problems.stream()
        .map(problem -> problem.field() + ": " + problem.message())
        .collect(Collectors.joining("; ", "invalid configuration: ", ""));
  }

  /**
   * One thing that is wrong.
   *
   * @param field the setting's name
   * @param message what is wrong and what is allowed, without secrets
   */
  public record Problem(String field, String message) {

    public Problem {
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(message, "message");
    }
  }
}
