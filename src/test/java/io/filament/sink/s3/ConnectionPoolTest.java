package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent.ConcurrencyChanged;
import io.filament.sink.SinkEvent.RequestRetried;
import io.filament.sink.s3.testing.Fault;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.RecordedEvents;
import io.filament.sink.s3.testing.S3Operation;
import io.filament.sink.s3.testing.ServedBucket;
import io.filament.sink.s3.testing.StoreProfile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Many resources with small parts never wait for a connection of the client's. */
@Timeout(60)
class ConnectionPoolTest {

  private static final Schema SCHEMA = Schema.builder().required("id", FieldType.INT64).build();
  private static final int RESOURCES = 50;
  private static final int PART_BYTES = 64;
  private static final int CONCURRENCY = 32;
  private static final int CONNECTIONS = 10;

  private final RecordedEvents events = new RecordedEvents();
  private FaultServer server;
  private ServedBucket bucket;

  @BeforeEach
  void start() {
    server = FaultServer.start();
    bucket = server.createBucket("bucket", StoreProfile.S3.withPartsOfAtLeast(1));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void hostsClientOfFewConnectionsIsNotAskedForMore() throws Exception {
    CountingClient http = new CountingClient(CONNECTIONS);
    try (http;
        S3Client client = hostsClient(http, new ArrayList<>())) {
      write(S3Sink.builder(config()).client(client), CONNECTIONS);
    }

    assertThat(http.most()).isEqualTo(CONNECTIONS);
    assertThat(events.of(RequestRetried.class)).isEmpty();
  }

  @Test
  void abortAsksForNoMoreEither() throws Exception {
    CountingClient http = new CountingClient(CONNECTIONS);
    try (http;
        S3Client client = hostsClient(http, new ArrayList<>());
        S3Sink sink = S3Sink.builder(config()).client(client).partSizeBytes(PART_BYTES).build()) {
      writeAll(sink);
      sink.abort();
    }

    assertThat(bucket.openUploads()).isEmpty();
    assertThat(http.most()).isLessThanOrEqualTo(CONNECTIONS);
  }

  @Test
  void whatTheHostMeasuresIsStillMeasured() throws Exception {
    List<String> measured = Collections.synchronizedList(new ArrayList<>());
    try (SdkHttpClient http = new CountingClient(CONNECTIONS);
        S3Client client = hostsClient(http, measured)) {
      write(S3Sink.builder(config()).client(client), CONNECTIONS);
    }

    assertThat(measured)
        .contains("HeadObject", "UploadPart", "CompleteMultipartUpload", "PutObject")
        .hasSize(bucket.asked().size());
  }

  @Test
  void sinksOwnClientHasAConnectionForEachRequest() throws Exception {
    write(S3Sink.builder(config()), CONCURRENCY);

    assertThat(events.of(RequestRetried.class)).isEmpty();
    assertThat(events.of(ConcurrencyChanged.class)).isEmpty();
  }

  /** Writes a run whose parts are not answered before so many of them are in flight. */
  private void write(S3Sink.Builder builder, int inFlight) throws Exception {
    Fault.Stall stall = new Fault.Stall(inFlight);
    bucket.planAll(S3Operation.UPLOAD_PART, new Fault.Stalled(Fault.Point.REQUEST_READ, stall));
    ExecutorService host = Executors.newSingleThreadExecutor();
    try (S3Sink sink = builder.listener(events).partSizeBytes(PART_BYTES).build()) {
      Future<RunManifest> run = host.submit(() -> written(sink));
      stall.awaitReached();
      stall.release();
      assertThat(run.get().resources()).hasSize(RESOURCES);
    } finally {
      host.shutdownNow();
    }
  }

  private static RunManifest written(S3Sink sink) throws IOException {
    writeAll(sink);
    return sink.commit();
  }

  private static void writeAll(S3Sink sink) throws IOException {
    sink.open(RunSpec.builder("run-1").startedAt(Instant.parse("2026-09-10T02:00:00Z")).build());
    for (int resource = 0; resource < RESOURCES; resource++) {
      List<Object[]> records = new ArrayList<>();
      for (long id = 0; id < 30; id++) {
        records.add(new Object[] {id});
      }
      sink.write(RecordBatch.ofRows("r" + resource, SCHEMA, records));
    }
  }

  private S3SinkConfig config() {
    Map<String, Object> config = new HashMap<>();
    config.put("bucket", "bucket");
    config.put("endpoint", server.uri().toString());
    config.put("auth_method", "iam_credentials");
    config.put("access_key_id", "AKID");
    config.put("secret_access_key", "secret");
    config.put("checksum_mode", "full_object"); // a probe has a part of its own
    config.put("upload_concurrency", CONCURRENCY);
    return S3SinkConfig.fromMap(config);
  }

  /** As docs/operations.md has it, and with a publisher of the host's own measurements. */
  private S3Client hostsClient(SdkHttpClient http, List<String> measured) {
    return S3Client.builder()
        .endpointOverride(server.uri())
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("AKID", "secret")))
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .serviceConfiguration(
            S3Configuration.builder()
                .chunkedEncodingEnabled(false)
                .pathStyleAccessEnabled(true)
                .expectContinueEnabled(false)
                .build())
        .overrideConfiguration(
            o ->
                o.retryStrategy(AwsRetryStrategy.doNotRetry())
                    .addMetricPublisher(new OperationNames(measured)))
        .httpClient(http)
        .build();
  }

  /** Keeps the names of the operations that are measured. */
  private record OperationNames(List<String> names) implements MetricPublisher {

    @Override
    public void publish(MetricCollection measured) {
      names.addAll(measured.metricValues(CoreMetric.OPERATION_NAME));
    }

    @Override
    public void close() {}
  }

  /** Apache's client, with the most requests that it was asked to make at a time. */
  private static final class CountingClient implements SdkHttpClient {

    private final SdkHttpClient client;
    // Guarded by this.
    private int calls;
    private int most;

    CountingClient(int connections) {
      this.client = Apache5HttpClient.builder().maxConnections(connections).build();
    }

    synchronized int most() {
      return most;
    }

    private synchronized void begin() {
      calls++;
      most = Math.max(most, calls);
    }

    private synchronized void end() {
      calls--;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      ExecutableHttpRequest prepared = client.prepareRequest(request);
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          begin();
          try {
            return prepared.call();
          } finally {
            end();
          }
        }

        @Override
        public void abort() {
          prepared.abort();
        }
      };
    }

    @Override
    public String clientName() {
      return client.clientName();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
