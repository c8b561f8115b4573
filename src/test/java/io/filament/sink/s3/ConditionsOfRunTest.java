package io.filament.sink.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.ShortWaits;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import io.filament.sink.s3.testing.ServedBucket.Asked;
import io.filament.sink.s3.testing.StoreProfile;
import io.filament.sink.s3.testing.StoreProfile.Conditions;
import io.filament.sink.s3.testing.WireAnswer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** A run that is asked to finds out what the store makes of conditions before it writes. */
@Timeout(60)
class ConditionsOfRunTest {

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final int PART_BYTES = 256;
  private static final Map<String, Object> PROBE = Map.of("conditional_writes", "probe");
  private static final Map<String, Object> REQUIRE = Map.of("conditional_writes", "require");

  /** In the order of a probe; the second deletion is its last but one request. */
  private static final List<S3Operation> STEPS =
      List.of(S3Operation.DELETE_OBJECT, S3Operation.PUT_OBJECT, S3Operation.HEAD_OBJECT);

  private static FaultServer server;

  private S3Client client;
  private ServedBucket bucket;
  private int retryTimeoutSeconds = 1;

  @BeforeAll
  static void start() {
    server = FaultServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void createBucket() throws SinkException {
    openClient();
    conditions(Conditions.HONOURED);
  }

  private void openClient() throws SinkException {
    client = ShortWaits.client(server.uri(), 1, Duration.ofSeconds(30), 8);
  }

  @AfterEach
  void closeClient() {
    client.close();
  }

  @ParameterizedTest
  @CsvSource({
    "HONOURED, honoured, 5",
    "IGNORED, ignored, 10",
    "NOT_IMPLEMENTED, refused, 2",
  })
  void manifestTellsWhatTheStoreMakesOfConditions(Conditions conditions, String word, int requests)
      throws IOException {
    conditions(conditions);

    commit("run-1", PROBE);

    assertThat(manifest("run-1")).contains("\"conditionalPuts\":\"" + word + "\"");
    assertThat(probes()).hasSize(requests);
    assertThat(bucket.keys()).containsExactlyElementsOf(keys("run-1"));
  }

  @Test
  void openFindsItOutAfterItsLookForTheManifest() throws IOException {
    try (S3Sink sink = opened("run-1", PROBE)) {
      List<Asked> asked = bucket.asked();

      assertThat(asked.get(0).key()).endsWith("_SUCCESS.json");
      assertThat(asked.subList(1, asked.size()))
          .allMatch(request -> request.key().endsWith("_probe"));
      assertThat(probes()).hasSize(5);
      assertThat(bucket.keys()).isEmpty();
      sink.abort();
    }
  }

  @Test
  void laterRunOfTheClientDoesNotProbeAndTellsTheSame() throws IOException {
    commit("run-1", PROBE);
    commit("run-2", REQUIRE);

    assertThat(probes()).hasSize(5).allMatch(request -> request.key().contains("/run-1/"));
    assertThat(manifest("run-2")).contains("\"conditionalPuts\":\"honoured\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "full_object", "composite", "none"})
  void nothingIsProbedUnlessItIsAskedFor(String checksums) throws IOException {
    commit("run-1", Map.of("checksum_mode", checksums));

    assertThat(probes()).isEmpty();
    assertThat(manifest("run-1")).contains("\"conditionalPuts\":\"unknown\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"full_object", "composite", "none"})
  void levelOfChecksumsMayBeSetBeside(String checksums) throws IOException {
    commit("run-1", Map.of("checksum_mode", checksums, "conditional_writes", "require"));

    assertThat(probes()).hasSize(5);
    assertThat(manifest("run-1"))
        .contains("\"found\":\"configured\"", "\"conditionalPuts\":\"honoured\"");
  }

  @ParameterizedTest
  @CsvSource({"IGNORED, ignores", "NOT_IMPLEMENTED, refuses"})
  void storeThatDoesNotKeepWritersApartIsRefusedWhereThatIsRequired(
      Conditions conditions, String word) throws IOException {
    conditions(conditions);

    assertThatThrownBy(() -> opened("run-1", REQUIRE))
        .isInstanceOf(SinkException.class)
        .hasMessage(
            "open of run \"run-1\": conditional_writes is require, and s3://bucket: the store "
                + word
                + " If-None-Match for puts: two writers that commit one run id at the same moment"
                + " are not kept apart.");
    assertThatThrownBy(() -> opened("run-2", REQUIRE)).hasMessageContaining(word);

    assertThat(bucket.keys()).isEmpty();
    assertThat(probes()).allMatch(request -> request.key().contains("/run-1/"));
  }

  @Test
  void deletionThatIsRefusedKeepsEveryRunFromMakingAnObject() throws IOException {
    bucket.planAll(S3Operation.DELETE_OBJECT, refused(403, "AccessDenied"));

    commit("run-1", PROBE);
    assertThatThrownBy(() -> opened("run-2", REQUIRE))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("conditional_writes is require")
        .hasMessageContaining("DeleteObject s3://bucket/p/_runs/run-2/_probe")
        .hasCauseInstanceOf(StoreException.class);

    assertThat(probes())
        .hasSize(2)
        .allMatch(request -> request.operation() == S3Operation.DELETE_OBJECT);
    assertThat(manifest("run-1")).contains("\"conditionalPuts\":\"unknown\"");
    assertThat(bucket.keys()).containsExactlyElementsOf(keys("run-1"));
  }

  static Stream<Arguments> faultsOnTheWay() {
    return STEPS.stream()
        .flatMap(
            operation ->
                Stream.of(1, 2)
                    .filter(nth -> nth == 1 || operation != S3Operation.HEAD_OBJECT)
                    .flatMap(
                        nth ->
                            Stream.of(
                                    new Fault.Refused(WireAnswer.error(503, "SlowDown", "no")),
                                    new Fault.Refused(WireAnswer.error(500, "InternalError", "no")),
                                    new Fault.Cut(Fault.Point.REQUEST_READ),
                                    new Fault.Cut(Fault.Point.CARRIED_OUT),
                                    new Fault.Misreported(
                                        WireAnswer.error(500, "InternalError", "no")))
                                .map(fault -> Arguments.of(operation, nth, fault))));
  }

  @ParameterizedTest
  @MethodSource("faultsOnTheWay")
  void faultThatPassesLeavesNothingAndFailsNothing(S3Operation operation, int nth, Fault fault)
      throws IOException {
    bucket.plan(isProbe(operation), nth, nth, fault);

    commit("run-1", REQUIRE);

    assertThat(bucket.struck()).isEqualTo(1);
    assertThat(bucket.keys()).containsExactlyElementsOf(keys("run-1"));
    assertThat(manifest("run-1")).contains("\"conditionalPuts\":\"honoured\"");
  }

  /** What can't be deleted stays; anything else is taken away, and the next run knows more. */
  @ParameterizedTest
  @MethodSource("faultsOnTheWay")
  void faultThatStaysFailsNoRunThatOnlyProbes(S3Operation operation, int nth, Fault fault)
      throws IOException {
    retryTimeoutSeconds = 0;
    bucket.plan(isProbe(operation), nth, Integer.MAX_VALUE, fault);

    commit("run-1", PROBE);

    assertThat(bucket.struck()).isPositive();
    boolean mayStay = operation == S3Operation.DELETE_OBJECT && nth == 2;
    assertThat(bucket.keys().stream().filter(key -> !mayStay || !key.endsWith("_probe")))
        .containsExactlyElementsOf(keys("run-1"));

    bucket.heal();
    commit("run-2", PROBE);

    assertThat(manifest("run-2")).contains("\"conditionalPuts\":\"honoured\"");
  }

  @ParameterizedTest
  @MethodSource("faultsOnTheWay")
  void failureThatMayPassIsToldAsWhatItIs(S3Operation operation, int nth, Fault fault) {
    retryTimeoutSeconds = 0;
    bucket.plan(isProbe(operation), nth, Integer.MAX_VALUE, fault);
    boolean isShownBefore =
        operation == S3Operation.HEAD_OBJECT
            || (operation == S3Operation.DELETE_OBJECT && nth == 2);

    if (isShownBefore) {
      assertThatCode(() -> opened("run-1", REQUIRE).abort()).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> opened("run-1", REQUIRE))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.statusCode()).isIn(0, 500, 503));
    }
  }

  /** As if another writer of the run had deleted the object between two puts. */
  @Test
  void storeThatLosesTheObjectMeanwhileIsNotTakenForOneThatIgnoresTheCondition()
      throws IOException {
    bucket.plan(isProbe(S3Operation.PUT_OBJECT), 1, 1, new Fault.Forgotten());

    commit("run-1", REQUIRE);

    assertThat(manifest("run-1")).contains("\"conditionalPuts\":\"honoured\"");
    assertThat(bucket.keys()).containsExactlyElementsOf(keys("run-1"));
  }

  @ParameterizedTest
  @CsvSource({"400, ExpiredToken", "403, InvalidAccessKeyId", "404, NoSuchBucket"})
  void wrongKeysAndAMissingBucketAreToldByBoth(int status, String code) {
    bucket.planAll(S3Operation.DELETE_OBJECT, refused(status, code));

    for (Map<String, Object> settings : List.of(PROBE, REQUIRE)) {
      assertThatThrownBy(() -> opened("run-1", settings))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.errorCode()).isEqualTo(code));
    }
  }

