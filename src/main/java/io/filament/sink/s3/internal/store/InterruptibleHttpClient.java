package io.filament.sink.s3.internal.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.Abortable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Ends a request soon after its thread is interrupted. Java's sockets don't do that by themselves:
 * a thread that waits for a silent store would notice an interrupt only when its time is up.
 *
 * <p>Not at once, though: a request that the store has in full and works on is not undone by a
 * broken connection, and an abort of the upload that overtakes it would leave its part behind (S3
 * API, AbortMultipartUpload).
 *
 * <p>One thread looks at the requests in flight; it lives until {@link #close}.
 */
final class InterruptibleHttpClient implements SdkHttpClient {

  private static final Logger LOG = LoggerFactory.getLogger(InterruptibleHttpClient.class);

  private static final Duration LOOK = Duration.ofMillis(100);

  private final SdkHttpClient client;
  private final Duration lastMoment;
  private final Set<InFlight> inFlight = ConcurrentHashMap.newKeySet();
  private final Thread watcher;

  /**
   * @param lastMoment how long an interrupted thread still waits
   */
  InterruptibleHttpClient(SdkHttpClient client, Duration lastMoment) {
    this.client = client;
    this.lastMoment = lastMoment;
    this.watcher = new Thread(this::watch, "filament-s3-interrupts");
    watcher.setDaemon(true);
    watcher.start();
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new Watched(client.prepareRequest(request));
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    watcher.interrupt();
    client.close();
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK.toMillis());
        look();
      }
    } catch (InterruptedException e) {
      // The client is closed: nothing is left to watch.
    }
  }

  /** An Error, an {@link OutOfMemoryError} for example, must not end the looks for good. */
  private void look() {
    try {
      inFlight.forEach(InFlight::look);
    } catch (Error e) {
      LOG.warn("a look at the requests in flight failed; the next one is soon", e);
    }
  }

  /** Makes the client of another builder interruptible. The SDK closes what it builds. */
  record Builder(SdkHttpClient.Builder<?> builder, Duration lastMoment)
      implements SdkHttpClient.Builder<Builder> {

    @Override
    public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
      return new InterruptibleHttpClient(builder.buildWithDefaults(defaults), lastMoment);
    }
  }

  /** What a thread waits for. */
  private final class InFlight {

    private final Thread thread = Thread.currentThread();
    private final Abortable exchange;

    /**
     * The SDK closes a body after an interrupt whose flag it has taken, and closing reads on to the
     * end; without an interrupt the end is there already.
     */
    private volatile boolean closing;

    /** When the watcher, which alone uses this, saw that the wait should end. */
    private OptionalLong seenNanos = OptionalLong.empty();

    InFlight(Abortable exchange) {
      this.exchange = exchange;
    }

    void look() {
      if (seenNanos.isEmpty() && (closing || thread.isInterrupted())) {
        seenNanos = OptionalLong.of(System.nanoTime());
      }
      if (seenNanos.isPresent()
          && System.nanoTime() - seenNanos.getAsLong() >= lastMoment.toNanos()) {
        inFlight.remove(this);
        exchange.abort();
      }
    }
  }

  /** An exchange that is in flight from its call to the end of the answer's body. */
  private final class Watched implements ExecutableHttpRequest {

    private final ExecutableHttpRequest exchange;

    Watched(ExecutableHttpRequest exchange) {
      this.exchange = exchange;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
      InFlight request = new InFlight(exchange);
      inFlight.add(request);
      try {
        HttpExecuteResponse answer = exchange.call();
        return answer.responseBody().isPresent()
            ? watched(answer.httpResponse(), answer.responseBody().get())
            : answer;
      } finally {
        inFlight.remove(request);
      }
    }

    private HttpExecuteResponse watched(SdkHttpResponse answer, AbortableInputStream body) {
      // From here on the exchange takes no notice of its abort; the body does.
      InFlight rest = new InFlight(body);
      inFlight.add(rest);
      WatchedBody watched = new WatchedBody(body, rest);
      return HttpExecuteResponse.builder()
          .response(answer)
          .responseBody(AbortableInputStream.create(watched, watched))
          .build();
    }

    @Override
    public void abort() {
      exchange.abort();
    }
  }

  /** The body of an answer, whose end is the end of the exchange. */
  private final class WatchedBody extends FilterInputStream implements Abortable {

    private final InFlight request;

    WatchedBody(InputStream body, InFlight request) {
      super(body);
      this.request = request;
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      return b < 0 ? end(b) : b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      return count < 0 ? end(count) : count;
    }

    @Override
    public void close() throws IOException {
      request.closing = true;
      try {
        super.close();
      } finally {
        end(0);
      }
    }

    @Override
    public void abort() {
      end(0);
      request.exchange.abort();
    }

    private int end(int value) {
      inFlight.remove(request);
      return value;
    }
  }
}
