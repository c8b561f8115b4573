package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyLayoutTest {

  private static final String RUN = "cc7332f3-7abc-5f37-984d-9815634f1d7f";
  private static final Instant STARTED = Instant.parse("2026-09-10T02:00:00Z");
  private static final ObjectFormat PARQUET =
      new ObjectFormat(FileFormat.PARQUET, Compression.SNAPPY);
  private static final ObjectFormat NDJSON_GZIP =
      new ObjectFormat(FileFormat.NDJSON, Compression.GZIP);
  private static final Schema SCHEMA = Schema.builder().required("id", FieldType.INT64).build();

  @Test
  void objectsAndManifestLieWhereTheLayoutSays() {
    RunSpec run = run().resource("accounts", SCHEMA).resource("orders", SCHEMA).build();
    RunKeys keys = layout("local_pg", "dt={{.Date}}").forRun(run, PARQUET);

    assertThat(keys.object(run.resources().get(0)).key())
        .isEqualTo("local_pg/accounts/dt=2026-09-10/" + RUN + ".parquet");
    assertThat(keys.object(run.resources().get(1)).key())
        .isEqualTo("local_pg/orders/dt=2026-09-10/" + RUN + ".parquet");
    assertThat(keys.manifest().key()).isEqualTo("local_pg/_runs/" + RUN + "/_SUCCESS.json");
  }

  @Test
  void uriHoldsTheRawKey() {
    RunSpec run = run().resource("a b%20c+d#e?f:g", SCHEMA).build();
    RunKeys keys = layout("données/日本/🙂", "dt={{.Date}}").forRun(run, NDJSON_GZIP);

    assertThat(keys.object(run.resources().get(0)).uri())
        .isEqualTo("s3://bucket/données/日本/🙂/a b%20c+d#e?f:g/dt=2026-09-10/" + RUN + ".ndjson.gz");
    assertThat(keys.manifest().uri())
        .isEqualTo("s3://bucket/données/日本/🙂/_runs/" + RUN + "/_SUCCESS.json");
  }

  @Test
  void uriOfAnAccessPointHoldsItsArn() {
    String arn = "arn:aws:s3:eu-west-1:123456789012:accesspoint/raw";
    RunKeys keys =
        KeyLayout.of(arn, Optional.of("p"), PartitionTemplate.parse(""))
            .forRun(run().build(), PARQUET);
    assertThat(keys.manifest().uri())
        .isEqualTo("s3://" + arn + "/p/_runs/" + RUN + "/_SUCCESS.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc@def.com/x y  z/(1)!",
        "a b%20c+d#e?f:g",
        "données/日本/🙂",
        "a=b",
        "a:b",
        "e\u0301",
        "\u00e9",
        "_x/.y",
        "...",
        "a/..b",
        "~",
        "\"<>\\^`{}[]|"
      })
  void prefixKeepsEveryVisibleCharacter(String prefix) {
    RunKeys keys = layout(prefix, "").forRun(run().build(), PARQUET);
    assertThat(keys.manifest().key()).isEqualTo(prefix + "/_runs/" + RUN + "/_SUCCESS.json");
  }

  @Test
  void slashesAroundThePrefixDoNotCount() {
    assertThat(KeyLayout.prefix("//a/b/")).isEqualTo("a/b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      value = {
        "123//456 → segment 2 of \"123//456\" is empty",
        "/a//b/ → segment 2 of \"a//b\" is empty",
        "a/./b → segment 2 of \"a/./b\" is \".\"",
        "a/.. → segment 2 of \"a/..\" is \"..\"",
        "../a → segment 1 of \"../a\" is \"..\"",
        ". → segment 1 of \".\" is \".\"",
      })
  void prefixWithAFoldableSegmentIsRefused(String prefix, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout(prefix, ""))
        .withMessage("the prefix must not have an empty, \".\" or \"..\" segment, but " + problem);
  }

  @Test
  void prefixWithInvisibleCharactersIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout("a\tb", ""))
        .withMessage("the prefix must not hold the control character U+0009: \"a\\u0009b\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout("a\uDE00b", ""))
        .withMessage(
            "the prefix must not hold half a surrogate pair, which has no UTF-8 form, U+DE00:"
                + " \"a\\uDE00b\"");
  }

  @Test
  void withoutPrefixTheSourceNameDecides() {
    KeyLayout layout = KeyLayout.of("bucket", Optional.empty(), PartitionTemplate.parse(""));
    assertThat(layout.forRun(run().sourceName("Local PG").build(), PARQUET).manifest().key())
        .startsWith("local_pg/_runs/");
    assertThat(layout.forRun(run().build(), PARQUET).manifest().key()).startsWith("_runs/");
    assertThat(layout.forRun(run().sourceName("").build(), PARQUET).manifest().key())
        .startsWith("_runs/");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout.forRun(run().sourceName("日本").build(), PARQUET))
        .withMessage(
            "the source name \"日本\" has no ASCII letter or digit that could name a prefix;"
                + " set prefix");
  }

  @Test
  void configuredPrefixWinsOverTheSourceName() {
    RunSpec run = run().sourceName("日本").build();
    assertThat(layout("p", "").forRun(run, PARQUET).manifest().key()).startsWith("p/_runs/");
    assertThat(layout("/", "").forRun(run, PARQUET).manifest().key()).startsWith("_runs/");
  }

  @ParameterizedTest
  @CsvSource({
    "Local PG,local_pg",
    "local_pg,local_pg",
    "LOCAL-pg,local_pg",
    "' -Local -_- PG- ',local_pg",
    "a__b,a_b",
    "_a_,a",
    "2024 sales,_2024_sales",
    "_2024,_2024",
    "0,_0",
    "Ärger & Söhne,rger_s_hne",
    "\u212Aelvin İstanbul,elvin_stanbul",
    "a🙂b,a_b",
    "٣x,x",
    "'',''",
    "日本,''",
    "___,''",
  })
  void sourceNamesAreNormalised(String sourceName, String normal) {
    assertThat(KeyLayout.normalized(sourceName)).isEqualTo(normal);
    assertThat(KeyLayout.normalized(normal)).isEqualTo(normal);
  }

  @Test
  void normalisedSourceNamesHaveAtMost63Bytes() {
    assertThat(KeyLayout.normalized("a".repeat(64))).isEqualTo("a".repeat(63));
    assertThat(KeyLayout.normalized("a".repeat(62) + " b")).isEqualTo("a".repeat(62));
    assertThat(KeyLayout.normalized("1".repeat(63))).isEqualTo("_" + "1".repeat(62));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '~',
      value = {
        "~~ → must not be empty",
        ". → must not be \".\"",
        ".. → must not be \"..\"",
        "a/b → must not hold \"/\": \"a/b\"",
        "\"><img> → must not hold U+0022 (\"): \"\"><img>\"",
        "a>b → must not hold U+003E (>): \"a>b\"",
      })
  void namesThatMakeNoSegmentAreRefused(String name, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource(name, SCHEMA)))
        .withMessage("resource \"" + name + "\" " + problem);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource("x", SCHEMA, name)))
        .withMessage("the folder of resource \"x\" " + problem);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(RunSpec.builder(name)))
        .withMessage("the run id " + problem);
  }

  @ParameterizedTest
  @CsvSource({
    "10,U+000A",
    "0,U+0000",
    "9,U+0009",
    "31,U+001F",
    "127,U+007F",
    "133,U+0085",
    "159,U+009F"
  })
  void namesWithControlCharactersAreRefused(int codePoint, String shown) {
    String name = "a" + Character.toString(codePoint) + "b";
    String problem =
        "must not hold the control character %s: \"a\\u%s\""
            .formatted(shown, shown.substring(2) + "b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource(name, SCHEMA)))
        .withMessageEndingWith(problem);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(RunSpec.builder(name)))
        .withMessage("the run id " + problem);
  }

  @Test
  void halfASurrogatePairIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource("a\uD83D", SCHEMA)))
        .withMessageContaining("half a surrogate pair, which has no UTF-8 form, U+D83D");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(RunSpec.builder("\uDE00\uD83D")))
        .withMessageContaining("half a surrogate pair, which has no UTF-8 form, U+DE00");
  }

  @ParameterizedTest
  @ValueSource(strings = {"_runs", "_a", ".a", "..."})
  void foldersThatQueryEnginesSkipAreRefused(String folder) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource(folder, SCHEMA)))
        .withMessage(
            "resource \"%s\" must not begin with \"_\" or \".\", since query engines skip such folders: \"%s\"",
            folder, folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"=", "a@b", "~x", "50%", "a b", " ", "é", "日本🙂", "a_.", "a\\b", "a:b+c#d?e"})
  void otherNamesStayAsTheyAre(String name) {
    RunSpec run = RunSpec.builder(name).startedAt(STARTED).resource(name, SCHEMA).build();
    RunKeys keys = layout("p", "").forRun(run, PARQUET);
    assertThat(keys.object(run.resources().get(0)).key())
        .isEqualTo("p/" + name + "/" + name + ".parquet");
  }

  @Test
  void onlyTheFolderOfAResourceCounts() {
    RunSpec run = run().resource("public/accounts\n", SCHEMA, "accounts").build();
    assertThat(layout("p", "").forRun(run, PARQUET).object(run.resources().get(0)).key())
        .isEqualTo("p/accounts/" + RUN + ".parquet");
  }

  @Test
  void resourcesMustNotShareAFolder() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource("a", SCHEMA, "x").resource("b", SCHEMA, "x")))
        .withMessage("resources \"a\" and \"b\" must not share the folder \"x\"");
  }

  @Test
  void resourcesMustNotShareAName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource("a", SCHEMA, "x").resource("a", SCHEMA, "y")))
        .withMessage("resource \"a\" is declared twice");
  }

  @Test
  void foldersThatDifferInCaseOrNormalFormAreTwo() {
    RunSpec run =
        run()
            .resource("Orders", SCHEMA)
            .resource("orders", SCHEMA)
            .resource("\u00e9", SCHEMA)
            .resource("e\u0301", SCHEMA)
            .build();
    RunKeys keys = layout("p", "").forRun(run, PARQUET);
    assertThat(run.resources().stream().map(keys::object).distinct()).hasSize(4);
  }

  @Test
  void keyHasAtMost1024BytesInUtf8() {
    RunKeys keys = layout("", "").forRun(RunSpec.builder("r").build(), PARQUET);
    String euros = "€".repeat(338);
    S3Location longest = keys.declare(resource(euros));
    assertThat(longest.key().getBytes(StandardCharsets.UTF_8)).hasSize(1024);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.declare(resource(euros + "x")))
        .withMessageContaining("has 1025 bytes in UTF-8, and S3 takes at most 1024");
  }

  @Test
  void tooLongResourceNameIsRefusedInBytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource("€".repeat(400), SCHEMA)))
        .withMessageStartingWith("the key of resource \"€€€")
        .withMessageContaining(
            "has " + (1200 + 2 + 1 + RUN.length() + ".parquet".length()) + " bytes");
  }

  @Test
  void manifestKeyHasItsLimitToo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(RunSpec.builder("r".repeat(1010))))
        .withMessageStartingWith("the key of the manifest has ");
  }

  @Test
  void templateIsCheckedWithTheResourcesOfTheRun() {
    RunSpec run = run().resource("a", SCHEMA).build();
    assertThat(
            layout("p", "{{.Resource}}/{{.Run}}")
                .forRun(run, PARQUET)
                .object(run.resources().get(0))
                .key())
        .isEqualTo("p/a/a/" + RUN + "/" + RUN + ".parquet");
  }

  /** All folders of a run come from its start, whatever the clock says when a resource begins. */
  @Test
  void resourcesThatAreDeclaredLaterLandInTheSamePartition() {
    RunSpec run =
        RunSpec.builder(RUN)
            .startedAt(Instant.parse("2023-12-31T23:59:59.999Z"))
            .resource("a", SCHEMA)
            .build();
    RunKeys keys = layout("p", "dt={{.Date}}").forRun(run, PARQUET);
    assertThat(keys.object(run.resources().get(0)).key()).startsWith("p/a/dt=2023-12-31/");
    assertThat(keys.declare(resource("b")).key()).startsWith("p/b/dt=2023-12-31/");
  }

  @Test
  void refusedDeclarationChangesNothing() {
    RunKeys keys = layout("p", "").forRun(run().resource("a", SCHEMA).build(), PARQUET);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.declare(new RunSpec.Resource("a", SCHEMA, "free")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.declare(new RunSpec.Resource("b", SCHEMA, "a")));
    assertThat(keys.declare(new RunSpec.Resource("b", SCHEMA, "free")).key())
        .isEqualTo("p/free/" + RUN + ".parquet");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.object(resource("c")))
        .withMessage("resource \"c\" is not declared");
  }

  @Test
  void instantsWithoutALocalDateAreRefused() {
    RunSpec run = RunSpec.builder(RUN).startedAt(Instant.MIN).resource("a", SCHEMA).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout("p", "{{.Date}}").forRun(run, PARQUET))
        .withMessageContaining("outside the years");
  }

  /** One layout serves many runs at once, and a folder goes to one resource alone. */
  @Test
  void keysAreTheSameUnderLoad() throws Exception {
    KeyLayout layout = layout("p", "dt={{.Date}}/{{.StartedAt.Format \"150405.000\"}}/{{.Run}}");
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Callable<Void>> opens = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        int number = i;
        opens.add(
            () -> {
              RunSpec run =
                  RunSpec.builder("run-" + number)
                      .startedAt(STARTED.plusMillis(number))
                      .resource("a", SCHEMA)
                      .build();
              assertThat(layout.forRun(run, PARQUET).object(run.resources().get(0)).key())
                  .isEqualTo(
                      "p/a/dt=2026-09-10/020000.%03d/run-%d/run-%d.parquet"
                          .formatted(number, number, number));
              return null;
            });
      }
      for (Future<Void> open : threads.invokeAll(opens)) {
        open.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void ofManyDeclarationsOfOneFolderOneWins() throws Exception {
    RunKeys keys = layout("p", "").forRun(run().build(), PARQUET);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Callable<Integer>> declarations =
          IntStream.range(0, 200)
              .<Callable<Integer>>mapToObj(
                  i ->
                      () -> {
                        try {
                          keys.declare(new RunSpec.Resource("r" + i, SCHEMA, "folder"));
                          return 1;
                        } catch (IllegalArgumentException e) {
                          return 0;
                        }
                      })
              .toList();
      int winners = 0;
      for (Future<Integer> declaration : threads.invokeAll(declarations)) {
        winners += declaration.get();
      }
      assertThat(winners).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private static RunSpec.Builder run() {
    return RunSpec.builder(RUN).startedAt(STARTED);
  }

  private static RunSpec.Resource resource(String name) {
    return new RunSpec.Resource(name, SCHEMA, name);
  }

  private static KeyLayout layout(String prefix, String partition) {
    return KeyLayout.of("bucket", Optional.of(prefix), PartitionTemplate.parse(partition));
  }

  private static void open(RunSpec.Builder run) {
    layout("p", "").forRun(run.build(), PARQUET);
  }
}
