package io.waybill.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes bytes on to a local server; silent, it swallows them and keeps the connections open. */
final class SilentProxy implements AutoCloseable {
  private final ServerSocket door;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean silent;

  SilentProxy(int target) throws IOException {
    this.target = target;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  void silent(boolean now) {
    silent = now;
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // An end of the connection was closed.
              }
            },
            "silent-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (!door.isClosed()) {
      Socket client = door.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(client);
      sockets.add(server);
      start(() -> pass(client.getInputStream(), server.getOutputStream()));
      start(() -> pass(server.getInputStream(), client.getOutputStream()));
    }
  }

  private void pass(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[8_192];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      if (!silent) {
        out.write(buffer, 0, count);
      }
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
