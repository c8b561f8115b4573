package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A request in path style, as it arrived.
 *
 * @param key decoded; empty for a request to the bucket
 * @param query decoded
 * @param headers names in lower case
 * @param body empty until it is read
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WireRequest(
    String method,
    String bucket,
    String key,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {

  /** Reads the head; the body is left in the stream. */
  static WireRequest read(int first, InputStream in) throws IOException {
    String[] line = line(first, in).split(" ");
    if (line.length != 3) {
      throw new IOException("no request line: " + String.join(" ", line));
    }
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in.read(), in); !header.isEmpty(); header = line(in.read(), in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    String[] target = line[1].split("\\?", 2);
    String[] path = target[0].substring(1).split("/", 2);
    return new WireRequest(
        line[0],
        decoded(path[0]),
        path.length > 1 ? decoded(path[1]) : "",
        query(target.length > 1 ? target[1] : ""),
        headers,
        new byte[0]);
  }

  WireRequest withBody(byte[] content) {
    return new WireRequest(method, bucket, key, query, headers, content);
  }

  S3Operation operation() {
    return S3Operation.of(method, key, query);
  }

  int length() {
    return header("content-length").map(Integer::parseInt).orElse(0);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  String queryOr(String name, String absent) {
    return query.getOrDefault(name, absent);
  }

  /** Returns whether the client has sent this request before, as the SDK tells it. */
  boolean isRetry() {
    return !header("amz-sdk-request").orElse("attempt=1").contains("attempt=1");
  }

  private static String line(int first, InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = first; next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the head of a request breaks off");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String pair : text.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      query.put(
          URLDecoder.decode(parts[0], UTF_8),
          parts.length > 1 ? URLDecoder.decode(parts[1], UTF_8) : "");
    }
    return query;
  }

  /** In a path a plus sign is one. */
  private static String decoded(String path) {
    return URLDecoder.decode(path.replace("+", "%2B"), UTF_8);
  }
}
