package io.waybill.server.config;

import java.util.regex.Pattern;

/**
 * Where health and metrics are served.
 *
 * @param enabled whether they are served at all
 * @param host address to bind
 * @param port port to bind, 0 for any free one
 */
public record HttpConfig(boolean enabled, String host, int port) {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,255}");

  static HttpConfig read(Section section) {
    HttpConfig config =
        new HttpConfig(
            section.flag("enabled", true),
            section.text("host", HOST, "must be a host name or an address", "127.0.0.1"),
            section.number("port", 8080, 0, 65_535));
    section.done();
    if (config.enabled && !Hosts.isLoopback(config.host)) {
      section.warn(
          "http.host "
              + config.host
              + " is reachable from other machines; health and metrics ask for no password");
    }
    return config;
  }
}
