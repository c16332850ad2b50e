package io.waybill.internal.text;

import java.util.Locale;
import java.util.regex.Pattern;

/** Recognises this machine by host names alone: nothing is looked up. */
public final class Loopback {
  private static final Pattern V4 = Pattern.compile("127(\\.[0-9]{1,3}){3}");
  private static final Pattern PORT = Pattern.compile(":[0-9]+$");

  private Loopback() {}

  /**
   * Whether a name or an address is always this machine's own.
   *
   * @param host name, IPv4 address, or IPv6 address with or without brackets
   * @return true for {@code localhost} and names that end with {@code .localhost} (RFC 6761),
   *     127.0.0.0/8 and {@code ::1}
   */
  public static boolean isHost(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || name.equals("::1")
        || name.equals("[::1]")
        || V4.matcher(name).matches();
  }

  /**
   * Whether an address with a port is always this machine's own.
   *
   * @param address {@code host:port}, an IPv6 address in brackets
   * @return whether the host is this machine
   */
  public static boolean isAddress(String address) {
    return isHost(PORT.matcher(address.strip()).replaceFirst(""));
  }
}
