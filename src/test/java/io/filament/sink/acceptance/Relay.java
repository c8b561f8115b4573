package io.filament.sink.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.filament.sink.s3.testing.S3Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server between a sink and an S3 server. It keeps a log of what is asked, passes requests on as
 * they are signed, and lets a rule hold or answer them first.
 */
final class Relay implements AutoCloseable {

  /** Looks at a request before it is passed on; may wait; returns null to pass it on. */
  @FunctionalInterface
  interface Rule {
    Answer answer(S3Request request) throws InterruptedException;
  }

  /** An answer in the place of the S3 server's. */
  record Answer(int status, String code) {

    /** The connection is cut and nothing is answered. */
    static final Answer NONE = new Answer(0, "");
  }

  private static final Rule PASS_ON = request -> null;

  private final URI server;
  private final HttpServer relay;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<S3Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();
  private volatile Rule rule = PASS_ON;

  private Relay(URI server) throws IOException {
    this.server = server;
    this.relay = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    relay.setExecutor(threads);
    relay.createContext("/", this::handle);
    relay.start();
  }

  static Relay before(S3Endpoint endpoint) throws IOException {
    return new Relay(endpoint.uri());
  }

  /** Returns the endpoint that a sink is given. */
  String endpoint() {
    return "http://127.0.0.1:" + relay.getAddress().getPort();
  }

  void rule(Rule newRule) {
    rule = newRule;
  }

  void passEverythingOn() {
    rule = PASS_ON;
  }

  List<S3Request> requests() {
    return List.copyOf(requests);
  }

  /** Returns the requests of one operation. */
  List<S3Request> requests(String operation) {
    return requests.stream().filter(request -> request.operation().equals(operation)).toList();
  }

  /**
   * Returns beginnings and ends in their order, as {@code > PutObject key} and {@code < PutObject
   * key}.
   */
  List<String> events() {
    return List.copyOf(events);
  }

  int inFlight() {
    return inFlight.get();
  }

  int mostInFlight() {
    return mostInFlight.get();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
      S3Request request = S3Request.of(exchange);
      requests.add(request);
      events.add("> " + request.operation() + " " + request.key());
      try {
        answer(exchange, request);
      } finally {
        events.add("< " + request.operation() + " " + request.key());
        inFlight.decrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the relay is closing, and with it this connection
    }
  }

  private void answer(HttpExchange exchange, S3Request request)
      throws IOException, InterruptedException {
    Answer answer = rule.answer(request);
    if (answer == null) {
      passOn(exchange, request);
    } else if (answer.status() != 0) {
      String xml = "<Error><Code>" + answer.code() + "</Code><Message>no</Message></Error>";
      byte[] body = xml.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/xml");
      boolean bodiless = request.method().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), bodiless ? -1 : body.length);
      if (!bodiless) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  /** Speaks HTTP/1.0 with the server, so that an answer ends where the connection ends. */
  private void passOn(HttpExchange exchange, S3Request request) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(request.head().getBytes(StandardCharsets.ISO_8859_1));
      out.write(request.body());
      out.flush();
      InputStream in = socket.getInputStream();
      int status = Integer.parseInt(line(in).split(" ")[1]);
      for (String header = line(in); !header.isEmpty(); header = line(in)) {
        int colon = header.indexOf(':');
        String name = header.substring(0, colon);
        if (!name.equalsIgnoreCase("Connection")) {
          exchange.getResponseHeaders().add(name, header.substring(colon + 1).trim());
        }
      }
      byte[] body = in.readAllBytes();
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    relay.stop(0);
  }
}
