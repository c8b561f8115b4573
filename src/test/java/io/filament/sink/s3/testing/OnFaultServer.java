package io.filament.sink.s3.testing;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.ShortWaits;
import io.filament.sink.s3.testing.StoreProfile.Checksums;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A server that fails as planned, a bucket for each test, and short ways to ask for things. */
abstract class OnFaultServer {

  static final Instant NOW = Instant.parse("2026-09-10T02:00:00Z");
  static final String KEY = "dir/key";

  static FaultServer server;

  /** Asks once, so that a fault is seen and not mended. */
  S3Client once;

  ServedBucket bucket;

  @BeforeAll
  static void start() {
    server = FaultServer.start(Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A client of its own: a connection that a fault has ended is no other test's matter. */
  @BeforeEach
  void createBucket() throws SinkException {
    once = ShortWaits.client(server.uri(), 1, Duration.ofSeconds(30), 4);
    bucket = server.createBucket("bucket", StoreProfile.S3.withPartsOfAtLeast(4));
  }

  @AfterEach
  void closeClient() {
    once.close();
  }

  void profile(Checksums checksums) {
    bucket = server.createBucket("bucket", StoreProfile.S3.with(checksums));
  }

  static Fault refused(WireAnswer answer) {
    return new Fault.Refused(answer);
  }

  static String put(S3Client client, String key) {
    return client
        .putObject(r -> r.bucket("bucket").key(key), RequestBody.fromString("content"))
        .eTag();
  }

  void putIf(String noneMatch, String match) {
    once.putObject(
        r -> r.bucket("bucket").key(KEY).ifNoneMatch(noneMatch).ifMatch(match),
        RequestBody.fromString("content"));
  }

  String putWithChecksum(String crc32c) {
    return once.putObject(
            r -> r.bucket("bucket").key(KEY).checksumCRC32C(crc32c),
            RequestBody.fromString("content"))
        .checksumCRC32C();
  }

  String read() {
    return once.getObjectAsBytes(r -> r.bucket("bucket").key(KEY)).asUtf8String();
  }

  String part(String id, int number, String content) {
    return once.uploadPart(
            r -> r.bucket("bucket").key(KEY).uploadId(id).partNumber(number),
            RequestBody.fromString(content))
        .eTag();
  }

  static CompletedPart listed(int number, String etag) {
    return CompletedPart.builder().partNumber(number).eTag(etag).build();
  }

  String complete(String id, CompletedPart... parts) {
    return once.completeMultipartUpload(
            r -> r.bucket("bucket").key(KEY).uploadId(id).multipartUpload(u -> u.parts(parts)))
        .eTag();
  }

  static int status(ThrowingCallable call) {
    return catchThrowableOfType(S3Exception.class, call).statusCode();
  }

  static String code(ThrowingCallable call) {
    return catchThrowableOfType(S3Exception.class, call).awsErrorDetails().errorCode();
  }
}
