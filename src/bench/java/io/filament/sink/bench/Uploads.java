package io.filament.sink.bench;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.ClientSettings;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.S3Clients;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.Upload;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.zip.CRC32C;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.transfer.s3.S3TransferManager;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Bodies that are there already, to a server that drops them, one request at a time. The SDK's
 * requests are those of https, without TLS, which would cost every side the same.
 */
final class Uploads {

  private static final int PART_BYTES = 16 << 20;
  private static final String BUCKET = "bench";

  private static final StaticCredentialsProvider KEYS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench-secret"));

  private final int port;
  private final byte[][] parts;

  /** With the HTTP client that the sink makes for itself. */
  private final S3Client own;

  private final S3Client sdk;

  private Uploads(int port, int mib) {
    this.port = port;
    this.parts = new byte[Math.max(1, mib / (PART_BYTES >> 20))][PART_BYTES];
    SplittableRandom random = new SplittableRandom(1);
    for (byte[] part : parts) {
      random.nextBytes(part);
    }
    ClientSettings settings =
        new ClientSettings(Optional.empty(), Optional.of(https()), true, Optional.empty(), 4);
    this.own = client(S3Clients.http(settings).buildWithDefaults(AttributeMap.empty()));
    this.sdk = client(Apache5HttpClient.create());
  }

  private S3Client client(SdkHttpClient http) {
    return S3Client.builder()
        .endpointOverride(https())
        .httpClient(WithoutTls.of(http))
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .credentialsProvider(KEYS)
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .serviceConfiguration(
            service -> service.chunkedEncodingEnabled(false).expectContinueEnabled(false))
        .build();
  }

  private URI https() {
    return URI.create("https://127.0.0.1:" + port);
  }

  /** Starts a server, which ends with this process. */
  static Uploads start(int mib) throws IOException {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                DiscardingServer.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader port =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.US_ASCII));
    return new Uploads(Integer.parseInt(port.readLine()), mib);
  }

  private String address() {
    return "http://127.0.0.1:" + port;
  }

  /** The sink's way to S3: the checksums of the parts and of the object are computed, too. */
  Side sinkStore() {
    return store(own);
  }

  /** The same way with the Common Runtime's client in place of Apache's. */
  Side crt() {
    return store(client(AwsCrtHttpClient.create()));
  }

  private Side store(S3Client client) {
    SdkObjectStore store = SdkObjectStore.of(client, BUCKET);
    return () -> {
      ObjectHeaders headers =
          new ObjectHeaders("application/octet-stream", Optional.empty(), Map.of());
      Upload upload = store.start("ours", headers);
      List<StagedPart> staged = new ArrayList<>();
      Crc32c whole = Crc32c.EMPTY;
      for (byte[] part : parts) {
        Crc32c crc = Crc32c.of(part);
        whole = whole.then(crc, part.length); // as in a run: each byte is summed up once
        Body body = new Body(() -> new ByteArrayInputStream(part), part.length, crc);
        staged.add(store.part(upload, staged.size() + 1, body));
      }
      store.complete(upload, staged, whole, Condition.ALWAYS);
    };
  }

  Side sdkPut() {
    return () -> {
      for (int i = 0; i < parts.length; i++) {
        String key = "put" + i;
        sdk.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromBytes(parts[i]));
      }
    };
  }

  Side sdkParts() {
    return () -> {
      String id = sdk.createMultipartUpload(r -> r.bucket(BUCKET).key("sdk")).uploadId();
      for (int i = 0; i < parts.length; i++) {
        int number = i + 1;
        sdk.uploadPart(
            r -> r.bucket(BUCKET).key("sdk").uploadId(id).partNumber(number),
            RequestBody.fromBytes(parts[i]));
      }
      sdk.completeMultipartUpload(r -> r.bucket(BUCKET).key("sdk").uploadId(id));
    };
  }

  /** The SDK's transfer manager over its asynchronous client, with parts of the same size. */
  Side transferManager() {
    S3AsyncClient client =
        S3AsyncClient.builder()
            .endpointOverride(https())
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .credentialsProvider(KEYS)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .multipartEnabled(true)
            .multipartConfiguration(
                c -> c.minimumPartSizeInBytes((long) PART_BYTES).thresholdInBytes(1L + PART_BYTES))
            .httpClient(WithoutTls.of(NettyNioAsyncHttpClient.create()))
            .build();
    S3TransferManager manager = S3TransferManager.builder().s3Client(client).build();
    byte[] object = new byte[parts.length * PART_BYTES];
    for (int i = 0; i < parts.length; i++) {
      System.arraycopy(parts[i], 0, object, i * PART_BYTES, PART_BYTES);
    }
    return () ->
        manager
            .upload(
                u ->
                    u.putObjectRequest(r -> r.bucket(BUCKET).key("manager"))
                        .requestBody(AsyncRequestBody.fromBytesUnsafe(object)))
            .completionFuture()
            .join();
  }

  Side jdkClient() {
    HttpClient jdk = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    return () -> {
      for (int i = 0; i < parts.length; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(address() + "/" + BUCKET + "/jdk" + i))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(parts[i]))
                .build();
        jdk.send(request, HttpResponse.BodyHandlers.discarding());
      }
    };
  }

  Side socket() {
    return () -> {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        OutputStream out = socket.getOutputStream();
        for (byte[] part : parts) {
          String head =
              "PUT /bench/socket HTTP/1.1\r\nHost: bench\r\nContent-Length: "
                  + part.length
                  + "\r\n\r\n";
          out.write(head.getBytes(StandardCharsets.US_ASCII));
          out.write(part);
          byte[] answer = new byte[256];
          if (socket.getInputStream().read(answer) < 0) {
            throw new IOException("no answer");
          }
        }
      }
    };
  }

  /** A whole run with one resource: rows in, an object and a manifest out. */
  Side run(RecordBatch batch, ObjectFormat format) {
    S3SinkConfig config =
        S3SinkConfig.fromMap(
            Map.of(
                "bucket",
                BUCKET,
                "region",
                "us-east-1",
                // What AWS has. A server that checks nothing would be sent MD5s as well.
                "checksum_mode",
                "full_object",
                "file_format",
                format.format().label(),
                "compression",
                format.compression().label()));
    return () -> {
      try (Sink sink = S3Sink.builder(config).client(own).build()) {
        sink.open(RunSpec.builder(UUID.randomUUID().toString()).build());
        sink.write(batch);
        sink.commit();
      }
    };
  }

  /** Sends an encoded object as the run does, without the run. */
  Side object(byte[] object) {
    SdkObjectStore store = SdkObjectStore.of(own, BUCKET);
    return () -> {
      ObjectHeaders headers =
          new ObjectHeaders("application/octet-stream", Optional.empty(), Map.of());
      Upload upload = store.start("object", headers);
      List<StagedPart> staged = new ArrayList<>();
      Crc32c whole = Crc32c.EMPTY;
      for (int from = 0; from < object.length; from += PART_BYTES) {
        int start = from;
        int length = Math.min(PART_BYTES, object.length - from);
        CRC32C sum = new CRC32C();
        sum.update(object, start, length);
        Crc32c crc = Crc32c.of(sum);
        whole = whole.then(crc, length);
        Body body = new Body(() -> new ByteArrayInputStream(object, start, length), length, crc);
        staged.add(store.part(upload, staged.size() + 1, body));
      }
      store.complete(upload, staged, whole, Condition.ALWAYS);
    };
  }
}
