package io.filament.sink.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.FieldType;
import io.filament.sink.IntegrityException;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunConflictException;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.ShortWaits;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import io.filament.sink.s3.testing.StoreProfile;
import io.filament.sink.s3.testing.StoreProfile.Checksums;
import io.filament.sink.s3.testing.StoreProfile.Conditions;
import io.filament.sink.s3.testing.WireAnswer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Whole runs over HTTP, on stores that refuse, lie or lose. */
@Timeout(60)
class StoreFaultsTest {

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();
  private static final int PART_BYTES = 256;
  private static final String FOLDER = "s3://bucket/p/%s/dt=2026-09-10/run-1.ndjson";

  private static FaultServer server;

  private S3Client client;
  private ServedBucket bucket;

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
    client = ShortWaits.client(server.uri(), 10, Duration.ofSeconds(30), 8);
    profile(Checksums.FULL_OBJECT);
  }

  @AfterEach
  void closeClient() {
    client.close();
  }

  @Test
  void completeWhoseAnswerIsLostAndWhoseRetryFindsNoUploadIsASuccess() throws IOException {
    bucket.plan(S3Operation.COMPLETE_MULTIPART_UPLOAD, 1, new Fault.Cut(Fault.Point.CARRIED_OUT));

    write(client, "full_object", "orders");

    assertThat(bucket.asked(S3Operation.COMPLETE_MULTIPART_UPLOAD)).hasSize(2);
    assertThat(manifestExists()).isTrue();
  }

  @Test
  void completeThatIsRefusedWith412NamesTheKeyAndLeavesNoUpload() {
    bucket.plan(
        request -> request.operation() == S3Operation.COMPLETE_MULTIPART_UPLOAD,
        1,
        Integer.MAX_VALUE,
        refused(WireAnswer.error(412, "PreconditionFailed", "there is one")));

    StoreException refusal =
        catchThrowableOfType(StoreException.class, () -> write(client, "full_object", "orders"));

    assertThat(refusal.statusCode()).isEqualTo(412);
    assertThat(refusal)
        .hasMessageContaining("CompleteMultipartUpload " + FOLDER.formatted("orders"));
    assertThat(bucket.openUploads()).isEmpty();
    assertThat(manifestExists()).isFalse();
  }

  @Test
  void completeThatIsDeniedForOneOfThreeSaysWhatBecameOfTheOthers() {
    bucket.plan(
        request ->
            request.operation() == S3Operation.COMPLETE_MULTIPART_UPLOAD
                && request.key().contains("/b/"),
        1,
        1,
        refused(WireAnswer.error(403, "AccessDenied", "no")));

    StoreException refusal =
        catchThrowableOfType(
            StoreException.class, () -> write(client, "full_object", "a", "b", "c"));

    assertThat(refusal.statusCode()).isEqualTo(403);
    assertThat(refusal.getSuppressed()[0])
        .hasMessage(
            "2 objects are uploaded but not published: %s, %s",
            FOLDER.formatted("a"), FOLDER.formatted("c"));
    assertThat(bucket.openUploads()).isEmpty();
    assertThat(manifestExists()).isFalse();
  }

  @Test
  void storeThatAsksToSlowDownForAWhileIsOutwaited() throws IOException {
    Fault slowDown = refused(WireAnswer.error(503, "SlowDown", "please reduce your rate"));
    bucket.plan(S3Operation.UPLOAD_PART, 1, 5, slowDown);
    bucket.plan(S3Operation.COMPLETE_MULTIPART_UPLOAD, 1, 9, slowDown);
    bucket.plan(S3Operation.PUT_OBJECT, 1, 9, slowDown);

    write(client, "full_object", "orders");

    assertThat(bucket.struck()).isEqualTo(5 + 9 + 9);
    assertThat(manifestExists()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"full_object", "none"})
  void storeThatWantsAChecksumOfEachBodyGetsOne(String mode) throws IOException {
    profile(Checksums.REQUIRED);

    write(client, mode, "orders");

    assertThat(manifestExists()).isTrue();
  }

  @Test
  void storeThatChecksNothingAndDropsAByteFailsTheCommit() {
    profile(Checksums.IGNORED);
    bucket.plan(S3Operation.UPLOAD_PART, 1, new Fault.Damaged(Fault.Damage.SHORTENED));

    assertThatThrownBy(() -> write(client, "full_object", "orders"))
        .isInstanceOf(IntegrityException.class)
        .hasMessageMatching(
            "HeadObject \\S+/run-1.ndjson: the store has [0-9]+ bytes, written were [0-9]+; .*");
    assertThat(manifestExists()).isFalse();
  }

  /** A host's client that frames its bodies, in front of a store that takes the frame for data. */
  @Test
  void framingThatTheStoreKeepsAsContentFailsTheCommit() {
    profile(Checksums.IGNORED);
    try (S3Client framing =
        S3Client.builder()
            .endpointOverride(server.uri())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("AKID", "secret")))
            .forcePathStyle(true)
            .httpClientBuilder(Apache5HttpClient.builder())
            .build()) {

      assertThatThrownBy(() -> write(framing, "full_object", "orders"))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining(
              "a store that keeps more may take the framing of chunked bodies for content");
    }
    assertThat(bucket.asked())
        .anySatisfy(
            request -> assertThat(request.headers()).containsKey("x-amz-decoded-content-length"));
    assertThat(manifestExists()).isFalse();
  }

  private void profile(Checksums checksums) {
    bucket = server.createBucket("bucket", StoreProfile.S3.with(checksums).withPartsOfAtLeast(1));
  }

  private boolean manifestExists() {
    return bucket.keys().contains("p/_runs/run-1/_SUCCESS.json");
  }

  /**
   * Both open before either commits, and have objects that are put and objects of several parts.
   */
  @ParameterizedTest
  @EnumSource(Conditions.class)
  void secondOfTwoWritersReplacesNothingWhateverTheStoreMakesOfConditions(Conditions conditions)
      throws IOException {
    bucket =
        server.createBucket(
            "bucket", StoreProfile.S3.with(conditions).withPartsOfAtLeast(PART_BYTES));
    try (S3Sink first = opened(client, "full_object");
        S3Sink second = opened(client, "full_object")) {
      write(first, 30, "first", "large");
      write(first, 1, "first", "small");
      write(second, 31, "second", "large");
      write(second, 1, "second", "small");
      RunManifest manifest = first.commit();
      Map<String, String> committed = contents();

      assertThatThrownBy(second::commit)
          .isInstanceOf(RunConflictException.class)
          .hasMessageContaining("run \"run-1\" is already committed");

      assertThat(manifest.resources()).extracting(RunManifest.Entry::rows).containsExactly(30L, 1L);
      assertThat(committed).hasSize(3);
      assertThat(contents()).isEqualTo(committed);
    }
    assertThat(bucket.openUploads()).isEmpty();
  }

  private Map<String, String> contents() {
    return bucket.keys().stream()
        .collect(Collectors.toMap(key -> key, key -> new String(bucket.content(key), UTF_8)));
  }

  private static Fault refused(WireAnswer answer) {
    return new Fault.Refused(answer);
  }

  /** Writes a run of several parts for each resource. */
  private static void write(S3Client client, String mode, String... resources) throws IOException {
    try (S3Sink sink = opened(client, mode)) {
      for (String resource : resources) {
        write(sink, 30, "text", resource);
      }
      sink.commit();
    }
  }

  private static S3Sink opened(S3Client client, String mode) throws IOException {
    S3SinkConfig config =
        S3SinkConfig.fromMap(
            Map.of(
                "bucket", "bucket",
                "prefix", "p",
                "file_format", "ndjson",
                "checksum_mode", mode));
    S3Sink sink = S3Sink.builder(config).client(client).partSizeBytes(PART_BYTES).build();
    sink.open(RunSpec.builder("run-1").startedAt(Instant.parse("2026-09-10T02:00:00Z")).build());
    return sink;
  }

  private static void write(S3Sink sink, int rows, String text, String resource)
      throws IOException {
    List<Object[]> records = new ArrayList<>();
    for (long id = 0; id < rows; id++) {
      records.add(new Object[] {id, text});
    }
    sink.write(RecordBatch.ofRows(resource, SCHEMA, records));
  }
}
