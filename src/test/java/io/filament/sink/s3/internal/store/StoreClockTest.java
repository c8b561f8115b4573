package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** The store's time, and a clock of ours that is wrong. */
class StoreClockTest {

  private static final String NO_UPLOADS =
      "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>";

  private final DatedAnswers answers = new DatedAnswers();
  private final S3Client client =
      S3Client.builder()
          .region(Region.EU_WEST_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
          .httpClient(answers)
          .overrideConfiguration(o -> o.retryStrategy(Patience.ofRun().retryStrategy()))
          .build();
  private final SdkObjectStore store =
      SdkObjectStore.of(client, "bucket")
          .with(
              Retries.of(
                  RetryLimits.ofRun(Duration.ofMinutes(5)), new VirtualClock(), () -> 1, () -> {}));

  @Test
  void timeIsThatOfTheLatestAnswer() throws IOException {
    answers.add(200, NO_UPLOADS, "Thu, 10 Sep 2026 02:00:00 GMT");
    answers.add(404, "", "Thu, 10 Sep 2026 02:00:05 GMT");
    answers.add(200, NO_UPLOADS, "yesterday");

    assertThat(store.time()).isEmpty();
    store.uploads("key");
    assertThat(store.time()).contains(Instant.parse("2026-09-10T02:00:00Z"));
    assertThat(store.head("key")).isEmpty();
    assertThat(store.time()).contains(Instant.parse("2026-09-10T02:00:05Z"));
    store.uploads("key");
    assertThat(store.time()).contains(Instant.parse("2026-09-10T02:00:05Z"));
  }

  @Test
  void clockThatIsWrongIsSetRight() throws IOException {
    answers.add(
        403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", "Sun, 10 Sep 2034 02:00:00 GMT");
    answers.add(200, NO_UPLOADS, "Sun, 10 Sep 2034 02:00:01 GMT");

    store.uploads("key");

    assertThat(answers.dates).hasSize(2);
    assertThat(answers.dates.get(1)).startsWith("20340910T02");
  }

  @Test
  void clockThatCanNotBeSetRightIsAFailure() {
    answers.add(403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", "never");
    answers.add(403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", "never");

    Assertions.assertThatThrownBy(() -> store.uploads("key"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("clock");
    assertThat(answers.dates).hasSize(2);
  }

  /** Answers without a network, since a real server says its own time. */
  private static final class DatedAnswers implements SdkHttpClient {

    private final Queue<HttpExecuteResponse> planned = new ArrayDeque<>();
    private final List<String> dates = new ArrayList<>();

    void add(int status, String body, String date) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      SdkHttpResponse answer =
          SdkHttpFullResponse.builder().statusCode(status).putHeader("Date", date).build();
      planned.add(
          HttpExecuteResponse.builder()
              .response(answer)
              .responseBody(AbortableInputStream.create(new ByteArrayInputStream(bytes)))
              .build());
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      dates.add(request.httpRequest().firstMatchingHeader("X-Amz-Date").orElse(""));
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          return planned.remove();
        }

        @Override
        public void abort() {
          // Nothing waits.
        }
      };
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
