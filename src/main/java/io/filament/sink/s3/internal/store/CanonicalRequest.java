package io.filament.sink.s3.internal.store;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * A request in the one form that both ends sign (<a
 * href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html">IAM
 * User Guide, Signature Version 4</a>).
 *
 * @param text holds the values of all signed headers, secrets among them
 * @param signedHeaders their names, in order
 */
record CanonicalRequest(String text, String signedHeaders) {

  /** What changes on the way, or is added after the signature. */
  private static final Set<String> UNSIGNED_HEADERS =
      Set.of("connection", "x-amzn-trace-id", "user-agent", "expect", "transfer-encoding");

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /**
   * @param normalizes whether dots in the path are resolved; S3 takes a key as it is
   * @param encodesTwice whether an encoded path is encoded again; all services ask for it but S3
   */
  static CanonicalRequest of(
      SdkHttpRequest request, boolean normalizes, boolean encodesTwice, String bodyHash) {
    SortedMap<String, String> headers = headers(request);
    String names = String.join(";", headers.keySet());
    String lines =
        headers.entrySet().stream()
            .map(header -> header.getKey() + ":" + header.getValue() + "\n")
            .collect(Collectors.joining());
    String text =
        String.join(
            "\n",
            request.method().name(),
            path(request.encodedPath(), normalizes, encodesTwice),
            query(request),
            lines,
            names,
            bodyHash);
    return new CanonicalRequest(text, names);
  }

  /** Returns the header {@code Host}, with the port only where it is not the usual one. */
  static String host(SdkHttpRequest request) {
    return SdkHttpUtils.isUsingStandardPort(request.protocol(), request.port())
        ? request.host()
        : request.host() + ":" + request.port();
  }

  private static String path(@Nullable String encoded, boolean normalizes, boolean encodesTwice) {
    if (encoded == null || encoded.isEmpty()) {
      return "/";
    }
    String path = normalizes ? URI.create(encoded).normalize().getRawPath() : encoded;
    String absolute = path.startsWith("/") ? path : "/" + path;
    return encodesTwice ? SdkHttpUtils.urlEncodeIgnoreSlashes(absolute) : absolute;
  }

  private static String query(SdkHttpRequest request) {
    return request.rawQueryParameters().entrySet().stream()
        .collect(
            Collectors.toMap(
                parameter -> SdkHttpUtils.urlEncode(parameter.getKey()),
                Map.Entry::getValue,
                (one, other) -> one,
                TreeMap::new))
        .entrySet()
        .stream()
        .flatMap(
            parameter ->
                values(parameter.getValue()).stream()
                    .map(value -> parameter.getKey() + "=" + value))
        .collect(Collectors.joining("&"));
  }

  /** A parameter without a value has an empty one. */
  private static List<String> values(List<@Nullable String> raw) {
    return raw.isEmpty()
        ? List.of("")
        : raw.stream()
            .map(value -> value == null ? "" : SdkHttpUtils.urlEncode(value))
            .sorted()
            .toList();
  }

  private static SortedMap<String, String> headers(SdkHttpRequest request) {
    SortedMap<String, String> headers = new TreeMap<>();
    request.forEachHeader(
        (name, values) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!UNSIGNED_HEADERS.contains(lower)) {
            headers.put(
                lower,
                values.stream()
                    .map(value -> BLANKS.matcher(value.strip()).replaceAll(" "))
                    .collect(Collectors.joining(",")));
          }
        });
    return headers;
  }
}
