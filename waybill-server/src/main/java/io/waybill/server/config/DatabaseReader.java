package io.waybill.server.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and checks the section {@code database}. */
final class DatabaseReader {
  private static final String PREFIX = "jdbc:postgresql://";
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://([^/?@]+)/([^/?@]{1,189})(?:\\?(.*))?");

  /** What may be given: nothing that names a class, a file to write, or a statement to run. */
  private static final Set<String> ALLOWED =
      Set.of(
          "ApplicationName",
          "channelBinding",
          "gssEncMode",
          "hostRecheckSeconds",
          "loadBalanceHosts",
          "receiveBufferSize",
          "sendBufferSize",
          "ssl",
          "sslcert",
          "sslkey",
          "sslmode",
          "sslnegotiation",
          "sslrootcert",
          "targetServerType",
          "tcpKeepAlive");

  private static final Set<String> CREDENTIALS = Set.of("user", "password", "sslpassword");

  private final Section section;
  private final Map<String, String> properties = new HashMap<>();

  private DatabaseReader(Section section) {
    this.section = section;
  }

  static DatabaseConfig read(Section section) {
    return new DatabaseReader(section).read();
  }

  private DatabaseConfig read() {
    String url = url();
    Optional<String> user = section.text("user");
    Secret password = section.secret("password");
    section.texts("properties").forEach((name, value) -> property("properties", name, value));
    Duration connect =
        section.duration(
            "connect-timeout", Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMinutes(1));
    Duration query =
        section.duration(
            "query-timeout", Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofMinutes(1));
    section.done();
    return new DatabaseConfig(url, user.orElse(null), password, properties, connect, query);
  }

  private String url() {
    if (!section.has("url")) {
      section.problem("url", "must be given");
      return "";
    }
    String url = section.maskedText("url", Urls::mask).orElse("");
    Matcher matcher = URL.matcher(url);
    if (url.isEmpty()) {
      return url;
    }
    if (!matcher.matches()) {
      section.problem(
          "url",
          "must be " + PREFIX + "host[:port]/database, user and password in keys of their own",
          Urls.mask(url));
      return "";
    }
    hosts(matcher.group(1));
    parameters(Optional.ofNullable(matcher.group(3)).orElse(""));
    transport(matcher.group(1));
    return PREFIX + matcher.group(1) + "/" + matcher.group(2);
  }

  private void hosts(String hosts) {
    for (String host : hosts.split(",", -1)) {
      String address = host.matches(".*:[0-9]*") && !host.endsWith("]") ? host : host + ":5432";
      if (!Hosts.isAddress(address)) {
        section.problem("url", "must name hosts as host or host:port", host);
      }
    }
  }

  private void parameters(String query) {
    List<String> pairs = query.isEmpty() ? List.of() : Arrays.asList(query.split("&", -1));
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      property("url", name, decode(value));
    }
  }

  private void property(String key, String name, String value) {
    if (CREDENTIALS.contains(name)) {
      section.problem(key, "must not contain '" + name + "', which has a key of its own", "***");
    } else if (!ALLOWED.contains(name)) {
      section.problem(
          key,
          "must not contain the driver property '"
              + Printable.of(name)
              + "'; allowed are "
              + String.join(", ", ALLOWED.stream().sorted().toList()),
          "");
    } else {
      properties.put(name, value);
    }
  }

  private void transport(String hosts) {
    boolean local =
        Arrays.stream(hosts.split(",", -1))
            .allMatch(host -> Hosts.isLoopback(host.replaceFirst(":[0-9]*$", "")));
    Map<String, String> given = new HashMap<>(section.texts("properties"));
    given.putAll(properties);
    if (!local && !"verify-full".equals(given.get("sslmode"))) {
      section.warn(
          section.path("url")
              + " leaves this machine without a verified connection: set sslmode to verify-full");
    }
  }

  private static String decode(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }
}
