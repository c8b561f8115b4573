package io.filament.sink.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;

/**
 * A store whose answers break HTTP, or what S3 makes of it, with all that it was sent in the place
 * where they do.
 */
final class GarblingStore implements AutoCloseable {

  /** How answers look; {@code %s} stands for what was sent, in one line. */
  static final List<String> GARBLES =
      List.of(
          "HTTP/1.1 200 OK\r\n%s\r\n\r\n",
          "%s\r\nHTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
          "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n",
          "HTTP/1.1 403 %s\r\nContent-Length: 0\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: %s\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n",
          // A body where none belongs, and one that is longer than it is said to be.
          "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n<Error/>\n%s\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n<Error><Message>%s</Message></Error>",
          "HTTP/1.1 503 Slow Down\r\nContent-Length: 99999\r\n\r\n<Error><Code>SlowDown</Code><Message>%s");

  private final ServerSocket socket;
  private volatile String garble = "";

  private GarblingStore(ServerSocket socket) {
    this.socket = socket;
  }

  static GarblingStore start() throws IOException {
    GarblingStore store =
        new GarblingStore(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    Thread thread = new Thread(store::serve, "garbling-store");
    thread.setDaemon(true);
    thread.start();
    return store;
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  void garble(String answer) {
    garble = answer;
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        answer(connection);
      } catch (IOException e) {
        // The client has gone, or the store is closed.
      }
    }
  }

  private void answer(Socket connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.getInputStream());
    StringBuilder sent = new StringBuilder();
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      sent.append(line).append(' ');
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    sent.append(new String(in.readNBytes(length), ISO_8859_1).replaceAll("[<>&\\p{Cntrl}]", " "));
    connection.getOutputStream().write(garble.formatted(sent).getBytes(ISO_8859_1));
    connection.getOutputStream().flush();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
