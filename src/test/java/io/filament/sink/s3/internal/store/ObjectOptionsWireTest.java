package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** Which header goes along with which request. */
@Timeout(60)
class ObjectOptionsWireTest {

  /** The bytes 0 to 31. */
  private static final CustomerKey KEY =
      CustomerKey.of("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");

  private static final String SSE = "x-amz-server-side-encryption";
  private static final String KMS_KEY = SSE + "-aws-kms-key-id";
  private static final List<String> BEGINS =
      List.of("PutObject", "PutObject if absent", "CreateMultipartUpload");
  private static final byte[] CONTENT = "content".getBytes(UTF_8);
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, Crc32c.of(CONTENT));
  private static final ObjectHeaders HEADERS =
      new ObjectHeaders("text/plain", Optional.empty(), Map.of("filament-run", "r1"));
  private static final Upload UPLOAD = new Upload("dir/key", "id-1");
  private static final List<StagedPart> PARTS =
      List.of(new StagedPart(1, "\"e\"", CONTENT.length, Crc32c.of(CONTENT)));

  private S3Stub stub;
  private S3Client client;

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings());
  }

  @AfterEach
  void close() {
    client.close();
    stub.close();
  }

  @Test
  void withoutOptionsNoRequestHasAnyOfTheirHeaders() throws IOException {
    assertThat(oneOfEachRequest(ObjectOptions.NONE, ChecksumLevel.FULL_OBJECT))
        .allSatisfy(
            (operation, request) -> {
              assertThat(request.headersThatStartWith(SSE)).as(operation).isEmpty();
              assertThat(request.headers())
                  .as(operation)
                  .doesNotContainKeys(
                      "x-amz-acl",
                      "x-amz-tagging",
                      "x-amz-storage-class",
                      "x-amz-request-payer",
                      "x-amz-expected-bucket-owner");
            });
  }

  /** S3 API: each of these needs the key that the object or the upload was begun with. */
  @ParameterizedTest
  @EnumSource(ChecksumLevel.class)
  void customersKeyGoesAlongWithEveryRequestForAnObject(ChecksumLevel level) throws IOException {
    ObjectOptions options =
        encrypted(new Encryption(Optional.empty(), Optional.empty(), Optional.of(KEY)));

    assertThat(oneOfEachRequest(options, level))
        .allSatisfy(
            (operation, request) -> {
              boolean takesKey =
                  !List.of("AbortMultipartUpload", "ListMultipartUploads", "HeadBucket")
                      .contains(operation);
              assertThat(request.header(SSE + "-customer-algorithm"))
                  .as(operation)
                  .isEqualTo(takesKey ? "AES256" : null);
              assertThat(request.header(SSE + "-customer-key"))
                  .as(operation)
                  .isEqualTo(takesKey ? KEY.base64() : null);
              assertThat(request.header(SSE + "-customer-key-md5"))
                  .as(operation)
                  .isEqualTo(takesKey ? "tP/LI3N87DFaSk0aoqYgzg==" : null);
              assertThat(request.header(SSE)).as(operation).isNull();
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"AES256", "aws:kms", "aws:kms:dsse"})
  void algorithmAloneIsSentWhereAnObjectBegins(String algorithm) throws IOException {
    ObjectOptions options =
        encrypted(new Encryption(Optional.of(algorithm), Optional.empty(), Optional.empty()));

    assertThat(oneOfEachRequest(options, ChecksumLevel.FULL_OBJECT))
        .allSatisfy(
            (operation, request) -> {
              assertThat(request.header(SSE))
                  .as(operation)
                  .isEqualTo(BEGINS.contains(operation) ? algorithm : null);
              assertThat(request.header(KMS_KEY)).as(operation).isNull();
            });
  }

  @Test
  void kmsKeyIsSentWhereAnObjectBegins() throws IOException {
    ObjectOptions options =
        encrypted(
            new Encryption(Optional.of("aws:kms"), Optional.of("alias/lake"), Optional.empty()));

    assertThat(oneOfEachRequest(options, ChecksumLevel.FULL_OBJECT))
        .allSatisfy(
            (operation, request) ->
                assertThat(request.header(KMS_KEY))
                    .as(operation)
                    .isEqualTo(BEGINS.contains(operation) ? "alias/lake" : null));
  }

  @Test
  void classAclTagsAndMetadataAreSentWhereAnObjectBegins() throws IOException {
    ObjectOptions options =
        new ObjectOptions(
            Encryption.DEFAULT,
            Optional.of("STANDARD_IA"),
            Optional.of("bucket-owner-full-control"),
            Map.of("team", "data & é", "a=b", ""),
            Map.of("source", "crm"),
            Optional.empty(),
            Optional.empty());

    assertThat(oneOfEachRequest(options, ChecksumLevel.FULL_OBJECT))
        .allSatisfy(
            (operation, request) -> {
              boolean begins = BEGINS.contains(operation);
              assertThat(request.header("x-amz-storage-class"))
                  .as(operation)
                  .isEqualTo(begins ? "STANDARD_IA" : null);
              assertThat(request.header("x-amz-acl"))
                  .as(operation)
                  .isEqualTo(begins ? "bucket-owner-full-control" : null);
              assertThat(request.header("x-amz-tagging"))
                  .as(operation)
                  .isEqualTo(begins ? "a%3Db=&team=data%20%26%20%C3%A9" : null);
              assertThat(request.header("x-amz-meta-source"))
                  .as(operation)
                  .isEqualTo(begins ? "crm" : null);
              assertThat(request.header("x-amz-meta-filament-run"))
                  .as(operation)
                  .isEqualTo(begins ? "r1" : null);
            });
  }

  @Test
  void ownerGoesAlongWithEveryRequestAndPayerWithAllButHeadBucket() throws IOException {
    Map<String, Received> requests = oneOfEachRequest(owned(), ChecksumLevel.FULL_OBJECT);

    assertThat(requests).hasSize(9);
    assertThat(requests)
        .allSatisfy(
            (operation, request) -> {
              assertThat(request.header("x-amz-expected-bucket-owner"))
                  .as(operation)
                  .isEqualTo("123456789012");
              assertThat(request.header("x-amz-request-payer"))
                  .as(operation)
                  .isEqualTo(operation.equals("HeadBucket") ? null : "requester");
            });
  }

  /** Completing an upload decrypts its parts' keys (S3 User Guide, multipart upload with KMS). */
  @Test
  void refusedWritesUnderKmsNameTheRightsOnTheKey() {
    SdkObjectStore store =
        SdkObjectStore.of(client, "bucket")
            .with(
                encrypted(
                    new Encryption(
                        Optional.of("aws:kms"), Optional.of("alias/lake"), Optional.empty())));
    stub.answers(Answer.error(403, "AccessDenied"));

    for (ThrowingCallable write :
        List.<ThrowingCallable>of(
            () -> store.put("dir/key", BODY, HEADERS, Condition.ALWAYS),
            () -> store.start("dir/key", HEADERS),
            () -> store.part(UPLOAD, 1, BODY),
            () -> store.complete(UPLOAD, PARTS, Crc32c.of(CONTENT), Condition.ALWAYS))) {
      assertThatThrownBy(write)
          .hasMessageContaining("access denied")
          .hasMessageContaining("kms:GenerateDataKey and kms:Decrypt on the key alias/lake");
    }
    assertThatThrownBy(() -> store.head("dir/key")).hasMessageNotContaining("kms:");
  }

  @Test
  void refusalsNameTheOwnerThatWasExpected() {
    SdkObjectStore store = SdkObjectStore.of(client, "bucket").with(owned());
    stub.answers(Answer.error(403, "AccessDenied"));

    assertThatThrownBy(() -> store.start("dir/key", HEADERS))
        .hasMessageContaining(
            "account 123456789012 (expected_bucket_owner) does not own the bucket");
    assertThat(ConnectionTest.report("bucket", stub.settings(), owned()).messages())
        .contains("Or account 123456789012 (expected_bucket_owner) does not own the bucket.");
    assertThatThrownBy(() -> SdkObjectStore.of(client, "bucket").start("dir/key", HEADERS))
        .hasMessageNotContaining("expected_bucket_owner");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403})
  void refusalsUnderACustomersKeySayWhatItNeedsAndDoNotShowIt(int status) {
    SdkObjectStore store =
        SdkObjectStore.of(client, "bucket")
            .with(encrypted(new Encryption(Optional.empty(), Optional.empty(), Optional.of(KEY))));
    stub.answers(Answer.echo(status, "InvalidRequest"));

    assertThatThrownBy(() -> store.part(UPLOAD, 1, BODY))
        .hasMessageContaining("sse_customer_key is set: it needs https")
        .satisfies(
            failure -> {
              for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain(KEY.base64(), KEY.md5Base64());
              }
            });
  }

  private static ObjectOptions encrypted(Encryption encryption) {
    return new ObjectOptions(
        encryption,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static ObjectOptions owned() {
    return new ObjectOptions(
        Encryption.DEFAULT,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of(),
        Optional.of("123456789012"),
        Optional.of("requester"));
  }

  /** Returns the requests of all operations, by their names. */
  private Map<String, Received> oneOfEachRequest(ObjectOptions options, ChecksumLevel level)
      throws IOException {
    Answer done = Answer.empty(200, "ETag", "\"e\"");
    Answer stored =
        new Answer(
            exchange -> {
              exchange.getResponseHeaders().set("Content-Length", "7");
              done.sender().send(exchange);
            });
    stub.answers(
        done,
        done,
        Answer.xml(
            200,
            "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>"),
        done,
        Answer.xml(
            200, "<CompleteMultipartUploadResult><ETag>e-1</ETag></CompleteMultipartUploadResult>"),
        stored,
        Answer.empty(204),
        Answer.xml(
            200,
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"),
        Answer.empty(200));
    ObjectStore store = SdkObjectStore.of(client, "bucket").with(options).at(level);
    store.put("dir/key", BODY, HEADERS, Condition.ALWAYS);
    store.put("dir/key", BODY, HEADERS, Condition.ABSENT);
    store.start("dir/key", HEADERS);
    store.part(UPLOAD, 1, BODY);
    store.complete(UPLOAD, PARTS, Crc32c.of(CONTENT), Condition.ALWAYS);
    store.head("dir/key");
    store.abort(UPLOAD);
    store.uploads("dir/key");
    assertThat(ConnectionTest.report("bucket", stub.settings(), options).ok()).isTrue();

    List<String> operations =
        List.of(
            "PutObject",
            "PutObject if absent",
            "CreateMultipartUpload",
            "UploadPart",
            "CompleteMultipartUpload",
            "HeadObject",
            "AbortMultipartUpload",
            "ListMultipartUploads",
            "HeadBucket");
    List<Received> requests = stub.requests();
    assertThat(requests).hasSameSizeAs(operations);
    Map<String, Received> named = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      named.put(operations.get(i), requests.get(i));
    }
    return named;
  }
}
