package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.internal.store.PutProbe.Finding;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import io.filament.sink.s3.testing.EachS3Endpoint;
import io.filament.sink.s3.testing.S3Endpoint;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;

/** What a run finds of whole stores, and what stays in their buckets: nothing. */
@Timeout(60)
class PutProbeStoresTest {

  private static final String KEY = "raw/_runs/run-1/_probe";

  @EachS3Endpoint
  void realServersHonourTheConditionAndKeepNothing(S3Endpoint endpoint) {
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
  void whatADeadProcessHasLeftIsTakenAwayByTheNextProbe(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    try (S3Client client = endpoint.client()) {
      put(client, bucket);

      assertHonouredAndGone(client, bucket);
    }
  }

  @EachS3Endpoint
  void whatADeadProcessHasLeftInABucketWithVersionsIsTakenAway(S3Endpoint endpoint) {
    String bucket = endpoint.createBucket();
    try (S3Client client = endpoint.client()) {
      setTo(BucketVersioningStatus.ENABLED, client, bucket);
      put(client, bucket);

      assertHonouredAndGone(client, bucket);
    }
  }

  private static void assertHonouredAndGone(S3Client client, String bucket) {
    assertThat(SdkObjectStore.of(client, bucket).putProbe(KEY).run())
        .isEqualTo(Finding.of(Conditions.HONOURED));
    ListObjectVersionsResponse left = client.listObjectVersions(r -> r.bucket(bucket));
    assertThat(left.versions()).isEmpty();
    assertThat(left.deleteMarkers()).isEmpty();
    assertThat(client.listObjectsV2(r -> r.bucket(bucket)).contents()).isEmpty();
  }

  private static void put(S3Client client, String bucket) {
    client.putObject(r -> r.bucket(bucket).key(KEY), RequestBody.fromString("p"));
  }

  private static void setTo(BucketVersioningStatus status, S3Client client, String bucket) {
    client.putBucketVersioning(
        r -> r.bucket(bucket).versioningConfiguration(v -> v.status(status)));
  }
}
