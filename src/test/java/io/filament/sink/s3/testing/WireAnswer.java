package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer of {@link FaultServer}.
 *
 * @param headers besides {@code Content-Length}, {@code Date} and the request's id
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WireAnswer(int status, Map<String, String> headers, byte[] body) {

  public WireAnswer {
    headers = Collections.unmodifiableMap(new TreeMap<>(headers));
    body = body.clone();
  }

  /** An answer without a body. */
  public static WireAnswer empty(int status, String... headers) {
    return new WireAnswer(status, pairs(headers), new byte[0]);
  }

  /** An answer with this XML, or what should be XML. */
  public static WireAnswer xml(int status, String text, String... headers) {
    Map<String, String> all = pairs(headers);
    all.put("Content-Type", "application/xml");
    return new WireAnswer(status, all, text.getBytes(UTF_8));
  }

  /** An answer with S3's form of an error (S3 API, error responses); with status 200, too. */
  public static WireAnswer error(int status, String code, String message) {
    return xml(
        status,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code><Message>%s</Message></Error>"
            .formatted(code, escaped(message)));
  }

  /** Makes text fit between tags. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static Map<String, String> pairs(String... headers) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      pairs.put(headers[i], headers[i + 1]);
    }
    return pairs;
  }

  /** A head and a body that are cut at any byte are still bytes. */
  byte[] head(String date, String requestId) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Answer\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Date: ").append(date).append("\r\n");
    head.append("x-amz-request-id: ").append(requestId).append("\r\n");
    if (headers.keySet().stream().noneMatch("Content-Length"::equalsIgnoreCase)
        && status != 204
        && status != 304) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(UTF_8);
  }

  @Override
  public byte[] body() {
    return body.clone();
  }

  @Override
  public String toString() {
    return status
        + " "
        + headers
        + " "
        + new String(Arrays.copyOf(body, Math.min(200, body.length)), UTF_8);
  }
}
