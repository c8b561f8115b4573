package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * An HTTP server on loopback that records requests and answers as it is told: the planned answers
 * in their order, the last of them again and again.
 */
final class S3Stub implements AutoCloseable {

  static final Credentials KEYS =
      new Credentials("AKIDPLANTEDKEY", "planted-secret-key", Optional.of("planted-token"));

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<Received> requests = new ArrayList<>();

  private S3Stub(HttpServer server) {
    this.server = server;
  }

  static S3Stub start() {
    try {
      S3Stub stub =
          new S3Stub(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
      stub.server.createContext("/", stub::handle);
      stub.server.setExecutor(stub.threads);
      stub.server.start();
      return stub;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Plans what is answered. */
  S3Stub answers(Answer... planned) {
    synchronized (answers) {
      answers.addAll(Arrays.asList(planned));
    }
    return this;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  ClientSettings settings() {
    return new ClientSettings(
        Optional.of("eu-west-1"), Optional.of(uri()), true, Optional.of(KEYS), 2);
  }

  List<Received> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  Received onlyRequest() {
    List<Received> all = requests();
    if (all.size() != 1) {
      throw new AssertionError("not one request: " + all);
    }
    return all.get(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Map<String, List<String>> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
    synchronized (requests) {
      requests.add(
          new Received(
              exchange.getRequestMethod() + " " + exchange.getRequestURI(),
              headers,
              body.length,
              Crc32c.of(body),
              new String(body, UTF_8)));
    }
    next().sender().send(exchange);
    exchange.close();
  }

  private Answer next() {
    synchronized (answers) {
      return answers.size() > 1 ? answers.remove() : answers.element();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** A request as it arrived; header names in lower case. */
  record Received(
      String line, Map<String, List<String>> headers, long length, Crc32c crc32c, String text) {

    String header(String name) {
      List<String> values = headers.getOrDefault(name, List.of());
      if (values.size() > 1) {
        throw new AssertionError(name + " came " + values.size() + " times: " + values);
      }
      return values.isEmpty() ? null : values.get(0);
    }

    List<String> headersThatStartWith(String prefix) {
      return headers.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }
  }

  /** What is answered. */
  record Answer(Sender sender) {

    static Answer empty(int status, String... headers) {
      return new Answer(exchange -> send(exchange, status, "", headers));
    }

    static Answer xml(int status, String body, String... headers) {
      return new Answer(exchange -> send(exchange, status, body, headers));
    }

    static Answer error(int status, String code) {
      return error(status, code, "the store's own words");
    }

    static Answer error(int status, String code, String message) {
      return xml(
          status,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>"
              + code
              + "</Code><Message>"
              + message
              + "</Message><RequestId>REQ1</RequestId></Error>",
          "x-amz-request-id",
          "REQ1");
    }

    /** An error whose words repeat all that a store gets to see of the keys, and more. */
    static Answer echo(int status, String code) {
      return new Answer(
          exchange -> {
            String seen =
                exchange.getRequestHeaders().entrySet().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(" "));
            error(status, code, seen + " " + KEYS.secrets()).sender().send(exchange);
          });
    }

    /** The connection ends without an answer. */
    static Answer cut() {
      return new Answer(HttpExchange::close);
    }

    /** The connection ends within the body, after this text. */
    static Answer cutAfter(int status, String text) {
      return new Answer(
          exchange -> {
            byte[] bytes = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length + 1000L);
            exchange.getResponseBody().write(bytes);
            exchange.getResponseBody().flush();
            exchange.close();
          });
    }

    private static void send(HttpExchange exchange, int status, String body, String... headers)
        throws IOException {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      byte[] bytes = body.getBytes(UTF_8);
      if (bytes.length == 0 || exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Sends an answer. */
  @FunctionalInterface
  interface Sender {
    void send(HttpExchange exchange) throws IOException;
  }
}
