package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** One request and its answer. */
final class ApacheExchange implements ExecutableHttpRequest {

  /** Large enough that a write's fixed cost is small against its bytes. */
  private static final int PIECE_BYTES = 64 << 10;

  /** The SDK's sign that it sends a body in chunks with signatures or checksums between them. */
  private static final String CHUNKED_MARK = "x-amz-decoded-content-length";

  /** What Apache's client says itself. */
  private static final Set<String> OWN_HEADERS = Set.of("content-length", "transfer-encoding");

  private final HttpClient client;
  private final HttpHost target;
  private final HttpUriRequestBase request;

  ApacheExchange(HttpClient client, HttpExecuteRequest execute) {
    SdkHttpRequest asked = execute.httpRequest();
    URI address = asked.getUri();
    this.client = client;
    this.target = new HttpHost(address.getScheme(), address.getHost(), address.getPort());
    this.request = new HttpUriRequestBase(asked.method().name(), address);
    asked.forEachHeader(
        (name, values) -> {
          if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            values.forEach(value -> request.addHeader(name, value));
          }
        });
    request.setHeader(HttpHeaders.HOST, CanonicalRequest.host(asked));
    execute
        .contentStreamProvider()
        .ifPresentOrElse(
            content ->
                request.setEntity(
                    new Content(
                        content, length(asked), asked.firstMatchingHeader(CHUNKED_MARK).isEmpty())),
            () -> {
              if (asked.method() == SdkHttpMethod.PUT || asked.method() == SdkHttpMethod.POST) {
                request.setEntity(new ByteArrayEntity(new byte[0], null));
              }
            });
  }

  private static long length(SdkHttpRequest asked) {
    return asked.firstMatchingHeader(HttpHeaders.CONTENT_LENGTH).map(Long::parseLong).orElse(-1L);
  }

  @Override
  public HttpExecuteResponse call() throws IOException {
    ClassicHttpResponse answer = answer();
    SdkHttpFullResponse.Builder head =
        SdkHttpFullResponse.builder()
            .statusCode(answer.getCode())
            .statusText(answer.getReasonPhrase());
    for (Header header : answer.getHeaders()) {
      head.appendHeader(header.getName(), header.getValue());
    }
    HttpExecuteResponse.Builder response = HttpExecuteResponse.builder().response(head.build());
    HttpEntity body = answer.getEntity();
    if (body == null) {
      answer.close(); // gives the connection back
    } else {
      response.responseBody(AbortableInputStream.create(body.getContent(), this));
    }
    return response.build();
  }

  private ClassicHttpResponse answer() throws IOException {
    try {
      return client.executeOpen(target, request, HttpClientContext.create());
    } catch (IllegalStateException e) {
      if (request
          .isAborted()) { // before it had a connection, which Apache's client takes as misuse
        throw new IOException("the request was aborted", e);
      }
      throw e;
    } catch (Error e) {
      request.abort(); // else its connection would never be given back
      throw e;
    }
  }

  @Override
  public void abort() {
    request.abort();
  }

  /**
   * A body that can be sent as often as an attempt needs it. One of the sink's own writes itself
   * from where it is; any other is copied in large pieces.
   */
  private static final class Content extends AbstractHttpEntity {

    private final ContentStreamProvider content;
    private final long length;
    private final boolean isSentAsItIs;

    Content(ContentStreamProvider content, long length, boolean isSentAsItIs) {
      super((String) null, null);
      this.content = content;
      this.length = length;
      this.isSentAsItIs = isSentAsItIs;
    }

    @Override
    public long getContentLength() {
      return length;
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }

    @Override
    public boolean isStreaming() {
      return false;
    }

    @Override
    public InputStream getContent() {
      return content.newStream();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      BodyContent.Opened opened = BodyContent.open(content);
      try (InputStream in = opened.outer()) {
        InputStream own = opened.inner();
        if (own == null || !isSentAsItIs) {
          copy(in, out);
          return;
        }
        long sent = own.transferTo(out);
        if (sent != length) {
          throw new IOException(
              "the body has %,d bytes, and %,d were announced".formatted(sent, length));
        }
      }
    }

    private void copy(InputStream in, OutputStream out) throws IOException {
      byte[] piece = new byte[(int) Math.min(PIECE_BYTES, length < 0 ? PIECE_BYTES : length + 1)];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        out.write(piece, 0, count);
      }
    }

    @Override
    public void close() {}
  }
}
