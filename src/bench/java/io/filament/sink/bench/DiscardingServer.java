package io.filament.sink.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * As much of S3 as an upload asks for: takes bodies, drops them, and remembers their sizes. A
 * process of its own, on 127.0.0.1, so that its work isn't counted; ends with its standard input.
 */
final class DiscardingServer {

  private static final int BUFFER = 1 << 18;
  private static final String ETAG = "ETag: \"0-1\"\r\n";

  private final Map<String, AtomicLong> sizes = new ConcurrentHashMap<>();
  private final Map<String, String> metadata = new ConcurrentHashMap<>();

  private DiscardingServer() {}

  public static void main(String[] arguments) throws IOException {
    ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    System.out.println(listening.getLocalPort());
    System.out.flush();
    DiscardingServer server = new DiscardingServer();
    daemon(
        () -> {
          while (true) {
            Socket socket = listening.accept();
            daemon(() -> server.serve(socket));
          }
        });
    while (System.in.read() >= 0) {}
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                System.err.println("connection ended: " + e);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    byte[] buffer = new byte[BUFFER];
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER)) {
      OutputStream out = socket.getOutputStream();
      String request = line(in);
      while (!request.isEmpty()) {
        Map<String, String> headers = headers(in);
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
          out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        long length = Long.parseLong(headers.getOrDefault("content-length", "0"));
        drop(in, length, buffer);
        out.write(answer(request.split(" ", 3), headers, length));
        out.flush();
        request = line(in);
      }
    }
  }

  private static void drop(InputStream in, long length, byte[] buffer) throws IOException {
    long left = length;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new IOException("a body ended " + left + " bytes early");
      }
      left -= read;
    }
  }

  private byte[] answer(String[] request, Map<String, String> headers, long length) {
    String method = request[0];
    String key = request[1].split("\\?", 2)[0];
    String query = request[1].contains("?") ? request[1].split("\\?", 2)[1] : "";
    if (method.equals("POST") && query.startsWith("uploads")) {
      begin(key, headers);
      return xml(
          "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
    }
    if (method.equals("POST")) {
      return xml(
          "<CompleteMultipartUploadResult><ETag>\"0-1\"</ETag></CompleteMultipartUploadResult>");
    }
    if (method.equals("PUT")) {
      if (query.isEmpty()) {
        begin(key, headers);
      }
      sizes.computeIfAbsent(key, k -> new AtomicLong()).addAndGet(length);
      return ascii("HTTP/1.1 200 OK\r\n" + ETAG + "Content-Length: 0\r\n\r\n");
    }
    AtomicLong size = sizes.get(key);
    if (size == null || !method.equals("HEAD")) {
      return ascii("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    }
    return ascii(
        "HTTP/1.1 200 OK\r\n" + ETAG + metadata.get(key) + "Content-Length: " + size + "\r\n\r\n");
  }

  private void begin(String key, Map<String, String> headers) {
    StringBuilder kept = new StringBuilder();
    headers.forEach(
        (name, value) -> {
          if (name.startsWith("x-amz-meta-")) {
            kept.append(name).append(": ").append(value).append("\r\n");
          }
        });
    metadata.put(key, kept.toString());
    sizes.put(key, new AtomicLong());
  }

  private static byte[] xml(String body) {
    return ascii(
        "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    return headers;
  }

  /** Returns an empty line at the connection's end, too. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    while (c >= 0 && c != '\n') {
      if (c != '\r') {
        line.append((char) c);
      }
      c = in.read();
    }
    return line.toString();
  }
}
