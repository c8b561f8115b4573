package io.filament.sink.s3.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An S3 server on a free port of 127.0.0.1 that goes wrong as planned. It speaks HTTP over its own
 * sockets, since a fault may be in the middle of a head or a body.
 *
 * <p>Each bucket has a profile and a plan of its own, so many tests may share a server. It checks
 * no signatures. Everything is forgotten when it is closed.
 */
public final class FaultServer implements AutoCloseable {

  private static final String ANY_BUCKET = "?";

  private final ServerSocket listener;
  private final Clock clock;
  private final ExecutorService threads;
  private final Map<String, ServedBucket> buckets = new ConcurrentHashMap<>();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();

  private FaultServer(ServerSocket listener, Clock clock) {
    this.listener = listener;
    this.clock = clock;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "fault-server");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts a server, which the caller closes. */
  public static FaultServer start() {
    return start(Clock.systemUTC());
  }

  /**
   * Starts a server whose Last-Modified is this clock's. Date stays the machine's time: the SDK
   * believes it, and signs all later requests of the JVM with what it takes for a skew.
   */
  public static FaultServer start(Clock clock) {
    try {
      FaultServer server =
          new FaultServer(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), clock);
      server.threads.execute(server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** Makes an empty bucket in the place of one that may be there. */
  public ServedBucket createBucket(String name, StoreProfile profile) {
    ServedBucket bucket = new ServedBucket(name, profile, clock);
    buckets.put(name, bucket);
    return bucket;
  }

  /** Forgets a bucket. */
  public void deleteBucket(String name) {
    buckets.remove(name);
  }

  /**
   * Waits until every request that has been sent to a bucket is done with. What clients have given
   * up is carried out then, or never.
   */
  public void awaitQuiet(String bucket) throws InterruptedException {
    for (Connection connection : connections) {
      connection.awaitQuiet(bucket);
    }
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = listener.accept();
        Connection connection = new Connection(socket);
        connections.add(connection);
        threads.execute(connection::serve);
      } catch (IOException e) {
        return; // the listener is closed
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      connections.forEach(Connection::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** A client's connection: one request after the other. */
  private final class Connection {

    private final Socket socket;
    // Guarded by this.
    private String busyWith = "";
    private boolean ended;

    Connection(Socket socket) {
      this.socket = socket;
    }

    void serve() {
      try (socket) {
        socket.setTcpNoDelay(true);
        BufferedInputStream in = new BufferedInputStream(socket.getInputStream());
        while (exchange(in)) {
          busy("");
        }
      } catch (IOException e) {
        // The client is gone, or a fault has cut the connection.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the server is closing
      } finally {
        connections.remove(this);
        synchronized (this) {
          ended = true;
          notifyAll();
        }
      }
    }

    private boolean exchange(BufferedInputStream in) throws IOException, InterruptedException {
      int first = in.read();
      if (first < 0) {
        return false;
      }
      busy(ANY_BUCKET);
      WireRequest request = WireRequest.read(first, in);
      busy(request.bucket());
      ServedBucket bucket = buckets.get(request.bucket());
      String id = "request-" + requests.incrementAndGet();
      if (bucket == null && request.operation() == S3Operation.CREATE_BUCKET) {
        bucket = createBucket(request.bucket(), StoreProfile.S3);
      }
      new Exchange(request, bucket, new Exchange.Line(in, socket.getOutputStream(), id)).run();
      if (request.operation() == S3Operation.DELETE_BUCKET) {
        deleteBucket(request.bucket());
      }
      return !"close".equals(request.header("connection").orElse(""));
    }

    private synchronized void busy(String bucket) {
      busyWith = bucket;
      notifyAll();
    }

    /** A request that nobody has begun to read is busy, too: the loopback keeps it for us. */
    synchronized void awaitQuiet(String bucket) throws InterruptedException {
      while (!ended
          && (busyWith.equals(bucket)
              || busyWith.equals(ANY_BUCKET)
              || (busyWith.isEmpty() && hasUnread()))) {
        wait(1);
      }
    }

    private boolean hasUnread() {
      try {
        return socket.getInputStream().available() > 0;
      } catch (IOException e) {
        return false; // closed
      }
    }

    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
