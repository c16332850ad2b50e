package io.waybill.server.config;

import io.waybill.broker.Loopback;
import java.util.regex.Pattern;

/** Host names and addresses as text; nothing is looked up. */
final class Hosts {
  static final Pattern ADDRESS =
      Pattern.compile("([A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}]):([0-9]{1,5})");
  static final String ADDRESS_RULE = "must be host:port";

  private Hosts() {}

  static boolean isLoopback(String host) {
    return Loopback.isHost(host);
  }

  /** Whether a text is host:port with a port from 1 to 65535. */
  static boolean isAddress(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      return false;
    }
    int port = Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
    return port >= 1 && port <= 65_535;
  }

  static String host(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }
}
