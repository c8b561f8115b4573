package io.filament.sink.reliability;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Passes bytes between a writer and an S3 server, and calls a hook once at a chosen turn.
 *
 * <p>A turn is where a connection changes its direction: the first bytes of a request, or of an
 * answer. What the writer's kernel still sends after the hook is passed on, as it would be by a
 * network.
 */
final class KillRelay implements AutoCloseable {

  /**
   * When the hook is called: this many bytes after the beginning of a turn, over all connections.
   * The bytes that reach the moment are not passed on before it.
   */
  record Moment(int turn, int bytes) {

    static final Moment NEVER = new Moment(Integer.MAX_VALUE, 0);
  }

  private final URI server;
  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Moment moment;
  private final Runnable hook;
  private int turns;
  private long bytesSinceTurn;
  private boolean reached;

  private KillRelay(URI server, Moment moment, Runnable hook) throws IOException {
    this.server = server;
    this.moment = moment;
    this.hook = hook;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  static KillRelay start(URI server, Moment moment, Runnable hook) throws IOException {
    KillRelay relay = new KillRelay(server, moment, hook);
    relay.threads.execute(relay::accept);
    return relay;
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  synchronized int turns() {
    return turns;
  }

  private void accept() {
    while (true) {
      try {
        Socket writer = listener.accept();
        Socket store = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
        Connection connection = new Connection(writer, store);
        threads.execute(() -> connection.pass(true));
        threads.execute(() -> connection.pass(false));
      } catch (IOException | RejectedExecutionException e) {
        return; // the listener is closed, or about to be
      }
    }
  }

  /** Counts bytes that are about to be passed on, and calls the hook at its moment. */
  private void count(boolean turn, int bytes) {
    boolean now;
    synchronized (this) {
      turns += turn ? 1 : 0;
      bytesSinceTurn += turns > moment.turn ? bytes : 0;
      boolean there = turns > moment.turn && bytesSinceTurn > moment.bytes;
      now = there && !reached;
      reached |= there;
    }
    if (now) {
      hook.run();
    }
  }

  /** One connection of the writer, with its own to the server. */
  private final class Connection {

    private final Socket writer;
    private final Socket store;
    private boolean asking;

    Connection(Socket writer, Socket store) {
      this.writer = writer;
      this.store = store;
    }

    void pass(boolean request) {
      Socket from = request ? writer : store;
      Socket to = request ? store : writer;
      byte[] buffer = new byte[1 << 14];
      try {
        InputStream in = from.getInputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          count(turnsTo(request), read);
          send(to, buffer, read, request);
        }
        to.shutdownOutput();
      } catch (IOException e) {
        close(to); // cut, as the other side is
      } finally {
        if (!request) {
          close(writer);
          close(store);
        }
      }
    }

    /** A writer that is gone takes no answer; the server must still be read to its end. */
    private static void send(Socket to, byte[] buffer, int length, boolean request)
        throws IOException {
      try {
        OutputStream out = to.getOutputStream();
        out.write(buffer, 0, length);
      } catch (IOException e) {
        if (request) {
          throw e;
        }
      }
    }

    private synchronized boolean turnsTo(boolean request) {
      boolean turn = asking != request;
      asking = request;
      return turn;
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Waits until the server has ended each connection: it does nothing more for the writer then. */
  void awaitQuiet() throws IOException, InterruptedException {
    listener.close();
    threads.shutdown();
    if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
      throw new IOException("the server does not end its connections");
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
