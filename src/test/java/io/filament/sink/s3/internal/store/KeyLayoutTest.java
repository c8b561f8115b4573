package io.filament.sink.s3.internal.store;

import static io.filament.sink.s3.internal.store.Runs.NDJSON_GZIP;
import static io.filament.sink.s3.internal.store.Runs.PARQUET;
import static io.filament.sink.s3.internal.store.Runs.RUN;
import static io.filament.sink.s3.internal.store.Runs.SCHEMA;
import static io.filament.sink.s3.internal.store.Runs.STARTED;
import static io.filament.sink.s3.internal.store.Runs.layout;
import static io.filament.sink.s3.internal.store.Runs.open;
import static io.filament.sink.s3.internal.store.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.filament.sink.RunSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyLayoutTest {

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
  void whatIsAbortedLiesBelowThePrefixToo() {
    assertThat(layout("local_pg", "").forRun(run().build(), PARQUET).probe().key())
        .isEqualTo("local_pg/_runs/" + RUN + "/_probe");
    assertThat(layout("local_pg", "").connectionTest("1").key())
        .isEqualTo("local_pg/_runs/_connection-test/1");
    assertThat(layout("", "").connectionTest("1").key()).isEqualTo("_runs/_connection-test/1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fixed", "of={{.Resource}}", "dt={{.Date}}", "run={{.Run}}"})
  void runsNeverShareAKeyWhateverThePartition(String partition) {
    RunSpec one = RunSpec.builder("one").startedAt(STARTED).resource("a", SCHEMA).build();
    RunSpec other = RunSpec.builder("other").startedAt(STARTED).resource("a", SCHEMA).build();
    RunKeys ofOne = layout("p", partition).forRun(one, PARQUET);
    RunKeys ofOther = layout("p", partition).forRun(other, PARQUET);

    assertThat(ofOne.object(one.resources().get(0)).key()).endsWith("/one.parquet");
    assertThat(ofOther.object(other.resources().get(0)).key()).endsWith("/other.parquet");
    assertThat(ofOne.manifest().key()).isNotEqualTo(ofOther.manifest().key());
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
}
