package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.ConfigField;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.store.KeyLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What docs/configuration.md and docs/layout.md say is so. */
class DocumentationTest {

  private static final String RUN = "cc7332f3-7abc-5f37-984d-9815634f1d7f";

  @Test
  void tableOfSettingsIsThatOfTheSink() throws IOException {
    List<List<String>> rows = table("docs/configuration.md", "| name | scope | default | values |");
    List<ConfigField> fields = new S3SinkProvider().spec().fields();
    assertThat(rows)
        .extracting(row -> code(row.get(0)))
        .isEqualTo(fields.stream().map(ConfigField::name).toList());
    for (int i = 0; i < fields.size(); i++) {
      ConfigField field = fields.get(i);
      String stated = rows.get(i).get(2);
      String values = rows.get(i).get(3);
      assertThat(rows.get(i).get(1)).isEqualTo(field.scope().name().toLowerCase(Locale.ROOT));
      assertThat(stated.equals("required") || values.contains("required with"))
          .isEqualTo(field.required() || !field.requiredWhen().isEmpty());
      field.defaultValue().ifPresent(value -> assertThat(stated).contains("`" + value + "`"));
      field
          .variants()
          .forEach(variant -> assertThat(stated).contains("`" + variant.defaultValue() + "`"));
      field
          .range()
          .ifPresent(range -> assertThat(values).startsWith(range.min() + " to " + range.max()));
      field.allowedValues().forEach(value -> assertThat(values).contains("`" + value + "`"));
    }
  }

  @Test
  void examplesOfTemplatesAreRight() throws IOException {
    assertThat(
            table(
                "docs/layout.md",
                "| template | partition of `accounts`, started 2026-09-10 02:00 |"))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            row ->
                assertThat(partition(code(row.get(0)), "2026-09-10T02:00:00Z"))
                    .isEqualTo(code(row.get(1))));
  }

  @Test
  void elementsOfTimeLayoutsPrintWhatTheTableSays() throws IOException {
    assertThat(table("docs/layout.md", "| element | value | for 2026-09-10 02:07:08.120034 |"))
        .hasSizeGreaterThan(15)
        .allSatisfy(
            row -> {
              String template = row.get(0).replaceAll("`([^`]+)`", "{{.StartedAt.Format \"$1\"}}");
              assertThat(partition(template, "2026-09-10T02:07:08.120034Z"))
                  .isEqualTo(row.get(2).replace("`", ""));
            });
  }

  @Test
  void sourceNamesHaveTheNormalFormsOfTheTable() throws IOException {
    assertThat(table("docs/layout.md", "| source name | prefix |"))
        .filteredOn(row -> row.get(0).startsWith("`") && row.get(1).startsWith("`"))
        .hasSize(2)
        .allSatisfy(
            row -> assertThat(KeyLayout.normalized(code(row.get(0)))).isEqualTo(code(row.get(1))));
  }

  private static String partition(String template, String startedAt) {
    S3SinkConfig config = S3SinkConfig.fromMap(Map.of("bucket", "lake", "partition", template));
    RunSpec run =
        RunSpec.builder(RUN)
            .startedAt(Instant.parse(startedAt))
            .resource("accounts", Schema.builder().build())
            .build();
    String key =
        config.keyLayout().forRun(run, config.objectFormat()).object(run.resources().get(0)).key();
    assertThat(key).startsWith("accounts/").endsWith("/" + RUN + ".ndjson");
    return key.substring("accounts/".length(), key.length() - RUN.length() - "/.ndjson".length());
  }

  /** Returns the cells of the rows below this heading. */
  private static List<List<String>> table(String page, String heading) throws IOException {
    List<String> lines = Files.readAllLines(Path.of(page));
    int first = lines.indexOf(heading) + 2;
    assertThat(first).as("%s has %s", page, heading).isGreaterThan(1);
    return lines.subList(first, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
        .toList();
  }

  private static String code(String cell) {
    assertThat(cell).startsWith("`").endsWith("`");
    return cell.substring(1, cell.length() - 1);
  }
}
