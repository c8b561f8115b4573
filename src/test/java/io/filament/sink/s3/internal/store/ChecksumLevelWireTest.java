package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.IntegrityException;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import io.filament.sink.s3.internal.store.S3Stub.Received;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.S3Client;

/** What each level changes on the wire, and what it makes of answers. */
@Timeout(60)
class ChecksumLevelWireTest {

  private static final byte[] CONTENT = "content".getBytes(UTF_8);
  private static final String MD5 = "9a0364b9e99bb480dd25e1f0284c8555";
  private static final String MD5_BASE64 = "mgNkuembtIDdJeHwKEyFVQ==";
  private static final String OTHER_MD5 = "00000000000000000000000000000000";
  private static final Crc32c CRC = Crc32c.of(CONTENT);
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, CRC);
  private static final ObjectHeaders HEADERS =
      new ObjectHeaders("text/plain", Optional.empty(), Map.of());
  private static final Upload UPLOAD = new Upload("dir/key", "id-1");
  private static final List<StagedPart> PARTS =
      List.of(
          new StagedPart(1, "\"" + MD5 + "\"", 3, new Crc32c(1)),
          new StagedPart(2, "\"" + MD5 + "\"", 2, new Crc32c(2)));
  private static final Answer DONE = Answer.empty(200, "ETag", "\"" + MD5 + "\"");
  private static final Answer CREATED =
      Answer.xml(
          200,
          "<InitiateMultipartUploadResult><UploadId>id-1</UploadId></InitiateMultipartUploadResult>");
  private static final Answer COMPLETED = completed("");

  private S3Stub stub;
  private S3Client client;
  private SdkObjectStore store;

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings());
    store = SdkObjectStore.of(client, "bucket");
  }

  @AfterEach
  void close() {
    client.close();
    stub.close();
  }

  @Test
  void withoutChecksumsNoRequestNamesOne() throws IOException {
    ObjectStore none = store.at(ChecksumLevel.NONE);
    stub.answers(DONE, DONE, CREATED, DONE, COMPLETED, head(), Answer.empty(204));
    none.put("dir/key", BODY, HEADERS, Condition.ALWAYS);
    none.put("dir/key", BODY, HEADERS, Condition.ABSENT);
    none.start("dir/key", HEADERS);
    none.part(UPLOAD, 1, BODY);
    none.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);
    none.head("dir/key");
    none.abort(UPLOAD);

    assertThat(stub.requests()).hasSize(7);
    for (Received request : stub.requests()) {
      assertThat(request.headers().keySet())
          .as(request.line())
          .noneMatch(
              name ->
                  name.startsWith("x-amz-checksum")
                      || name.startsWith("x-amz-sdk-checksum")
                      || name.startsWith("x-amz-trailer"));
      assertThat(request.text()).as(request.line()).doesNotContain("Checksum");
    }
    assertThat(stub.requests())
        .filteredOn(request -> request.line().startsWith("PUT "))
        .hasSize(3)
        .allSatisfy(put -> assertThat(put.header("content-md5")).isEqualTo(MD5_BASE64));
  }

  @Test
  void compositeChecksumIsAskedForAndThePartsAreListedWithTheirs() throws IOException {
    ObjectStore composite = store.at(ChecksumLevel.COMPOSITE);
    stub.answers(CREATED, DONE, COMPLETED);
    composite.start("dir/key", HEADERS);
    composite.part(UPLOAD, 1, BODY);
    composite.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    Received start = stub.requests().get(0);
    assertThat(start.header("x-amz-checksum-algorithm")).isEqualTo("CRC32C");
    assertThat(start.header("x-amz-checksum-type")).isEqualTo("COMPOSITE");
    Received part = stub.requests().get(1);
    assertThat(part.header("x-amz-checksum-crc32c")).isEqualTo(CRC.base64());
    assertThat(part.header("content-md5")).isNull();
    Received complete = stub.requests().get(2);
    assertThat(complete.header("x-amz-checksum-type")).isEqualTo("COMPOSITE");
    assertThat(complete.header("x-amz-checksum-crc32c")).isNull();
    assertThat(complete.text())
        .contains("<ChecksumCRC32C>AAAAAQ==</ChecksumCRC32C>")
        .contains("<ChecksumCRC32C>AAAAAg==</ChecksumCRC32C>");
  }

  /** The checksum of the bytes 0, 0, 0, 1, 0, 0, 0, 2. */
  @Test
  void compositeChecksumOfAnAnswerIsComparedWithThatOfTheParts() throws IOException {
    ObjectStore composite = store.at(ChecksumLevel.COMPOSITE);
    String right = Crc32c.of(new byte[] {0, 0, 0, 1, 0, 0, 0, 2}).base64();
    stub.answers(checksummed(right + "-2"), checksummed(right + "-3"), checksummed("AAAAAA==-2"));

    composite.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> composite.complete(UPLOAD, PARTS, CRC, Condition.ALWAYS))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining(
              "CompleteMultipartUpload s3://bucket/dir/key: the store has CRC-32C")
          .hasMessageContaining(CompositeCrc32c.of(PARTS) + " was sent");
    }
  }

  @Test
  void compositeChecksumOfAnObjectIsRead() throws IOException {
    stub.answers(head("x-amz-checksum-crc32c", "AAAAAg==-3", "x-amz-checksum-type", "COMPOSITE"));

    StoredObject stored = store.at(ChecksumLevel.COMPOSITE).head("dir/key").orElseThrow();

    assertThat(stored.crc32c()).isEmpty();
    assertThat(stored.composite()).hasValue(new CompositeCrc32c(new Crc32c(2), 3));
    assertThat(stub.onlyRequest().header("x-amz-checksum-mode")).isEqualTo("ENABLED");
  }

  @Test
  void withoutChecksumsAnEtagOfOtherBytesIsFound() {
    stub.answers(Answer.empty(200, "ETag", "\"" + OTHER_MD5 + "\""));
    ObjectStore none = store.at(ChecksumLevel.NONE);

    assertThatThrownBy(() -> none.part(UPLOAD, 1, BODY))
        .isInstanceOf(IntegrityException.class)
        .hasMessage(
            "UploadPart s3://bucket/dir/key: the store has the ETag %s where the MD5 %s was sent",
            OTHER_MD5, MD5);
    assertThatThrownBy(() -> none.put("dir/key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("PutObject s3://bucket/dir/key: the store has the ETag");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9A0364B9E99BB480DD25E1F0284C8555", "\"no-md5\"", "\"12345678-1\""})
  void withoutChecksumsAnEtagThatIsNoOtherMd5IsTaken(String etag) throws IOException {
    stub.answers(Answer.empty(200, "ETag", etag));

    assertThat(store.at(ChecksumLevel.NONE).part(UPLOAD, 1, BODY).etag()).isEqualTo(etag);
  }

  /** S3 API, object data types: with these the ETag is not an MD5 digest of the data. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-amz-server-side-encryption=aws:kms",
        "x-amz-server-side-encryption=aws:kms:dsse",
        "x-amz-server-side-encryption-customer-algorithm=AES256"
      })
  void etagOfAnObjectUnderAKeyOfItsOwnIsNotCompared(String encryption) throws IOException {
    String[] header = encryption.split("=", 2);
    ObjectStore none = store.at(ChecksumLevel.NONE);
    Answer other = Answer.empty(200, "ETag", "\"" + OTHER_MD5 + "\"", header[0], header[1]);
    stub.answers(other, other, head("ETag", "\"" + OTHER_MD5 + "\"", header[0], header[1]));

    none.put("dir/key", BODY, HEADERS, Condition.ALWAYS);
    none.part(UPLOAD, 1, BODY);

    assertThat(none.head("dir/key").orElseThrow().etag()).isEmpty();
  }

  @Test
  void etagCountsOnlyWithoutChecksums() throws IOException {
    stub.answers(
        head("ETag", "\"" + MD5 + "-2\""),
        head("ETag", "\"" + MD5 + "\"", "x-amz-server-side-encryption", "AES256"));

    assertThat(store.at(ChecksumLevel.NONE).head("dir/key").orElseThrow().etag())
        .hasValue(new Md5Etag(MD5, OptionalInt.of(2)));
    assertThat(store.at(ChecksumLevel.NONE).head("dir/key").orElseThrow().etag())
        .hasValue(new Md5Etag(MD5, OptionalInt.empty()));
    assertThat(store.at(ChecksumLevel.COMPOSITE).head("dir/key").orElseThrow().etag()).isEmpty();
    assertThat(store.head("dir/key").orElseThrow().etag()).isEmpty();
  }

  @Test
  void etagOfAnUploadIsUnknownWhereThatOfAPartIsNoMd5() {
    assertThat(Md5Etag.of(PARTS).map(Md5Etag::toString))
        .hasValueSatisfying(etag -> assertThat(etag).matches("[0-9a-f]{32}-2"));
    assertThat(Md5Etag.of(List.of(new StagedPart(1, "\"opaque\"", 1, CRC)))).isEmpty();
    assertThat(Md5Etag.of(List.of(new StagedPart(1, MD5 + "-1", 1, CRC)))).isEmpty();
  }

  private static Answer checksummed(String crc32c) {
    return completed("<ChecksumCRC32C>" + crc32c + "</ChecksumCRC32C>");
  }

  private static Answer completed(String more) {
    return Answer.xml(
        200,
        "<CompleteMultipartUploadResult><ETag>e-2</ETag>"
            + more
            + "</CompleteMultipartUploadResult>");
  }

  private static Answer head(String... headers) {
    return new Answer(
        exchange -> {
          exchange.getResponseHeaders().set("Content-Length", "5");
          Answer.empty(200, headers).sender().send(exchange);
        });
  }
}
