package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import io.filament.sink.WriteMode;
import io.filament.sink.WriteReceipt;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the objects of a run and its manifest are. */
class LayoutTest extends OnEveryEndpoint {

  private static final String MANIFEST_KEY = "local_pg/_runs/" + RUN_ID + "/_SUCCESS.json";

  private RunManifest publishPeople(RunSpec run, Object... settings) throws IOException {
    try (Sink sink = bucket.sink(settings)) {
      return publish(sink, run, people("orders"), people("accounts"));
    }
  }

  @Test
  void runOfTwoResourcesGivesTwoObjectsAndOneManifest() throws IOException {
    publishPeople(run().sourceName("Local PG").build(), "file_format", "parquet");

    assertThat(bucket.keys())
        .containsExactlyInAnyOrder(
            "local_pg/accounts/dt=2026-09-10/cc7332f3-7abc-5f37-984d-9815634f1d7f.parquet",
            "local_pg/orders/dt=2026-09-10/cc7332f3-7abc-5f37-984d-9815634f1d7f.parquet",
            "local_pg/_runs/cc7332f3-7abc-5f37-984d-9815634f1d7f/_SUCCESS.json");
  }

  @Test
  void manifestListsTheObjectsOrderedByKey() throws IOException {
    publishPeople(run().sourceName("Local PG").build());

    Map<String, Object> manifest = bucket.manifest(MANIFEST_KEY);
    assertThat(manifest).containsEntry("run", RUN_ID);
    assertThat(manifest.get("version")).hasToString("1");
    assertThat(bucket.manifestEntries(MANIFEST_KEY))
        .extracting(entry -> entry.get("name"))
        .containsExactly("accounts", "orders");
  }

  @Test
  void manifestDescribesEachObject() throws IOException {
    publishPeople(run().sourceName("Local PG").build());

    String key = "local_pg/accounts/dt=2026-09-10/" + RUN_ID + ".ndjson";
    byte[] object = bucket.bytes(key);
    Map<String, Object> entry = bucket.manifestEntries(MANIFEST_KEY).get(0);
    assertThat(entry.get("name")).isEqualTo("accounts");
    assertThat(entry.get("key")).isEqualTo(key);
    assertThat(entry.get("uri")).isEqualTo("s3://" + bucket.name() + "/" + key);
    assertThat(entry.get("rows")).hasToString("2");
    assertThat(entry.get("bytes")).hasToString(String.valueOf(object.length));
    assertThat(entry.get("crc32c")).isEqualTo(Stored.crc32c(object));
  }

  @Test
  void manifestMembersHaveTheirNamesAndOrder() throws IOException {
    publishPeople(run().sourceName("Local PG").build());

    String text = Json.utf8(bucket.bytes(MANIFEST_KEY));
    assertThat(text).startsWith("{\"version\":1,\"run\":\"" + RUN_ID + "\",");
    assertThat(text)
        .containsPattern(
            "\\{\"name\":\"accounts\",\"key\":\"[^\"]+\",\"uri\":\"s3://[^\"]+\",\"rows\":2,"
                + "\"bytes\":[0-9]+,\"crc32c\":\"[0-9a-f]{8}\"");
  }

  @Test
  void manifestIsJsonToAReaderOfHeaders() throws IOException {
    publishPeople(run().sourceName("Local PG").build());

    assertThat(bucket.head(MANIFEST_KEY).contentType()).isEqualTo("application/json");
    assertThat(bucket.head(MANIFEST_KEY).contentEncoding()).isNullOrEmpty();
  }

  @Test
  void commitReturnsWhatTheManifestHolds() throws IOException {
    RunManifest returned = publishPeople(run().sourceName("Local PG").build());

    assertThat(returned.version()).isEqualTo(1);
    assertThat(returned.run()).isEqualTo(RUN_ID);
    assertThat(returned.uri()).isEqualTo("s3://" + bucket.name() + "/" + MANIFEST_KEY);
    assertThat(returned.resources())
        .extracting(RunManifest.Entry::name, RunManifest.Entry::key, RunManifest.Entry::crc32c)
        .containsExactlyElementsOf(
            bucket.manifestEntries(MANIFEST_KEY).stream()
                .map(entry -> tuple(entry.get("name"), entry.get("key"), entry.get("crc32c")))
                .toList());
  }

  @Test
  void receiptNamesTheObjectAndTheRowsOfItsBatch() throws IOException {
    try (Sink sink = bucket.sink("prefix", "p")) {
      sink.open(run().build());
      WriteReceipt first = sink.write(people("accounts"));
      WriteReceipt second = sink.write(people("accounts"));

      String uri = "s3://" + bucket.name() + "/p/accounts/dt=2026-09-10/" + RUN_ID + ".ndjson";
      assertThat(first.resource()).isEqualTo("accounts");
      assertThat(first.uri()).isEqualTo(uri);
      assertThat(first.rows()).isEqualTo(2);
      assertThat(second.rows()).isEqualTo(2);
      assertThat(second.encodedBytes()).isGreaterThanOrEqualTo(first.encodedBytes());
    }
  }

  @Test
  void configuredPrefixReplacesTheSourceName() throws IOException {
    publishPeople(run().sourceName("Local PG").build(), "prefix", "/raw/pg/");

    assertThat(bucket.keys()).allMatch(key -> key.startsWith("raw/pg/"));
  }

  @Test
  void withoutPrefixAndSourceNameTheKeysBeginWithTheFolder() throws IOException {
    publishPeople(run().build());

    assertThat(bucket.keys())
        .containsExactlyInAnyOrder(
            "_runs/" + RUN_ID + "/_SUCCESS.json",
            "accounts/dt=2026-09-10/" + RUN_ID + ".ndjson",
            "orders/dt=2026-09-10/" + RUN_ID + ".ndjson");
  }

  @Test
  void folderOfAResourceIsInTheKeyAndItsNameInTheManifest() throws IOException {
    RunSpec run = run().resource("public.accounts", PEOPLE, "accounts_v2").build();
    RunManifest manifest;
    try (Sink sink = bucket.sink("prefix", "p")) {
      manifest = publish(sink, run, people("public.accounts"));
    }

    assertThat(bucket.keys()).contains("p/accounts_v2/dt=2026-09-10/" + RUN_ID + ".ndjson");
    assertThat(manifest.resources().get(0).name()).isEqualTo("public.accounts");
  }

  @Test
  void runWithoutResourcesPublishesAnEmptyManifest() throws IOException {
    RunManifest manifest;
    try (Sink sink = bucket.sink("prefix", "p")) {
      manifest = publish(sink, run().build());
    }

    assertThat(manifest.resources()).isEmpty();
    assertThat(bucket.keys()).containsExactly("p/_runs/" + RUN_ID + "/_SUCCESS.json");
  }

  @ParameterizedTest
  @EnumSource(WriteMode.class)
  void bothModesAreAccepted(WriteMode mode) throws IOException {
    publishPeople(run().mode(mode).build());

    assertThat(bucket.keys()).hasSize(3);
  }

  @Test
  void laterRunLeavesTheObjectsOfAnEarlierOne() throws IOException {
    publishPeople(run("first").build(), "prefix", "p");
    publishPeople(run("second").mode(WriteMode.FULL_REPLACE).build(), "prefix", "p");

    assertThat(bucket.keys())
        .contains(
            "p/accounts/dt=2026-09-10/first.ndjson",
            "p/accounts/dt=2026-09-10/second.ndjson",
            "p/_runs/first/_SUCCESS.json",
            "p/_runs/second/_SUCCESS.json");
  }
}
