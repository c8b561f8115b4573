package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestWriterFactory;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that logs nothing of what goes over it. Apache's own prints each header and byte at
 * DEBUG, session tokens and the keys of customers among them, and can't be told not to.
 */
final class QuietConnection extends DefaultManagedHttpClientConnection {

  /** The one name for all: it only shows in logs of Apache's client. */
  private static final String ID = "filament-s3";

  QuietConnection() {
    super(
        ID,
        null,
        null,
        null,
        null,
        null,
        DefaultHttpRequestWriterFactory.INSTANCE,
        config -> new QuietParser());
  }

  @Override
  public void bind(Socket socket) throws IOException {
    bind(new SocketHolder(socket));
  }

  @Override
  public void bind(SSLSocket tls, Socket socket) throws IOException {
    bind(new SocketHolder(tls, socket));
  }

  @Override
  protected void onRequestSubmitted(@Nullable ClassicHttpRequest request) {}

  @Override
  protected void onResponseReceived(@Nullable ClassicHttpResponse answer) {}

  /**
   * Skips what stands before an answer, as Apache's client does: some servers send a body with the
   * answer to a HEAD. That one prints it.
   */
  private static final class QuietParser extends DefaultHttpResponseParser {

    @Override
    protected @Nullable ClassicHttpResponse createMessage(CharArrayBuffer line) throws IOException {
      try {
        return super.createMessage(line);
      } catch (HttpException e) {
        return null;
      }
    }
  }
}
