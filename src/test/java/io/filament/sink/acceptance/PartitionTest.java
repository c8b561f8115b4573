package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.InvalidConfigException;
import io.filament.sink.RunSpec;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The directory that a run's start gives its objects. */
class PartitionTest extends WithBucket {

  private final TimeZone zoneBefore = TimeZone.getDefault();
  private final Locale localeBefore = Locale.getDefault();

  @AfterEach
  void restoreDefaults() {
    TimeZone.setDefault(zoneBefore);
    Locale.setDefault(localeBefore);
  }

  /** Returns what is between the resource's folder and the file of a published run. */
  private String partitionOf(String template, String startedAt) throws IOException {
    RunSpec run = RunSpec.builder(RUN_ID).startedAt(Instant.parse(startedAt)).build();
    publishAndClose(bucket.sink("prefix", "p", "partition", template), run, people("accounts"));
    List<String> keys =
        bucket.keys().stream().filter(key -> key.startsWith("p/accounts/")).toList();
    assertThat(keys).hasSize(1);
    String key = keys.get(0);
    assertThat(key).endsWith("/" + RUN_ID + ".ndjson");
    int end = key.length() - RUN_ID.length() - ".ndjson".length() - 1;
    return end < "p/accounts/".length() ? "" : key.substring("p/accounts/".length(), end);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "dt={{.Date}} | dt=2026-09-10",
        "/dt={{.Date}}/ | dt=2026-09-10",
        "dt={{ .Date }} | dt=2026-09-10",
        "month={{.StartedAt.Format \"2006-01\"}} | month=2026-09",
        "month={{.StartedAt.Format `2006-01`}} | month=2026-09",
        "year={{.StartedAt.Format \"2006\"}}/month={{.StartedAt.Format \"01\"}} | year=2026/month=09",
        "{{.StartedAt.Format \"2006/01/02\"}} | 2026/09/10",
        "{{.StartedAt.Format \"Jan _2 2006\"}} | Sep 10 2026",
        "day={{.StartedAt.Format \"002\"}} | day=253",
        "hour={{.StartedAt.Format \"15\"}} | hour=02",
        "at={{.StartedAt.Format \"2006-01-02T15:04:05Z07:00\"}} | at=2026-09-10T02:00:00Z",
        "{{.StartedAt}} | 2026-09-10 02:00:00 +0000 UTC",
        "r={{.Resource}}/run={{.Run}} | r=accounts/run=cc7332f3-7abc-5f37-984d-9815634f1d7f",
        "{{ \"dt\" }}={{.Date}} | dt=2026-09-10",
        "a {{- .Date -}} b | a2026-09-10b",
        "fixed | fixed"
      })
  void isFilledFromTheStartOfTheRun(String template, String partition) throws IOException {
    assertThat(partitionOf(template, "2026-09-10T02:00:00Z")).isEqualTo(partition);
  }

  @Test
  void mayBeEmpty() throws IOException {
    assertThat(partitionOf("", "2026-09-10T02:00:00Z")).isEmpty();
    assertThat(bucket.keys()).contains("p/accounts/" + RUN_ID + ".ndjson");
  }

  @Test
  void isInUtcWhateverTheZoneOfTheJvm() throws IOException {
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
    assertThat(partitionOf("dt={{.Date}}", "2024-01-01T23:30:00Z")).isEqualTo("dt=2024-01-01");
  }

  @Test
  void layoutIsInUtcWhateverTheZoneOfTheJvm() throws IOException {
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
    assertThat(partitionOf("{{.StartedAt.Format \"2006-01-02 15 MST\"}}", "2024-01-01T23:30:00Z"))
        .isEqualTo("2024-01-01 23 UTC");
  }

  @Test
  void namesOfMonthsAndDaysAreEnglishWhateverTheLocaleOfTheJvm() throws IOException {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertThat(
            partitionOf("{{.StartedAt.Format \"Monday 2 January 2006\"}}", "2026-09-10T02:00:00Z"))
        .isEqualTo("Thursday 10 September 2026");
  }

  @Test
  void ofARunBefore1970IsItsOwnDay() throws IOException {
    assertThat(partitionOf("dt={{.Date}}", "1969-12-31T23:59:59Z")).isEqualTo("dt=1969-12-31");
  }

  @Test
  void fractionOfASecondIsPrintedOnlyIfThereIsOne() throws IOException {
    assertThat(partitionOf("{{.StartedAt}}", "2026-09-10T02:00:00.12Z"))
        .isEqualTo("2026-09-10 02:00:00.12 +0000 UTC");
  }

  @Test
  void ofAResourceDeclaredLaterIsThatOfTheRunsStart() throws IOException {
    RunSpec run =
        RunSpec.builder(RUN_ID).startedAt(Instant.parse("2024-02-28T23:59:59.999Z")).build();
    publishAndClose(bucket.sink(), run, people("accounts"), people("orders"));

    assertThat(bucket.keys())
        .contains(
            "accounts/dt=2024-02-28/" + RUN_ID + ".ndjson",
            "orders/dt=2024-02-28/" + RUN_ID + ".ndjson");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{.Nonsense}}",
        "{{.Date",
        "{{.Date | upper}}",
        "{{.StartedAt.Format}}",
        "{{.StartedAt.Format \"2006}}",
        "{{if .Date}}x{{end}}",
        "{{}}",
        "dt={{.date}}"
      })
  void otherPlaceholdersAreRefusedByTheConfiguration(String template) {
    assertThatThrownBy(() -> bucket.sink("partition", template))
        .isInstanceOfSatisfying(
            InvalidConfigException.class,
            e -> assertThat(e.problems()).extracting("field").containsExactly("partition"))
        .hasMessageContaining("{{.Date}}")
        .hasMessageContaining("{{.StartedAt.Format");
  }

  @Test
  void refusalNamesThePositionInTheTemplate() {
    assertThatThrownBy(() -> bucket.sink("partition", "year=x/{{.Nonsense}}"))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("Nonsense")
        .hasMessageMatching("(?s).*\\b(7|8|9|10)\\b.*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a//b", "a/./b", "a/../b", "..", ".", "a\nb", "a/{{ \"..\" }}/b"})
  void pathThatIsNoCleanRelativeOneIsRefused(String template) {
    assertThatThrownBy(
            () ->
                publishAndClose(
                    bucket.sink("partition", template), Runs.run().build(), people("accounts")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition");
    assertThat(bucket.keys()).isEmpty();
  }
}
