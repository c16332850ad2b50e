package io.waybill.proof.proxy;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/**
 * Counts how often a connection turns from writing to reading. The driver makes it from its class
 * name, which is the value of its property {@code socketFactory}, so the counter is shared by all
 * connections made with it. Thread-safe.
 */
public final class RoundTripCounter extends SocketFactory {
  private static final AtomicInteger ROUND_TRIPS = new AtomicInteger();

  /** Made by the driver, for each connection. */
  public RoundTripCounter() {}

  /**
   * Round trips of all connections so far.
   *
   * @return a number that only grows
   */
  public static int roundTrips() {
    return ROUND_TRIPS.get();
  }

  @Override
  public Socket createSocket() {
    return new CountingSocket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  private static final class CountingSocket extends Socket {
    private volatile boolean written;

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          written = true;
          out.write(bytes, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          if (written) {
            written = false;
            ROUND_TRIPS.incrementAndGet();
          }
          return in.read(bytes, offset, length);
        }
      };
    }
  }
}
