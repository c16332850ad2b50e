package io.waybill.kafka;

import java.util.Arrays;

/** Tells whether servers are on this machine, by their names alone. */
final class Loopback {
  private Loopback() {}

  static boolean only(String servers) {
    return Arrays.stream(servers.split(",", -1)).map(String::strip).allMatch(Loopback::isLocal);
  }

  private static boolean isLocal(String server) {
    String host = server.substring(0, Math.max(0, server.lastIndexOf(':')));
    return "localhost".equals(host) || "[::1]".equals(host) || host.matches("127(\\.\\d{1,3}){3}");
  }
}
