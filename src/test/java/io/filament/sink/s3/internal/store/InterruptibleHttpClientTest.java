package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import java.io.ByteArrayInputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.s3.S3Client;

/** An interrupt ends a request long before the store's time is up. */
@Timeout(30)
class InterruptibleHttpClientTest {

  private static final Upload UPLOAD = new Upload("key", "id");
  private static final byte[] CONTENT = "content".getBytes(UTF_8);
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, Crc32c.of(CONTENT));
  private static final Answer PUT_DONE = Answer.empty(200, "ETag", "\"etag\"");

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
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
    over.countDown();
    client.close();
    stub.close();
  }

  @Test
  void interruptEndsTheWaitForAnAnswer() throws Exception {
    stub.answers(new Answer(exchange -> hang()));

    Interrupted interrupted = interrupted(() -> store.part(UPLOAD, 1, BODY));

    assertThat(interrupted.failure())
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("UploadPart s3://bucket/key: interrupted");
    assertThat(interrupted.flag()).isTrue();
  }

  @Test
  void interruptEndsTheWaitForTheRestOfAnAnswer() throws Exception {
    stub.answers(
        new Answer(
            exchange -> {
              exchange.sendResponseHeaders(200, 1_000);
              exchange.getResponseBody().write("<ListMultipartUploadsResult>".getBytes(UTF_8));
              exchange.getResponseBody().flush();
              hang();
            }));

    Interrupted interrupted = interrupted(() -> store.uploads("key"));

    assertThat(interrupted.failure())
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("ListMultipartUploads s3://bucket/key: interrupted");
    assertThat(interrupted.flag()).isTrue();
  }

  @Test
  void interruptEndsTheWaitForTheNextAttempt() throws Exception {
    Patience patience = Patience.ofRun().withDelay(Duration.ofHours(1));
    stub.answers(
        new Answer(
            exchange -> {
              Answer.error(503, "SlowDown").sender().send(exchange);
              exchange.close();
              asked.countDown();
            }));
    try (S3Client patient =
        S3Clients.create("bucket", stub.settings(), patience, Regions.ofSdk())) {
      SdkObjectStore slow = SdkObjectStore.of(patient, "bucket");

      Interrupted interrupted = interrupted(() -> slow.part(UPLOAD, 1, BODY));

      assertThat(interrupted.failure()).isInstanceOf(InterruptedIOException.class);
      assertThat(interrupted.flag()).isTrue();
    }
  }

  @Test
  void otherRequestsOfTheClientGoOn() throws Exception {
    stub.answers(new Answer(exchange -> hang()), PUT_DONE);

    interrupted(() -> store.part(UPLOAD, 1, BODY));
    store.put("key", BODY, new ObjectHeaders("text/plain", Optional.empty(), Map.of()));

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void attemptWhoseTimeIsUpIsNoInterrupt() {
    stub.answers(new Answer(exchange -> hang()), Answer.empty(200));

    client.headBucket(
        request ->
            request
                .bucket("bucket")
                .overrideConfiguration(o -> o.apiCallAttemptTimeout(Duration.ofSeconds(1))));

    assertThat(stub.requests()).hasSize(2);
    assertThat(Thread.interrupted()).isFalse();
  }

  private void hang() {
    asked.countDown();
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes the call on a thread that is interrupted once the store was asked. */
  private Interrupted interrupted(ThrowingCallable call) throws Exception {
    CompletableFuture<Interrupted> result = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              Throwable failure = catchThrowable(call);
              result.complete(new Interrupted(failure, Thread.currentThread().isInterrupted()));
            });
    caller.start();
    asked.await();
    caller.interrupt();
    return result.get();
  }

  private record Interrupted(Throwable failure, boolean flag) {}
}
