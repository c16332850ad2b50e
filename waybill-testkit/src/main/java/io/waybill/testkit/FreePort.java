package io.waybill.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports for servers that keep theirs over restarts.
 *
 * <p>The ports lie below the range from which the system serves outgoing connections: otherwise a
 * client that tries to reconnect to a stopped server could be given that very port as its own and
 * connect to itself.
 */
public final class FreePort {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 32_000;

  private FreePort() {}

  /**
   * Finds a port that is free now.
   *
   * @return port on the loopback interface
   * @throws IllegalStateException if none was found
   */
  public static int find() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
