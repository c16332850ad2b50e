package io.waybill.proof.proxy;

import io.waybill.proof.server.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Sends back what it gets, and writes down how connections ended. */
final class EchoServer implements AutoCloseable {
  private final int port = FreePort.find();
  private final AtomicLong received = new AtomicLong();
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private Thread accepting = new Thread();
  private ServerSocket door = open();

  private ServerSocket open() {
    try {
      ServerSocket socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
      accepting = start(() -> accept(socket));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "echo");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        start(() -> echo(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void echo(Socket client) {
    byte[] chunk = new byte[8_192];
    try (client) {
      for (int n = client.getInputStream().read(chunk);
          n >= 0;
          n = client.getInputStream().read(chunk)) {
        received.addAndGet(n);
        client.getOutputStream().write(chunk, 0, n);
      }
      ends.add("end");
    } catch (IOException e) {
      ends.add("reset");
    }
  }

  int port() {
    return port;
  }

  long received() {
    return received.get();
  }

  List<String> ends() {
    return ends;
  }

  void leave() {
    close();
  }

  void comeBack() {
    door = open();
  }

  @Override
  public void close() {
    try {
      door.close();
      accepting.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
