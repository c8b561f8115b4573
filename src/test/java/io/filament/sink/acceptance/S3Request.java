package io.filament.sink.acceptance;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One request to an S3 server, path style. */
@SuppressWarnings("ArrayRecordComponent") // read, and never compared
record S3Request(String method, URI uri, Map<String, List<String>> headers, byte[] body) {

  /** What a request means for one hop alone, and what is written anew. */
  private static final Set<String> OF_ONE_HOP =
      Set.of("connection", "expect", "content-length", "transfer-encoding");

  static S3Request of(HttpExchange exchange) throws IOException {
    return new S3Request(
        exchange.getRequestMethod(),
        exchange.getRequestURI(),
        Map.copyOf(exchange.getRequestHeaders()),
        exchange.getRequestBody().readAllBytes());
  }

  /** Returns the name that S3 gives to what is asked. */
  String operation() {
    String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    boolean upload = query.contains("uploadId=");
    return switch (method) {
      case "PUT" -> upload ? "UploadPart" : "PutObject";
      case "POST" -> upload ? "CompleteMultipartUpload" : "CreateMultipartUpload";
      case "DELETE" -> upload ? "AbortMultipartUpload" : "DeleteObject";
      case "HEAD" -> key().isEmpty() ? "HeadBucket" : "HeadObject";
      default -> key().isEmpty() ? "List" : "GetObject";
    };
  }

  /** Returns the key, or nothing for a request about the bucket. */
  String key() {
    String[] parts = uri.getPath().split("/", 3);
    return parts.length < 3 ? "" : parts[2];
  }

  /** Returns the number that the query has under this name. */
  int queryNumber(String name) {
    for (String pair : uri.getRawQuery().split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return Integer.parseInt(pair.substring(name.length() + 1));
      }
    }
    throw new AssertionError("no " + name + " in " + uri);
  }

  /** Returns whether this is about a run's manifest. */
  boolean isForManifest() {
    return key().endsWith("/_SUCCESS.json");
  }

  /** Returns whether this changes what the bucket shows. */
  boolean publishes() {
    return operation().equals("PutObject") || operation().equals("CompleteMultipartUpload");
  }

  /**
   * Returns the request's lines before its body, in HTTP/1.0, without what only the hop to here
   * meant.
   */
  String head() {
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    StringBuilder head =
        new StringBuilder(method + " " + uri.getRawPath() + query + " HTTP/1.0\r\n");
    headers.forEach(
        (name, values) -> {
          if (!OF_ONE_HOP.contains(name.toLowerCase(Locale.ROOT))) {
            values.forEach(value -> head.append(name).append(": ").append(value).append("\r\n"));
          }
        });
    return head.append("Content-Length: ").append(body.length).append("\r\n\r\n").toString();
  }
}
