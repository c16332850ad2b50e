package io.waybill.spring.internal.broker;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code spring.rabbitmq.addresses}, or else host and port, lead: a host with or without a
 * port, or an AMQP URI, whose first says user, password, virtual host and TLS for all.
 */
record RabbitAddresses(
    List<String> hosts,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    boolean tls) {
  private static final int PLAIN = 5672;
  private static final int SECURE = 5671;

  static RabbitAddresses of(SpringRabbit spring) {
    int usual = spring.tls() ? SECURE : PLAIN;
    List<String> given = spring.addresses();
    if (given == null || given.isEmpty()) {
      Integer port = spring.port();
      String host = spring.host() + ":" + (port == null ? usual : port);
      return new RabbitAddresses(List.of(host), null, null, null, false);
    }
    List<String> hosts = new ArrayList<>();
    for (String each : given) {
      hosts.add(host(each.strip(), usual));
    }
    return first(given.get(0).strip(), hosts);
  }

  private static String host(String address, int usual) {
    if (!address.contains("://")) {
      return address.matches(".*:[0-9]+") ? address : address + ":" + usual;
    }
    URI uri = URI.create(address);
    int port = uri.getPort();
    int standard = "amqps".equals(uri.getScheme()) ? SECURE : PLAIN;
    return uri.getHost() + ":" + (port < 0 ? standard : port);
  }

  private static RabbitAddresses first(String address, List<String> hosts) {
    if (!address.contains("://")) {
      return new RabbitAddresses(hosts, null, null, null, false);
    }
    URI uri = URI.create(address);
    String user = uri.getRawUserInfo();
    String path = uri.getRawPath();
    int colon = user == null ? -1 : user.indexOf(':');
    return new RabbitAddresses(
        hosts,
        user == null ? null : decoded(colon < 0 ? user : user.substring(0, colon)),
        user == null || colon < 0 ? null : decoded(user.substring(colon + 1)),
        path == null || path.length() < 2 ? null : decoded(path.substring(1)),
        "amqps".equals(uri.getScheme()));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Leaves out the password. */
  @Override
  public String toString() {
    return "RabbitAddresses[hosts=" + hosts + "]";
  }
}
