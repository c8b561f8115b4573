package io.filament.sink.scale;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * As much of S3 as a run asks for: takes bodies, checks their CRC-32C and drops them. A process of
 * its own on 127.0.0.1, so that its work isn't counted; ends with its standard input. Its argument
 * is how many MiB it takes in a second, 0 for all that come.
 */
final class CheckingServer {

  private static final int BUFFER = 1 << 16;
  private static final String CHECKSUM = "x-amz-checksum-crc32c";

  private final CheckedObjects objects = new CheckedObjects();
  private final PaceOfBytes pace;

  private CheckingServer(PaceOfBytes pace) {
    this.pace = pace;
  }

  public static void main(String[] arguments) throws IOException {
    ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    System.out.println(listening.getLocalPort());
    System.out.flush();
    CheckingServer server = new CheckingServer(new PaceOfBytes(Integer.parseInt(arguments[0])));
    daemon(
        () -> {
          while (true) {
            Socket socket = listening.accept();
            daemon(() -> server.serve(socket));
          }
        });
    while (System.in.read() >= 0) {}
  }

  /** What a thread does. */
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

  /** One request, without its body. */
  private record Request(
      String method, String path, Map<String, String> query, Map<String, String> headers) {

    Optional<String> checksum() {
      return Optional.ofNullable(headers.get(CHECKSUM));
    }

    String metadata() {
      StringBuilder kept = new StringBuilder();
      headers.forEach(
          (name, value) -> {
            if (name.startsWith("x-amz-meta-")) {
              kept.append(name).append(": ").append(value).append("\r\n");
            }
          });
      return kept.toString();
    }
  }

  private void serve(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    byte[] buffer = new byte[BUFFER];
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER)) {
      OutputStream out = socket.getOutputStream();
      for (String first = firstLine(in); !first.isEmpty(); first = firstLine(in)) {
        Request request = request(first, headers(in));
        if (request.headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
          out.write(ascii("HTTP/1.1 100 Continue\r\n\r\n"));
        }
        long length = Long.parseLong(request.headers.getOrDefault("content-length", "0"));
        out.write(ascii(answer(request, in, length, buffer)));
        out.flush();
      }
    }
  }

  private String answer(Request request, InputStream in, long length, byte[] buffer)
      throws IOException {
    if (request.method.equals("POST") && request.query.containsKey("uploadId")) {
      return complete(request, new String(in.readNBytes((int) length), StandardCharsets.UTF_8));
    }
    ReceivedBody body = ReceivedBody.read(in, length, buffer, pace);
    return switch (request.method) {
      case "PUT" -> put(request, body);
      case "POST" ->
          xml(
              "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
                  .formatted(objects.start(request.path, request.metadata())));
      case "DELETE" -> {
        objects.abort(request.query.getOrDefault("uploadId", ""));
        yield "HTTP/1.1 204 No Content\r\n\r\n";
      }
      case "HEAD" -> objects.object(request.path).map(CheckingServer::head).orElse(status(404, ""));
      default -> get(request);
    };
  }

  private String put(Request request, ReceivedBody body) {
    String id = request.query.get("uploadId");
    boolean good =
        id == null
            ? objects.put(request.path, body, request.metadata(), request.checksum())
            : objects.part(
                id,
                Integer.parseInt(request.query.getOrDefault("partNumber", "0")),
                body,
                request.checksum());
    return good ? status(200, tag(body.crc())) : badDigest();
  }

  private String complete(Request request, String list) {
    int listed = list.split("<PartNumber>", -1).length - 1;
    String id = request.query.getOrDefault("uploadId", "");
    if (!objects.complete(id, listed, request.checksum())) {
      return badDigest();
    }
    int crc = objects.object(request.path).orElseThrow().content().crc();
    return xml(
        "<CompleteMultipartUploadResult><ETag>\"%08x\"</ETag><ChecksumCRC32C>%s</ChecksumCRC32C><ChecksumType>FULL_OBJECT</ChecksumType></CompleteMultipartUploadResult>"
            .formatted(crc, Crc.base64(crc)));
  }

  private String get(Request request) {
    if (request.path.equals("/report")) {
      String report = String.join("\n", objects.report());
      return "HTTP/1.1 200 OK\r\nContent-Length: " + report.length() + "\r\n\r\n" + report;
    }
    return xml("<ListMultipartUploadsResult></ListMultipartUploadsResult>");
  }

  private static String head(CheckedObjects.Known known) {
    return "HTTP/1.1 200 OK\r\n"
        + tag(known.content().crc())
        + "x-amz-checksum-type: FULL_OBJECT\r\n"
        + "Last-Modified: Thu, 10 Sep 2026 02:00:00 GMT\r\n"
        + known.metadata()
        + "Content-Length: "
        + known.content().length()
        + "\r\n\r\n";
  }

  private static String tag(int crc) {
    return "ETag: \"%08x\"\r\n%s: %s\r\n".formatted(crc, CHECKSUM, Crc.base64(crc));
  }

  private static String badDigest() {
    String body = "<Error><Code>BadDigest</Code><Message>other bytes</Message></Error>";
    return "HTTP/1.1 400 Bad Request\r\nContent-Type: application/xml\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static String status(int code, String headers) {
    return "HTTP/1.1 " + code + " X\r\n" + headers + "Content-Length: 0\r\n\r\n";
  }

  private static String xml(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Request request(String first, Map<String, String> headers) {
    String[] words = first.split(" ", 3);
    String[] target = words[1].split("\\?", 2);
    Map<String, String> query = new TreeMap<>();
    for (String pair : target.length < 2 ? new String[0] : target[1].split("&")) {
      String[] sides = pair.split("=", 2);
      query.put(sides[0], sides.length < 2 ? "" : sides[1]);
    }
    String path = URLDecoder.decode(target[0].replace("+", "%2B"), StandardCharsets.UTF_8);
    return new Request(words[0], path, query, headers);
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

  /** A client that ends may reset the connections that it keeps. */
  private static String firstLine(InputStream in) throws IOException {
    try {
      return line(in);
    } catch (SocketException e) {
      return "";
    }
  }

  /** Returns an empty line at the connection's end, too. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
