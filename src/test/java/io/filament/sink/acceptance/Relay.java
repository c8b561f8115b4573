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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A server between a sink and an S3 server. It keeps a log of what is asked, passes requests on as
 * they are signed, and lets a rule hold or answer them first. Requests that find out the store's
 * checksums are passed on without rule and log.
 */
final class Relay implements AutoCloseable {

  /** Looks at a request before it is passed on; may wait; returns null to pass it on. */
  @FunctionalInterface
  interface Rule {
    Answer answer(S3Request request) throws InterruptedException;
  }

  /** An answer in the place of the S3 server's. */
  record Answer(int status, String code, String region) {

    Answer(int status, String code) {
      this(status, code, "");
    }

    /** The connection is cut and nothing is answered. */
    static final Answer NONE = new Answer(0, "");
  }

  private final URI server;
  private final HttpServer relay;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<S3Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();
  private volatile Rule rule = request -> null;
  private volatile Predicate<S3Request> lost = request -> false;

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

  /** Cuts the connection in the place of the S3 server's answer to these requests. */
  void loseAnswers(Predicate<S3Request> requestsToLose) {
    lost = requestsToLose;
  }

  void passEverythingOn() {
    rule = request -> null;
    lost = request -> false;
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
      if (request.key().endsWith("/_probe")) {
        passProbeOn(request, exchange);
        return;
      }
      requests.add(request);
      events.add("> " + request.operation() + " " + request.key());
      Response response;
      try {
        Answer answer = rule.answer(request);
        response = answer == null ? passOn(request) : Response.of(answer);
        response = lost.test(request) ? Response.of(Answer.NONE) : response;
      } finally {
        // Before the answer goes out: behind it, the next request could overtake this note.
        events.add("< " + request.operation() + " " + request.key());
        inFlight.decrementAndGet();
      }
      response.send(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the relay is closing, and with it this connection
    }
  }

  /** What the sink finds out of the store before it writes is no part of what is tested here. */
  private void passProbeOn(S3Request request, HttpExchange exchange) throws IOException {
    Response response;
    try {
      response = passOn(request);
    } finally {
      inFlight.decrementAndGet();
    }
    response.send(exchange);
  }

  /** Speaks HTTP/1.0 with the server, so that an answer ends where the connection ends. */
  private Response passOn(S3Request request) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(request.head().getBytes(StandardCharsets.ISO_8859_1));
      out.write(request.body());
      out.flush();
      InputStream in = socket.getInputStream();
      int status = Integer.parseInt(line(in).split(" ", 3)[1]);
      List<String> headers = new ArrayList<>();
      for (String header = line(in); !header.isEmpty(); header = line(in)) {
        headers.add(header);
      }
      return new Response(status, headers, in.readAllBytes());
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

  /** What goes back to the sink; without a status, the connection is cut. */
  @SuppressWarnings("ArrayRecordComponent") // written once, and never compared
  private record Response(int status, List<String> headers, byte[] body) {

    static Response of(Answer answer) {
      String xml = "<Error><Code>" + answer.code() + "</Code><Message>no</Message></Error>";
      List<String> headers = new ArrayList<>(List.of("Content-Type: application/xml"));
      if (!answer.region().isEmpty()) {
        headers.add("x-amz-bucket-region: " + answer.region());
      }
      return new Response(answer.status(), headers, xml.getBytes(StandardCharsets.UTF_8));
    }

    void send(HttpExchange exchange) throws IOException {
      if (status == 0) {
        return;
      }
      for (String header : headers) {
        int colon = header.indexOf(':');
        String name = header.substring(0, colon);
        if (!name.equalsIgnoreCase("Connection")) {
          exchange.getResponseHeaders().add(name, header.substring(colon + 1).trim());
        }
      }
      boolean bodiless = exchange.getRequestMethod().equals("HEAD") || body.length == 0;
      exchange.sendResponseHeaders(status, bodiless ? -1 : body.length);
      if (!bodiless) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    relay.stop(0);
  }
}
