package io.waybill.server.config;

import java.util.List;

/** Lists of host:port. */
final class Addresses {
  private Addresses() {}

  static List<String> read(Section section, String key) {
    List<String> addresses = section.list(key);
    if (addresses.isEmpty()) {
      section.problem(key, "must list at least one host:port");
    }
    for (String address : addresses) {
      if (!Hosts.isAddress(address)) {
        section.problem(key, Hosts.ADDRESS_RULE + " with a port from 1 to 65535", address);
      }
    }
    return addresses;
  }

  static void warnAboutPlaintext(Section section, String key, List<String> addresses, boolean tls) {
    boolean away =
        addresses.stream()
            .filter(Hosts::isAddress)
            .anyMatch(address -> !Hosts.isLoopback(Hosts.host(address)));
    if (away && !tls) {
      section.warn(section.path(key) + " leave this machine in clear text: add a tls section");
    }
  }
}
