package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.testing.StoreProfile.Checksums;
import io.filament.sink.s3.testing.StoreProfile.Conditions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What the server does while nothing goes wrong: the rules of S3 that its profiles keep. */
@Timeout(60)
class FaultServerRulesTest extends OnFaultServer {

  @Test
  void objectIsStoredReadListedAndDeleted() {
    once.putObject(
        r -> r.bucket("bucket").key(KEY).contentType("text/plain").metadata(Map.of("a", "b")),
        RequestBody.fromString("content"));

    HeadObjectResponse head = once.headObject(r -> r.bucket("bucket").key(KEY));
    assertThat(head.contentLength()).isEqualTo(7);
    assertThat(head.contentType()).isEqualTo("text/plain");
    assertThat(head.metadata()).containsEntry("a", "b");
    assertThat(head.lastModified()).isEqualTo(NOW);
    assertThat(head.sdkHttpResponse().firstMatchingHeader("Date")).isPresent();
    assertThat(read()).isEqualTo("content");
    assertThat(once.listObjectsV2(r -> r.bucket("bucket").prefix("dir/")).contents())
        .extracting(S3Object::key)
        .containsExactly(KEY);
    once.deleteObject(r -> r.bucket("bucket").key(KEY));
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void listingsArePaged() {
    for (String key : List.of("a", "b", "c")) {
      put(once, key);
      once.createMultipartUpload(r -> r.bucket("bucket").key(key));
    }

    assertThat(once.listObjectsV2Paginator(r -> r.bucket("bucket").maxKeys(2)).contents())
        .extracting(S3Object::key)
        .containsExactly("a", "b", "c");
    assertThat(once.listMultipartUploadsPaginator(r -> r.bucket("bucket").maxUploads(2)).uploads())
        .extracting(MultipartUpload::key)
        .containsExactly("a", "b", "c");
  }

  @Test
  void partsAreListedUntilTheUploadIsComplete() {
    String id = once.createMultipartUpload(r -> r.bucket("bucket").key(KEY)).uploadId();
    String etag = part(id, 1, "content");

    assertThat(once.listParts(r -> r.bucket("bucket").key(KEY).uploadId(id)).parts())
        .extracting(Part::eTag)
        .containsExactly(etag);
    complete(id, CompletedPart.builder().partNumber(1).eTag(etag).build());
    assertThat(bucket.partLengths(KEY)).containsExactly(7);
    assertThat(bucket.openUploads()).isEmpty();
  }

  @Test
  void partsOutOfOrderAndOfOtherBytesAreRefused() {
    String id = once.createMultipartUpload(r -> r.bucket("bucket").key(KEY)).uploadId();
    CompletedPart first = listed(1, part(id, 1, "first"));
    CompletedPart second = listed(2, part(id, 2, "second"));

    assertThat(code(() -> complete(id, second, first))).isEqualTo("InvalidPartOrder");
    assertThat(code(() -> complete(id, first, listed(2, first.eTag())))).isEqualTo("InvalidPart");
    assertThat(bucket.keys()).isEmpty();
  }

  @Test
  void wrongMd5IsRefused() {
    assertThat(
            code(
                () ->
                    once.putObject(
                        r -> r.bucket("bucket").key(KEY).contentMD5("mgNkuembtIDdJeHwKEyFVQ=="),
                        RequestBody.fromString("other"))))
        .isEqualTo("BadDigest");
  }

  @Test
  void conditionsAreHonoured() {
    String etag = put(once, KEY);

    assertThat(status(() -> putIf("*", null))).isEqualTo(412);
    assertThat(status(() -> putIf(null, "\"other\""))).isEqualTo(412);
    putIf(null, etag);
    once.deleteObject(r -> r.bucket("bucket").key(KEY));
    assertThat(status(() -> putIf(null, etag))).isEqualTo(404);
    putIf("*", null);
  }

  @Test
  void completeHonoursConditions() {
    put(once, KEY);
    String id = once.createMultipartUpload(r -> r.bucket("bucket").key(KEY)).uploadId();
    CompletedPart part = listed(1, part(id, 1, "part"));

    assertThat(
            status(
                () ->
                    once.completeMultipartUpload(
                        r ->
                            r.bucket("bucket")
                                .key(KEY)
                                .uploadId(id)
                                .ifNoneMatch("*")
                                .multipartUpload(u -> u.parts(part)))))
        .isEqualTo(412);
    assertThat(bucket.openUploads()).hasSize(1);
  }

  @Test
  void conditionsMayBeIgnoredOrUnknown() {
    bucket = server.createBucket("bucket", StoreProfile.S3.with(Conditions.IGNORED));
    putIf("*", null);
    putIf("*", null);

    bucket = server.createBucket("bucket", StoreProfile.S3.with(Conditions.NOT_IMPLEMENTED));
    assertThat(status(() -> putIf("*", null))).isEqualTo(501);
  }

  @Test
  void checksumsMayBeIgnoredRefusedOrRequired() {
    String wrong = Crc32c.of("other".getBytes(UTF_8)).base64();
    profile(Checksums.IGNORED);
    putWithChecksum(wrong);
    assertThat(read()).isEqualTo("content");

    profile(Checksums.INVALID);
    assertThat(status(() -> putWithChecksum(wrong))).isEqualTo(400);
    profile(Checksums.NOT_IMPLEMENTED);
    assertThat(status(() -> putWithChecksum(wrong))).isEqualTo(501);
    profile(Checksums.REQUIRED);
    assertThat(code(() -> put(once, KEY))).isEqualTo("InvalidRequest");
    profile(Checksums.COMPOSITE);
    assertThat(
            status(
                () ->
                    once.createMultipartUpload(
                        r ->
                            r.bucket("bucket")
                                .key(KEY)
                                .checksumAlgorithm("CRC32C")
                                .checksumType("FULL_OBJECT"))))
        .isEqualTo(400);
  }

  @Test
  void bucketsAreAskedForAndTheirRulesAreSet() {
    once.headBucket(r -> r.bucket("bucket"));
    assertThat(status(() -> once.headBucket(r -> r.bucket("absent")))).isEqualTo(404);
    assertThat(code(() -> once.getBucketLifecycleConfiguration(r -> r.bucket("bucket"))))
        .isEqualTo("NoSuchLifecycleConfiguration");

    bucket.lifecycle(
        "<LifecycleConfiguration><Rule><ID>clean</ID><Status>Enabled</Status></Rule></LifecycleConfiguration>");

    assertThat(once.getBucketLifecycleConfiguration(r -> r.bucket("bucket")).rules())
        .extracting(rule -> rule.id())
        .containsExactly("clean");
  }
}
