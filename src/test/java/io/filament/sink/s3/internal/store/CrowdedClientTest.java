package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.SinkEvent.RequestRetried;
import io.filament.sink.s3.internal.store.S3Stub.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A host's client whose connections others have taken. */
@Timeout(60)
class CrowdedClientTest {

  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch given = new CountDownLatch(1);
  private final ExecutorService others = Executors.newSingleThreadExecutor();
  private S3Stub stub;
  private S3Client client;

  @BeforeEach
  void open() {
    stub = S3Stub.start();
    client =
        S3Client.builder()
            .endpointOverride(stub.uri())
            .region(Region.US_EAST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .forcePathStyle(true)
            .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(1)
                    .connectionAcquisitionTimeout(Duration.ofMillis(50)))
            .build();
  }

  @AfterEach
  void close() {
    given.countDown();
    others.shutdownNow();
    client.close();
    stub.close();
  }

  @Test
  void requestWithoutAConnectionIsMadeAgainAndAsksForFewer() throws Exception {
    stub.answers(new Answer(exchange -> hold()), Answer.empty(404));
    Future<?> other = others.submit(() -> SdkObjectStore.of(client, "bucket").head("other"));
    taken.await();
    AtomicInteger slowDowns = new AtomicInteger();
    List<RequestRetried> told = new ArrayList<>();
    RequestObserver observer =
        new RequestObserver() {
          @Override
          public void slowDown() {
            slowDowns.incrementAndGet();
          }

          @Override
          public void retried(RequestRetried event) {
            told.add(event);
            given.countDown();
            await(other);
          }
        };
    SdkObjectStore store =
        SdkObjectStore.of(client, "bucket")
            .with(
                Retries.of(
                    RetryLimits.ofRun(Duration.ofMinutes(5)),
                    new VirtualClock(),
                    () -> 1,
                    observer));

    assertThat(store.head("key")).isEmpty();

    assertThat(told)
        .singleElement()
        .extracting(RequestRetried::reason)
        .asString()
        .startsWith("no connection of the client became free in time; give it more connections");
    assertThat(slowDowns).hasValue(1);
  }

  private void hold() throws IOException {
    taken.countDown();
    try {
      given.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the stub is closing
    }
  }

  /** The held request gets no answer, and so gives its connection back. */
  private static void await(Future<?> other) {
    try {
      other.get();
    } catch (Exception e) {
      // what became of it doesn't matter here
    }
  }
}
