package io.waybill.proof.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listens on one loopback port while it is open; a closed door refuses connections. */
final class Door implements AutoCloseable {
  private static final int BACKLOG = 200;

  private final int port;
  private final Consumer<Socket> guests;
  private @Nullable ServerSocket listening;
  private @Nullable Thread accepting;

  Door(int port, Consumer<Socket> guests) {
    this.port = port;
    this.guests = guests;
  }

  synchronized void open() {
    if (listening != null) {
      return;
    }
    try {
      ServerSocket socket = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
      listening = socket;
      Thread thread = new Thread(() -> accept(socket), "proxy door " + port);
      thread.setDaemon(true);
      accepting = thread;
      thread.start();
    } catch (IOException e) {
      throw new UncheckedIOException("The proxy cannot listen on port " + port, e);
    }
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        guests.accept(socket.accept());
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException("The proxy's port " + port + " broke", e);
        }
      }
    }
  }

  /** Returns when nobody is let in any more. */
  @Override
  public synchronized void close() {
    ServerSocket socket = listening;
    Thread thread = accepting;
    if (socket == null || thread == null) {
      return;
    }
    listening = null;
    accepting = null;
    try {
      socket.close();
      // The system keeps the port open until the call that waits for guests has returned.
      thread.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
