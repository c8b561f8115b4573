package io.filament.sink.s3.internal.store;

import java.io.IOException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.IdleConnectionEvictor;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The connections of Apache's client, which can't close them. It does so when an {@link Error}
 * passes through it, an {@link OutOfMemoryError} of one request for example, and then refuses all
 * later requests: those that clean up, and those of the next run. Any thread may call.
 */
final class ApachePool implements HttpClientConnectionManager {

  private final PoolingHttpClientConnectionManager connections;
  private final IdleConnectionEvictor evictor;

  /**
   * @param longestIdle after which connections that nobody uses are closed
   */
  ApachePool(PoolingHttpClientConnectionManager connections, TimeValue longestIdle) {
    this.connections = connections;
    this.evictor = new IdleConnectionEvictor(connections, longestIdle);
    evictor.start();
  }

  @Override
  public LeaseRequest lease(String id, HttpRoute route, Timeout timeout, Object state) {
    return connections.lease(id, route, timeout, state);
  }

  @Override
  public void release(ConnectionEndpoint endpoint, Object state, TimeValue keepAlive) {
    connections.release(endpoint, state, keepAlive);
  }

  @Override
  public void connect(ConnectionEndpoint endpoint, TimeValue timeout, HttpContext context)
      throws IOException {
    connections.connect(endpoint, timeout, context);
  }

  @Override
  public void upgrade(ConnectionEndpoint endpoint, HttpContext context) throws IOException {
    connections.upgrade(endpoint, context);
  }

  /** Does nothing: only {@link #end} closes them. */
  @Override
  public void close() {}

  /** Does nothing: only {@link #end} closes them. */
  @Override
  public void close(CloseMode mode) {}

  /** Closes all connections. */
  void end() {
    evictor.shutdown();
    connections.close(CloseMode.GRACEFUL);
  }
}
