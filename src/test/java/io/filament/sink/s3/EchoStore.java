package io.filament.sink.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A store, an STS and a proxy in one that refuses one kind of request and repeats in the refusal
 * all that it was sent. To the others it says what lets a run go on.
 */
final class EchoStore implements AutoCloseable {

  private static final String TOKEN = "x-amz-meta-filament-attempt";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<String> refusals = new ConcurrentSkipListSet<>();
  private final Map<String, Long> lengths = new ConcurrentHashMap<>();
  private final Map<String, List<String>> tokens = new ConcurrentHashMap<>();
  private volatile String refused = "";
  private volatile String manifest = "";

  private EchoStore(HttpServer server) {
    this.server = server;
  }

  static EchoStore start() throws IOException {
    EchoStore store =
        new EchoStore(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    store.server.createContext("/", store::handle);
    store.server.setExecutor(store.threads);
    store.server.start();
    return store;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** From here on this operation is refused. */
  void refuse(String operation) {
    refused = operation;
  }

  /** Returns the operations that were refused. */
  Set<String> refusals() {
    return refusals;
  }

  String manifest() {
    return manifest;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      boolean proxied = exchange.getRequestURI().isAbsolute();
      if (proxied && exchange.getRequestHeaders().getFirst("Proxy-Authorization") == null) {
        exchange.getResponseHeaders().set("Proxy-Authenticate", "Basic realm=\"p\"");
        exchange.sendResponseHeaders(407, -1);
        return;
      }
      String operation = operation(exchange, body);
      if (operation.equals(refused)) {
        refusals.add(operation);
        refuse(exchange, body);
      } else {
        answer(exchange, operation, body);
      }
    }
  }

  private static String operation(HttpExchange exchange, String body) {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    String path = exchange.getRequestURI().getPath();
    return switch (exchange.getRequestMethod()) {
      case "HEAD" -> path.indexOf('/', 1) > 0 ? "HeadObject" : "HeadBucket";
      case "GET" ->
          query.contains("lifecycle")
              ? "GetBucketLifecycleConfiguration"
              : query.contains("uploadId") ? "ListParts" : "ListMultipartUploads";
      case "DELETE" -> query.contains("uploadId") ? "AbortMultipartUpload" : "DeleteObject";
      case "PUT" -> query.contains("partNumber") ? "UploadPart" : "PutObject";
      default ->
          body.contains("Action=AssumeRole")
              ? "AssumeRole"
              : query.contains("uploadId") ? "CompleteMultipartUpload" : "CreateMultipartUpload";
    };
  }

  private static void refuse(HttpExchange exchange, String body) throws IOException {
    StringBuilder seen = new StringBuilder();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> seen.append(name).append('=').append(values).append(' '));
    String echo = (seen + body).replaceAll("[<>&\\p{Cntrl}]", " ");
    exchange.getResponseHeaders().set("x-amz-request-id", echo);
    exchange.getResponseHeaders().set("x-amz-id-2", echo);
    exchange.getResponseHeaders().set("x-minio-error-code", echo);
    send(
        exchange,
        403,
        "<ErrorResponse><Error><Code>AccessDenied</Code><Message>"
            + echo
            + "</Message></Error><Code>AccessDenied</Code><Message>"
            + echo
            + "</Message><RequestId>"
            + echo
            + "</RequestId></ErrorResponse>");
  }

  private void answer(HttpExchange exchange, String operation, String body) throws IOException {
    exchange.getResponseHeaders().set("ETag", "\"e\"");
    String path = exchange.getRequestURI().getPath();
    if (operation.equals("PutObject") || operation.equals("CreateMultipartUpload")) {
      tokens.put(path, exchange.getRequestHeaders().getOrDefault(TOKEN, List.of()));
      lengths.put(path, 0L);
    }
    if (operation.equals("PutObject") || operation.equals("UploadPart")) {
      lengths.merge(path, (long) body.length(), Long::sum);
    }
    switch (operation) {
      case "HeadObject" -> {
        if (tokens.containsKey(path)) {
          exchange.getResponseHeaders().put(TOKEN, tokens.get(path));
          exchange.getResponseHeaders().set("Content-Length", String.valueOf(lengths.get(path)));
        }
        send(exchange, tokens.containsKey(path) ? 200 : 404, "");
      }
      case "AbortMultipartUpload" -> send(exchange, 204, "");
      case "DeleteObject" -> {
        tokens.remove(path);
        send(exchange, 204, "");
      }
      case "GetBucketLifecycleConfiguration" ->
          send(exchange, 200, "<LifecycleConfiguration></LifecycleConfiguration>");
      case "ListParts" ->
          send(
              exchange,
              200,
              "<ListPartsResult><Part><PartNumber>1</PartNumber><ETag>e</ETag><Size>1</Size></Part></ListPartsResult>");
      case "ListMultipartUploads" ->
          send(
              exchange,
              200,
              "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>");
      case "CreateMultipartUpload" ->
          send(
              exchange,
              200,
              "<InitiateMultipartUploadResult><UploadId>id</UploadId></InitiateMultipartUploadResult>");
      case "CompleteMultipartUpload" ->
          send(
              exchange,
              200,
              "<CompleteMultipartUploadResult><ETag>e-1</ETag></CompleteMultipartUploadResult>");
      case "AssumeRole" -> send(exchange, 200, SecretsMain.SESSION);
      default -> {
        if (path.endsWith("_SUCCESS.json")) {
          manifest = body;
        }
        send(exchange, 200, "");
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    if (bytes.length == 0 || exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
