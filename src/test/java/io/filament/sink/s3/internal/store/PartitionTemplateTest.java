package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.filament.sink.s3.internal.store.PartitionTemplate.Values;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTemplateTest {

  private static final Values VALUES =
      new Values(Instant.parse("2026-09-10T02:00:00Z"), "accounts", "run-1");

  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '~',
      value = {
        "dt={{.Date}}→dt=2026-09-10",
        "{{.StartedAt}}→2026-09-10 02:00:00 +0000 UTC",
        "month={{.StartedAt.Format \"2006-01\"}}→month=2026-09",
        "year={{.StartedAt.Format \"2006\"}}/month={{.StartedAt.Format \"01\"}}→year=2026/month=09",
        "{{.StartedAt.Format \"2006/01/02\"}}→2026/09/10",
        "{{.StartedAt.Format `2006/01/02`}}→2026/09/10",
        "{{.Resource}}-{{.Run}}→accounts-run-1",
        "{{ \"text\" }}→text",
        "{{`te\"xt`}}→te\"xt",
        "a {{- \" b \" -}} c→a b c",
        "{{ \"}}\" }}→}}",
        "a=b@c~d%e f:é+#?→a=b@c~d%e f:é+#?",
        "~~→~~",
      })
  void fillsPlaceholders(String template, String expected) {
    assertThat(PartitionTemplate.parse(template).render(VALUES)).isEqualTo(expected);
  }

  @Test
  void startPrintsItsFractionOnlyIfThereIsOne() {
    Values values = new Values(Instant.parse("1969-12-31T23:59:59.120Z"), "accounts", "run-1");
    assertThat(PartitionTemplate.parse("{{.StartedAt}}").render(values))
        .isEqualTo("1969-12-31 23:59:59.12 +0000 UTC");
    assertThat(PartitionTemplate.parse("{{.Date}}").render(values)).isEqualTo("1969-12-31");
  }

  /** What a Helm chart has escaped comes out as it says, and no more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dt={{ \"{{.Date}}\" }}",
        "dt={{`{{.Date}}`}}",
        "dt={{ \"{{\" }}.Date{{ \"}}\" }}",
      })
  void textInQuotesIsNotEvaluatedAgain(String template) {
    assertThat(PartitionTemplate.parse(template).render(VALUES)).isEqualTo("dt={{.Date}}");
  }

  /** The kinds of rows are told in src/test/go/golden/templates.go. */
  @Test
  void meansWhatGoMeans() {
    List<List<String>> rows = GoldenRows.read("go-templates.tsv");
    assertThat(rows).hasSizeGreaterThan(3000);
    assertThat(rows)
        .allSatisfy(
            row -> {
              Optional<String> printed = printed(row.get(1), instant(row));
              switch (row.get(0)) {
                case "ok" -> assertThat(printed).as("%s", row).contains(row.get(4));
                case "any" ->
                    assertThat(printed.orElse(row.get(4))).as("%s", row).isEqualTo(row.get(4));
                default -> assertThat(printed).as("%s", row).isEmpty();
              }
            });
    // Damaged templates of which most still mean something show that "any" isn't refused as a
    // whole.
    assertThat(rows.stream().filter(row -> row.get(0).equals("any")))
        .filteredOn(row -> printed(row.get(1), instant(row)).isPresent())
        .hasSizeGreaterThan(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '~',
      value = {
        "dt={{.Day}}→6→unknown placeholder \".Day\"",
        "/dt={{.Day}}/→7→unknown placeholder \".Day\"",
        "{{.date}}→3→unknown placeholder \".date\"",
        "{{.StartedAt.Year}}→3→unknown placeholder \".StartedAt.Year\"",
        "{{.StartedAt.Format}}→20→.StartedAt.Format needs a blank and a layout in quotes",
        "{{.StartedAt.Format 2006}}→21→.StartedAt.Format needs a blank and a layout in quotes",
        "{{.Date | upper}}→9→unexpected \"| upper\"",
        "{{ printf \"%s\" .Date }}→4→unexpected \"printf \"%s\" .Date \"",
        "{{.Date-}}→8→unexpected \"-\" (a trim marker needs a blank at its inner side)",
        "{{-.Date}}→3→unexpected \"-.Date\" (a trim marker needs a blank at its inner side)",
        "{{/* note */}}→3→unexpected \"/* note */\"",
        "a{{}}→4→there is nothing between the braces",
        "a{{ -}}→5→there is nothing between the braces",
        "a/{{.Date→3→the braces aren't closed",
        "a/{{→3→the braces aren't closed",
        "{{ \"a }}→4→the string isn't closed",
        "{{ \"\\q\" }}→4→Go has no escape \"\\q\" in strings",
        "{{ \"\\xff\" }}→4→the string \"\\xff\" is not UTF-8",
      })
  void refusesTheRestWithItsPositionAndWhatIsAllowed(
      String template, int position, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PartitionTemplate.parse(template))
        .withMessage(
            "position "
                + position
                + " (counted from 1): "
                + problem
                + "; allowed are {{.Date}}, {{.StartedAt}}, {{.StartedAt.Format \"<Go time layout>\"}},"
                + " {{.Resource}}, {{.Run}} and {{ \"text\" }}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '~',
      value = {
        "a//b→segment 2 of \"a//b\" is empty",
        "a/./b→segment 2 of \"a/./b\" is \".\"",
        "a/..→segment 2 of \"a/..\" is \"..\"",
        "..→segment 1 of \"..\" is \"..\"",
        "{{\"..\"}}/a→segment 1 of \"../a\" is \"..\"",
        "{{\"/\"}}a→must be relative, but begins with \"/\": \"/a\"",
        "a{{\"/\"}}→segment 2 of \"a/\" is empty",
        "a/{{.StartedAt.Format \"\"}}/b→segment 2 of \"a//b\" is empty",
        "a/{{.StartedAt.Format \".999\"}}→segment 2 of \"a/\" is empty",
        "{{.StartedAt.Format \"2006//01\"}}→segment 2 of \"2026//09\" is empty",
        "a{{\"\\n\"}}→the control character U+000A: \"a\\u000A\"",
        "{{\"\\u0085\"}}→the control character U+0085: \"\\u0085\"",
      })
  void refusesWhatMakesNoPath(String template, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PartitionTemplate.parse(template))
        .withMessageStartingWith("the rendered partition must")
        .withMessageEndingWith(problem);
  }

  @Test
  void refusesHalfASurrogatePair() {
    for (String template : List.of("a\uD83D", "{{`\uDE00`}}", "{{.StartedAt.Format `\uD83D`}}")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PartitionTemplate.parse(template))
          .withMessageContaining("half a surrogate pair");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PartitionTemplate.parse("{{\"\uD83D\"}}"))
        .withMessageContaining("no character");
  }

  @Test
  void refusesAPathThatIsLongerThanAnyKey() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PartitionTemplate.parse("€".repeat(342)))
        .withMessageContaining("the rendered partition has 1026 bytes in UTF-8");
  }

  @Test
  void slashesAtTheEndsDoNotCount() {
    assertThat(PartitionTemplate.parse("//dt={{.Date}}/").render(VALUES))
        .isEqualTo("dt=2026-09-10");
    assertThat(PartitionTemplate.parse("//dt={{.Date}}/").text()).isEqualTo("dt={{.Date}}");
    assertThat(PartitionTemplate.parse("/").render(VALUES)).isEmpty();
  }

  private static Instant instant(List<String> row) {
    return Instant.ofEpochSecond(Long.parseLong(row.get(2)), Long.parseLong(row.get(3)));
  }

  /** What the parser makes of a template, before the path is checked; empty if it refuses. */
  private static Optional<String> printed(String template, Instant startedAt) {
    Values values = new Values(startedAt, "accounts", "run-1");
    try {
      return Optional.of(
          new TemplateParser(template, 0)
              .parse().stream().map(piece -> piece.apply(values)).collect(Collectors.joining()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
