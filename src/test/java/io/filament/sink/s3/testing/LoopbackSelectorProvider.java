package io.filament.sink.s3.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a server that asks for every address of the machine listen on 127.0.0.1 alone.
 *
 * <p>S3Mock opens a second connector whose address nothing can set; with this class in its JVM no
 * test opens a port to the network. The server must accept in blocking mode, as Tomcat does:
 * selectors do not know these channels. The JVM needs {@link #JVM_ARGUMENT}.
 */
public final class LoopbackSelectorProvider extends SelectorProvider {

  /** Lets this class find the provider that it stands in for. */
  static final String JVM_ARGUMENT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

  private final SelectorProvider system = systemProvider();

  /** Called by the JVM. */
  public LoopbackSelectorProvider() {}

  /** Makes this JVM use this class, if it has not opened a channel yet. */
  static void install() {
    System.setProperty(
        "java.nio.channels.spi.SelectorProvider", LoopbackSelectorProvider.class.getName());
  }

  /** Gives what the JVM would use; asking for the provider by the public way would give this. */
  private static SelectorProvider systemProvider() {
    try {
      Class<?> holder = Class.forName("sun.nio.ch.DefaultSelectorProvider");
      return (SelectorProvider) holder.getMethod("get").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This JVM hides its selector provider", e);
    }
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    return new LoopbackChannel(this, system.openServerSocketChannel());
  }

  @Override
  public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
    return new LoopbackChannel(this, system.openServerSocketChannel(family));
  }

  @Override
  public SocketChannel openSocketChannel() throws IOException {
    return system.openSocketChannel();
  }

  @Override
  public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
    return system.openSocketChannel(family);
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    return system.openDatagramChannel();
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    return system.openDatagramChannel(family);
  }

  @Override
  public Pipe openPipe() throws IOException {
    return system.openPipe();
  }

  @Override
  public AbstractSelector openSelector() throws IOException {
    return system.openSelector();
  }

  /** Passes everything on, except that the wildcard address becomes 127.0.0.1. */
  private static final class LoopbackChannel extends ServerSocketChannel {

    private final ServerSocketChannel channel;

    LoopbackChannel(SelectorProvider provider, ServerSocketChannel channel) {
      super(provider);
      this.channel = channel;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
      channel.bind(loopback(local), backlog);
      return this;
    }

    private static SocketAddress loopback(@Nullable SocketAddress local) {
      if (local == null) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      }
      return local instanceof InetSocketAddress inet && inet.getAddress().isAnyLocalAddress()
          ? new InetSocketAddress(InetAddress.getLoopbackAddress(), inet.getPort())
          : local;
    }

    @Override
    public SocketChannel accept() throws IOException {
      return channel.accept();
    }

    @Override
    public ServerSocket socket() {
      return channel.socket();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
      return channel.getLocalAddress();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
      channel.setOption(option, value);
      return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
      return channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return channel.supportedOptions();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
      channel.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
      channel.configureBlocking(block);
    }
  }
}
