package io.waybill.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports nobody listens on. */
final class FreePort {
  private FreePort() {}

  static int find() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
