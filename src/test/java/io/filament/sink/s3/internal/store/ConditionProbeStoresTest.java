package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import io.filament.sink.s3.testing.EachS3Endpoint;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;

/** What is found of whole stores, and what stays in their buckets: nothing. */
@Timeout(60)
class ConditionProbeStoresTest {

  private static final String KEY = "raw/_runs/_connection-test/1-object";

  private final Findings findings = new Findings();

  @EachS3Endpoint
  void realServersHonourConditionsAndKeepNothing(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    try (S3Client client = endpoint.client()) {
      assertHonouredAndGone(client, bucket);
    }
  }

  @EachS3Endpoint
  void bucketWithVersionsKeepsNoneAndNoDeleteMarker(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    try (S3Client client = endpoint.client()) {
      setTo(BucketVersioningStatus.ENABLED, client, bucket);

      assertHonouredAndGone(client, bucket);

      put(client, bucket);
      put(client, bucket);
      assertThat(versions(client, bucket).versions()).as("versions are kept there").hasSize(2);
    }
  }

  @EachS3Endpoint
  void bucketWhoseVersionsAreSuspendedKeepsNone(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    try (S3Client client = endpoint.client()) {
      setTo(BucketVersioningStatus.ENABLED, client, bucket);
      setTo(BucketVersioningStatus.SUSPENDED, client, bucket);

      assertHonouredAndGone(client, bucket);
    }
  }

  @EachS3Endpoint
  void whatADeadRunHasLeftIsTakenAwayByItsNextProbe(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    try (S3Client client = endpoint.client()) {
      put(client, bucket);

      assertHonouredInARunAndGone(client, bucket);
    }
  }

  @ParameterizedTest
  @CsvSource({"HONOURED, HONOURED", "IGNORED, IGNORED", "NOT_IMPLEMENTED, REFUSED"})
  void storeIsFoundToDoWhatItDoes(
      io.filament.sink.s3.testing.StoreProfile.Conditions conditions, Conditions found)
      throws SinkException {
    try (FaultServer server = FaultServer.start();
        S3Client client = client(server)) {
      ServedBucket bucket =
          server.createBucket(
              "bucket", io.filament.sink.s3.testing.StoreProfile.S3.with(conditions));

      ConditionProbe probe = probed(client, "bucket");

      assertThat(probe.puts()).isEqualTo(found);
      assertThat(probe.completes()).isEqualTo(found);
      assertThat(findings.areOk()).as(findings.report().toString()).isTrue();
      assertThat(bucket.keys()).isEmpty();
      assertThat(bucket.openUploads()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = S3Operation.class,
      names = {
        "PUT_OBJECT",
        "HEAD_OBJECT",
        "DELETE_OBJECT",
        "CREATE_MULTIPART_UPLOAD",
        "UPLOAD_PART",
        "COMPLETE_MULTIPART_UPLOAD",
        "ABORT_MULTIPART_UPLOAD"
      })
  void lostAnswersLeaveNoObject(S3Operation operation) throws SinkException {
    for (int nth = 1; nth <= 2; nth++) {
      try (FaultServer server = FaultServer.start();
          S3Client client = client(server)) {
        ServedBucket bucket =
            server.createBucket(
                "bucket",
                io.filament.sink.s3.testing.StoreProfile.S3.with(
                    io.filament.sink.s3.testing.StoreProfile.Conditions.IGNORED));
        bucket.plan(operation, nth, new Fault.Cut(Fault.Point.CARRIED_OUT));

        probed(client, "bucket");

        assertThat(bucket.keys()).as(operation + " " + nth).isEmpty();
        assertThat(findings.report().messages())
            .noneMatch(message -> message.contains("object of one byte may be left"));
      }
    }
  }

  private void assertHonouredAndGone(S3Client client, String bucket) {
    ConditionProbe probe = probed(client, bucket);

    assertThat(findings.areOk()).as(findings.report().toString()).isTrue();
    assertThat(probe.puts()).isEqualTo(Conditions.HONOURED);
    assertThat(probe.completes()).isEqualTo(Conditions.HONOURED);
    assertHonouredInARunAndGone(client, bucket);
  }

  private static void assertHonouredInARunAndGone(S3Client client, String bucket) {
    assertThat(SdkObjectStore.of(client, bucket).putProbe(KEY).run())
        .isEqualTo(PutProbe.Finding.of(Conditions.HONOURED));
    ListObjectVersionsResponse left = versions(client, bucket);
    assertThat(left.versions()).isEmpty();
    assertThat(left.deleteMarkers()).isEmpty();
    assertThat(client.listObjectsV2(r -> r.bucket(bucket)).contents()).isEmpty();
    assertThat(client.listMultipartUploads(r -> r.bucket(bucket)).uploads()).isEmpty();
  }

  private ConditionProbe probed(S3Client client, String bucket) {
    SdkObjectStore store = SdkObjectStore.of(client, bucket);
    ObjectRemoval removal =
        new ObjectRemoval(client, store, ObjectOptions.NONE, KEY, BucketLook.Access.GRANTED);
    ConditionProbe probe = new ConditionProbe(store, KEY, removal, findings);
    probe.run();
    return probe;
  }

  private static ListObjectVersionsResponse versions(S3Client client, String bucket) {
    return client.listObjectVersions(r -> r.bucket(bucket));
  }

  private static void put(S3Client client, String bucket) {
    client.putObject(r -> r.bucket(bucket).key(KEY), RequestBody.fromString("x"));
  }

  private static void setTo(BucketVersioningStatus status, S3Client client, String bucket) {
    client.putBucketVersioning(
        r -> r.bucket(bucket).versioningConfiguration(v -> v.status(status)));
  }

  private static S3Client client(FaultServer server) throws SinkException {
    return ShortWaits.client(server.uri(), 1, Duration.ofSeconds(30), 8);
  }
}
