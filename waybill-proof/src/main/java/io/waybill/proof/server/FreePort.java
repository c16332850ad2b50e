package io.waybill.proof.server;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports for servers that keep theirs over restarts. Methods may be called by any thread.
 *
 * <p>A port that was found belongs to this process until it ends, whether anything listens there or
 * not: no other process that asks here gets it, also of another build on the same machine. The mark
 * of that is a UDP socket of the same number, which the system gives to one process alone and which
 * is in no server's way.
 *
 * <p>The ports lie below the range from which the system serves outgoing connections: otherwise a
 * client that tries to reconnect to a stopped server could be given that very port as its own and
 * connect to itself.
 */
public final class FreePort {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 32_000;

  /** Never closed: the ports of one process are few. */
  private static final Set<DatagramSocket> MARKS = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /**
   * Finds a port that is free, and keeps it for this process.
   *
   * @return port on the loopback interface
   * @throws IllegalStateException if none was found
   */
  public static int find() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (reserve(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  /** Whether nobody has the port; from then on this process has. */
  static boolean reserve(int port) {
    DatagramSocket mark;
    try {
      mark = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (SocketException taken) {
      return false;
    }
    if (!isFree(port)) {
      mark.close();
      return false;
    }
    return MARKS.add(mark);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
