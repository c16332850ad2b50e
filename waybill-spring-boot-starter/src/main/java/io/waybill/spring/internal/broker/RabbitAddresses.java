package io.waybill.spring.internal.broker;

import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.keys.Problems;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:(?<scheme>amqps?)://(?:(?<user>.*)@)?)?(?<host>\\[[0-9A-Fa-f:.]+]|[^/:@\\s\\[\\]]+)"
              + "(?::(?<port>[0-9]{1,5}))?(?:/(?<path>[^/]*))?");
  private static final Pattern ENCODED = Pattern.compile("(?:[^%]|%[0-9A-Fa-f]{2})*");

  static RabbitAddresses of(SpringRabbit spring) {
    int usual = spring.tls() ? SECURE : PLAIN;
    List<String> given = spring.addresses();
    if (given == null || given.isEmpty()) {
      Integer port = spring.port();
      String host = spring.host() + ":" + (port == null ? usual : port);
      return new RabbitAddresses(List.of(host), null, null, null, false);
    }
    List<Matcher> read = IntStream.range(0, given.size()).mapToObj(i -> read(given, i)).toList();
    List<String> hosts = read.stream().map(each -> host(each, usual)).toList();
    Matcher first = read.get(0);
    String user = first.group("user");
    String path = first.group("path");
    int colon = user == null ? -1 : user.indexOf(':');
    return new RabbitAddresses(
        hosts,
        user == null ? null : decoded(colon < 0 ? user : user.substring(0, colon)),
        user == null || colon < 0 ? null : decoded(user.substring(colon + 1)),
        path == null || path.isEmpty() ? null : decoded(path),
        "amqps".equals(first.group("scheme")));
  }

  private static Matcher read(List<String> given, int index) {
    Matcher address = ADDRESS.matcher(given.get(index).strip());
    if (!address.matches()) {
      throw refused(index);
    }
    for (String group : List.of("user", "path")) {
      String part = address.group(group);
      if (part != null && !ENCODED.matcher(part).matches()) {
        throw refused(index);
      }
    }
    return address;
  }

  /** Without the value, which may hold a password. */
  private static WaybillStartException refused(int index) {
    return Problems.failure(
        List.of(
            SpringRabbit.PREFIX
                + ".addresses["
                + index
                + "] must be host:port or amqp(s)://user:password@host:port/vhost, with %XX for"
                + " special characters"),
        null);
  }

  private static String host(Matcher address, int usual) {
    String scheme = address.group("scheme");
    int standard = scheme == null ? usual : "amqps".equals(scheme) ? SECURE : PLAIN;
    String port = address.group("port");
    return address.group("host") + ":" + (port == null ? standard : port);
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