  @Test
  void whatADeadProcessHasLeftIsDeletedWhenTheRunIsWrittenAgain() throws IOException {
    bucket.plan(S3Operation.DELETE_OBJECT, 2, Integer.MAX_VALUE, refused(500, "InternalError"));
    retryTimeoutSeconds = 0;
    opened("run-1", PROBE).abort();
    assertThat(bucket.keys()).containsExactly("p/_runs/run-1/_probe");
    bucket.heal();
    closeClient();
    openClient();

    commit("run-1", REQUIRE);

    assertThat(bucket.keys()).containsExactlyElementsOf(keys("run-1"));
  }

  @Test
  void abortWithinTheProbeDeletesItsObject() throws Exception {
    Fault.Stall stall = stallOfThePut();
    try (S3Sink sink = sink(PROBE)) {
      FutureTask<Void> open = new FutureTask<>(() -> openRun(sink, "run-1"));
      new Thread(open).start();
      stall.awaitReached();
      assertThat(bucket.keys()).contains("p/_runs/run-1/_probe");

      sink.abort();

      assertThatThrownBy(open::get)
          .hasCauseInstanceOf(SinkException.class)
          .hasMessageContaining("run \"run-1\" was aborted");
    } finally {
      stall.release();
    }
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void interruptWithinTheProbeDeletesItsObject() throws Exception {
    Fault.Stall stall = stallOfThePut();
    try (S3Sink sink = sink(PROBE)) {
      FutureTask<Void> open = new FutureTask<>(() -> openRun(sink, "run-1"));
      Thread thread = new Thread(open);
      thread.start();
      stall.awaitReached();

      thread.interrupt();

      assertThatThrownBy(open::get)
          .hasCauseInstanceOf(InterruptedIOException.class)
          .hasMessageContaining("open of run \"run-1\"");
    } finally {
      stall.release();
    }
    assertThat(bucket.keys()).isEmpty();
  }

  private Fault.Stall stallOfThePut() {
    Fault.Stall stall = new Fault.Stall();
    bucket.plan(
        isProbe(S3Operation.PUT_OBJECT), 1, 1, new Fault.Stalled(Fault.Point.CARRIED_OUT, stall));
    return stall;
  }

  private void conditions(Conditions conditions) {
    bucket =
        server.createBucket(
            "bucket", StoreProfile.S3.with(conditions).withPartsOfAtLeast(PART_BYTES));
  }

  private List<Asked> probes() {
    return bucket.asked().stream().filter(ConditionsOfRunTest::isProbe).toList();
  }

  /** Returns whether this is about an object at the probe's key; an upload is another probe's. */
  private static boolean isProbe(Asked request) {
    return request.key().contains("/_probe") && STEPS.contains(request.operation());
  }

  private static Predicate<Asked> isProbe(S3Operation operation) {
    return request -> isProbe(request) && request.operation() == operation;
  }

  private static Fault refused(int status, String code) {
    return new Fault.Refused(WireAnswer.error(status, code, "no"));
  }

  private String manifest(String run) {
    return new String(bucket.content("p/_runs/" + run + "/_SUCCESS.json"), UTF_8);
  }

  private static List<String> keys(String run) {
    return List.of(
        "p/_runs/" + run + "/_SUCCESS.json",
        "p/large/dt=2026-09-10/" + run + ".ndjson",
        "p/small/dt=2026-09-10/" + run + ".ndjson");
  }

  /** Commits a run with an object that is put and one of several parts. */
  private void commit(String run, Map<String, Object> settings) throws IOException {
    try (S3Sink sink = opened(run, settings)) {
      write(sink, "large", 30);
      write(sink, "small", 1);
      sink.commit();
    }
  }

  private S3Sink opened(String run, Map<String, Object> settings) throws IOException {
    S3Sink sink = sink(settings);
    openRun(sink, run);
    return sink;
  }

  private static @Nullable Void openRun(S3Sink sink, String run) throws IOException {
    sink.open(RunSpec.builder(run).startedAt(Instant.parse("2026-09-10T02:00:00Z")).build());
    return null;
  }

  private S3Sink sink(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bucket", "bucket");
    settings.put("prefix", "p");
    settings.put("file_format", "ndjson");
    settings.put("retry_timeout_s", retryTimeoutSeconds);
    return S3Sink.builder(S3SinkConfig.fromMap(settings))
        .client(client)
        .partSizeBytes(PART_BYTES)
        .build();
  }

  private static void write(S3Sink sink, String resource, int rows) throws IOException {
    Object[][] records = new Object[rows][];
    Arrays.setAll(records, id -> new Object[] {(long) id, "text"});
    sink.write(RecordBatch.ofRows(resource, SCHEMA, List.of(records)));
  }
}
