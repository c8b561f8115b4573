package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;

/** An interrupt ends a request long before the store's time is up. */
@Timeout(30)
class InterruptibleHttpClientTest {

  private static final Patience HURRIED = Patience.ofRun().withLastMoment(Duration.ofMillis(1));
  private static final Upload UPLOAD = new Upload("key", "id");
  private static final byte[] CONTENT = "content".getBytes(UTF_8);
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, Crc32c.of(CONTENT));
  private static final Answer PUT_DONE = Answer.empty(200, "ETag", "\"etag\"");

  private static final HttpExecuteRequest ANY_REQUEST =
      HttpExecuteRequest.builder()
          .request(
              SdkHttpRequest.builder()
                  .method(SdkHttpMethod.GET)
                  .uri(URI.create("http://127.0.0.1"))
                  .build())
          .build();

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private S3Stub stub;
  private S3Client client;
  private SdkObjectStore store;

  @BeforeEach
  void open() throws SinkException {
    stub = S3Stub.start();
    client = S3Clients.create("bucket", stub.settings(), HURRIED, Regions.ofSdk());
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
    stub.answers(
        new Answer(
            exchange -> {
              Answer.error(503, "SlowDown").sender().send(exchange);
              exchange.close();
              asked.countDown();
            }));
    Duration hour = Duration.ofHours(1);
    RetryLimits limits = new RetryLimits(hour.multipliedBy(2), hour, hour, hour, hour);
    try (S3Client patient = S3Clients.create("bucket", stub.settings())) {
      SdkObjectStore slow =
          SdkObjectStore.of(patient, "bucket")
              .with(Retries.of(limits, Retries.Clock.SYSTEM, () -> 1, () -> {}));

      Interrupted interrupted = interrupted(() -> slow.part(UPLOAD, 1, BODY));

      assertThat(interrupted.failure()).isInstanceOf(InterruptedIOException.class);
      assertThat(interrupted.flag()).isTrue();
    }
  }

  @Test
  void answerInTheLastMomentIsNotCutOff() throws Exception {
    Silent silent =
        new Silent(
            HttpExecuteResponse.builder()
                .response(SdkHttpResponse.builder().statusCode(200).build())
                .build());
    try (InterruptibleHttpClient patient =
        new InterruptibleHttpClient(silent, Duration.ofHours(1))) {
      CountedLooks interrupted = new CountedLooks(patient);
      CountedLooks other = new CountedLooks(patient);
      interrupted.start();
      other.start();
      silent.called.acquire(2);

      interrupted.interrupt();
      interrupted.seen.await();
      other.looks.drainPermits();
      other.looks.acquire(2); // From here on, the interrupted request was looked at once more.

      assertThat(silent.aborted).isFalse();
      silent.answers.release(2);
      assertThat(interrupted.status.get()).isEqualTo(200);
      assertThat(other.status.get()).isEqualTo(200);
    }
  }

  @Test
  void closingThatReadsOnForEverIsCutOff() throws Exception {
    Semaphore ends = new Semaphore(0);
    InputStream endless =
        new ByteArrayInputStream(CONTENT) {
          @Override
          public void close() throws IOException {
            try {
              ends.acquire();
            } catch (InterruptedException e) {
              throw new IOException("nobody cut it off", e);
            }
          }
        };
    HttpExecuteResponse answer =
        HttpExecuteResponse.builder()
            .response(SdkHttpResponse.builder().statusCode(200).build())
            .responseBody(AbortableInputStream.create(endless, ends::release))
            .build();
    Silent silent = new Silent(answer);
    silent.answers.release();
    try (InterruptibleHttpClient hurried =
        new InterruptibleHttpClient(silent, Duration.ofMillis(1))) {
      AbortableInputStream body =
          hurried.prepareRequest(ANY_REQUEST).call().responseBody().orElseThrow();

      body.close();

      assertThat(ends.availablePermits()).isZero();
    }
  }

  @Test
  void otherRequestsOfTheClientGoOn() throws Exception {
    stub.answers(new Answer(exchange -> hang()), PUT_DONE);

    interrupted(() -> store.part(UPLOAD, 1, BODY));
    store.put(
        "key", BODY, new ObjectHeaders("text/plain", Optional.empty(), Map.of()), Condition.ALWAYS);

    assertThat(stub.requests()).hasSize(2);
  }

  @Test
  void attemptWhoseTimeIsUpIsNoInterrupt() {
    stub.answers(new Answer(exchange -> hang()), Answer.empty(200));

    assertThatThrownBy(
            () ->
                client.headBucket(
                    request ->
                        request
                            .bucket("bucket")
                            .overrideConfiguration(
                                o -> o.apiCallAttemptTimeout(Duration.ofSeconds(1)))))
        .isInstanceOf(ApiCallAttemptTimeoutException.class);

    client.headBucket(request -> request.bucket("bucket"));
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

  /** Answers when it is told to, or is aborted. */
  private static final class Silent implements SdkHttpClient {

    final Semaphore called = new Semaphore(0);
    final Semaphore answers = new Semaphore(0);
    final AtomicBoolean aborted = new AtomicBoolean();
    private final HttpExecuteResponse answer;

    Silent(HttpExecuteResponse answer) {
      this.answer = answer;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          called.release();
          while (!answers.tryAcquire()) {
            Thread.onSpinWait(); // As a socket, and unlike a lock, leaves the flag alone.
          }
          return answer;
        }

        @Override
        public void abort() {
          aborted.set(true);
          answers.release();
        }
      };
    }

    @Override
    public void close() {}
  }

  /** Makes a request, and counts how often somebody looks whether it is interrupted. */
  private static final class CountedLooks extends Thread {

    final CountDownLatch seen = new CountDownLatch(1);
    final Semaphore looks = new Semaphore(0);
    final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final SdkHttpClient client;

    CountedLooks(SdkHttpClient client) {
      this.client = client;
    }

    @Override
    public void run() {
      try {
        HttpExecuteResponse answer = client.prepareRequest(ANY_REQUEST).call();
        status.complete(answer.httpResponse().statusCode());
      } catch (IOException e) {
        status.completeExceptionally(e);
      }
    }

    @Override
    public boolean isInterrupted() {
      boolean interrupted = super.isInterrupted();
      looks.release();
      if (interrupted) {
        seen.countDown();
      }
      return interrupted;
    }
  }
}
