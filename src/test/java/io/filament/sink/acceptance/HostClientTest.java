package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.S3Client;

/** A sink over a client that the host brings. */
class HostClientTest extends OnEveryEndpoint {

  private final AtomicInteger calls = new AtomicInteger();
  private S3Client client;

  @BeforeEach
  void createClient() {
    client =
        bucket.hostClient(
            new ExecutionInterceptor() {
              @Override
              public void beforeExecution(
                  Context.BeforeExecution context, ExecutionAttributes attributes) {
                calls.incrementAndGet();
              }
            });
  }

  @AfterEach
  void closeClient() {
    client.close();
  }

  private Sink sink() {
    S3SinkConfig config = S3SinkConfig.fromMap(Map.of("bucket", bucket.name(), "part_size_mib", 5));
    return S3Sink.builder(config).client(client).build();
  }

  @Test
  void clientMakesTheRequests() throws IOException {
    try (Sink sink = sink()) {
      publish(sink, run().build(), people("people"));
    }

    assertThat(calls.get()).isGreaterThanOrEqualTo(2);
    assertThat(bucket.keys())
        .containsExactlyInAnyOrder(
            "people/dt=2026-09-10/" + RUN_ID + ".ndjson", "_runs/" + RUN_ID + "/_SUCCESS.json");
  }

  @Test
  void clientTakesMultipartObjectsToo() throws IOException {
    try (Sink sink = sink()) {
      sink.open(run().build());
      for (int i = 0; i < 11; i++) {
        sink.write(texts("r", "x".repeat(1 << 20)));
      }
      sink.commit();
    }

    String key = "r/dt=2026-09-10/" + RUN_ID + ".ndjson";
    assertThat(bucket.head(key).eTag()).endsWith("-3\"");
    assertThat(Json.records(bucket.bytes(key))).hasSize(11);
  }

  @Test
  void clientWorksAfterTheSinkIsClosed() throws IOException {
    Sink sink = sink();
    publish(sink, run().build(), people("people"));
    sink.close();

    assertThatCode(() -> client.headBucket(request -> request.bucket(bucket.name())))
        .doesNotThrowAnyException();
  }

  @Test
  void clientIsSharedByTwoSinksOfWhichOneIsClosed() throws IOException {
    Sink first = sink();
    try (Sink second = sink()) {
      second.open(run("second").build());
      second.write(people("people"));
      first.open(run("first").build());
      first.close();
      second.commit();
    }

    assertThat(bucket.keys()).contains("_runs/second/_SUCCESS.json");
  }
}
