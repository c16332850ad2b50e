package io.waybill.rabbitmq.internal.send;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes {@link CorkedSocket}s. */
public final class CorkedSocketFactory extends SocketFactory {
  /** For one client. */
  public CorkedSocketFactory() {}

  @Override
  public Socket createSocket() {
    return new CorkedSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connect(new InetSocketAddress(host, port), new InetSocketAddress(0));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connect(new InetSocketAddress(host, port), new InetSocketAddress(0));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return connect(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return connect(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
  }

  private static Socket connect(InetSocketAddress remote, InetSocketAddress local)
      throws IOException {
    Socket socket = new CorkedSocket();
    try {
      socket.bind(local);
      socket.connect(remote);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
