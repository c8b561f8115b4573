package io.filament.sink.s3.internal.store;

import static io.filament.sink.s3.internal.store.Runs.PARQUET;
import static io.filament.sink.s3.internal.store.Runs.RUN;
import static io.filament.sink.s3.internal.store.Runs.SCHEMA;
import static io.filament.sink.s3.internal.store.Runs.STARTED;
import static io.filament.sink.s3.internal.store.Runs.layout;
import static io.filament.sink.s3.internal.store.Runs.open;
import static io.filament.sink.s3.internal.store.Runs.resource;
import static io.filament.sink.s3.internal.store.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.RunSpec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunKeysTest {

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
        .withMessage("a resource's folder, by default its name, " + problem);
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
            "a resource's folder, by default its name, must not begin with \"_\" or \".\", since query engines skip such folders: \"%s\"",
            folder);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(run().resource("x", SCHEMA, folder)))
        .withMessage(
            "the folder of resource \"x\" must not begin with \"_\" or \".\", since query engines skip such folders: \"%s\"",
            folder);
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
  void aNameThatTheManifestCanNotHoldIsRefusedWhateverItsFolder() {
    RunKeys keys = layout("p", "").forRun(run().build(), PARQUET);

    assertThatThrownBy(() -> keys.declare(new RunSpec.Resource("a\uD800", SCHEMA, "folder")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not hold half a surrogate pair");
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
}
