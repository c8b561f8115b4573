package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunSpecTest {

  private static final Schema SCHEMA = Schema.builder().required("id", FieldType.INT64).build();

  @Test
  void whatIsNotSaidHasADefault() {
    Instant before = Instant.now();
    RunSpec run = RunSpec.builder("run-1").build();
    assertThat(run.runId()).isEqualTo("run-1");
    assertThat(run.startedAt()).isBetween(before, Instant.now());
    assertThat(run.sourceName()).isEmpty();
    assertThat(run.mode()).isEqualTo(WriteMode.FULL_REPLACE);
    assertThat(run.resources()).isEmpty();
  }

  @Test
  void whatIsSaidIsKept() {
    Instant start = Instant.parse("2026-09-10T02:00:00Z");
    RunSpec run =
        RunSpec.builder("run-1")
            .startedAt(start)
            .sourceName("Local PG")
            .mode(WriteMode.FULL_APPEND)
            .resource("orders", SCHEMA)
            .resource("accounts", SCHEMA, "accounts_v2")
            .build();
    assertThat(run.startedAt()).isEqualTo(start);
    assertThat(run.sourceName()).contains("Local PG");
    assertThat(run.mode()).isEqualTo(WriteMode.FULL_APPEND);
    assertThat(run.resources())
        .containsExactly(
            new RunSpec.Resource("orders", SCHEMA, "orders"),
            new RunSpec.Resource("accounts", SCHEMA, "accounts_v2"));
  }

  @Test
  void aRunShowsWhatItIs() {
    RunSpec.Builder run = RunSpec.builder("run-1").startedAt(Instant.parse("2026-09-10T02:00:00Z"));

    assertThat(run.build())
        .hasToString(
            "RunSpec[runId=run-1, startedAt=2026-09-10T02:00:00Z, mode=FULL_REPLACE, resources=[]]");
    assertThat(
            run.sourceName("Local PG")
                .resource("orders", SCHEMA)
                .resource("accounts", SCHEMA, "accounts_v2")
                .build())
        .hasToString(
            "RunSpec[runId=run-1, startedAt=2026-09-10T02:00:00Z, sourceName=Local PG,"
                + " mode=FULL_REPLACE, resources=[orders, accounts]]");
  }

  @Test
  void ofManyResourcesARunShowsTheFirst() {
    RunSpec.Builder run = RunSpec.builder("run-1");
    for (int i = 1; i <= 5_000; i++) {
      run.resource("r" + i, SCHEMA);
    }

    assertThat(run.build().toString()).endsWith("r19, r20, and 4980 more]]").hasSizeLessThan(300);
  }

  @Test
  void aRunDoesNotChangeWithItsBuilder() {
    RunSpec.Builder builder = RunSpec.builder("run-1").resource("orders", SCHEMA);
    RunSpec run = builder.build();
    builder.resource("accounts", SCHEMA);
    assertThat(run.resources()).hasSize(1);
  }

  @Test
  void nothingOfARunIsNull() {
    assertThatThrownBy(() -> RunSpec.builder(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("runId");
    RunSpec.Builder builder = RunSpec.builder("run-1");
    assertThatThrownBy(() -> builder.startedAt(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.sourceName(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.mode(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.resource(null, SCHEMA))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.resource("orders", null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.resource("orders", SCHEMA, null))
        .isInstanceOf(NullPointerException.class);
  }
}
