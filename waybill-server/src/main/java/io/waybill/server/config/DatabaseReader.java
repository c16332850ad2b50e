package io.waybill.server.config;

import io.waybill.jdbc.DriverRules;
import io.waybill.jdbc.Pooler;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;

/** Reads and checks the section {@code database}. */
final class DatabaseReader {
  private static final String RULE =
      "must be jdbc:postgresql://, jdbc:mysql:// or jdbc:mariadb://host[:port]/database,"
          + " user and password in keys of their own";

  private final Section section;
  private final Map<String, String> properties = new HashMap<>();
  private DriverRules family = DriverRules.POSTGRESQL;

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
    Pooler pooler = section.choice("pooler", Pooler.class, Pooler.NONE);
    Duration connect =
        section.duration(
            "connect-timeout", Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMinutes(1));
    Duration query =
        section.duration(
            "query-timeout", Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofMinutes(1));
    section.done();
    return new DatabaseConfig(url, user.orElse(null), password, properties, pooler, connect, query);
  }

  private String url() {
    if (!section.has("url")) {
      section.problem("url", "must be given");
      return "";
    }
    String url = section.maskedText("url", Urls::mask).orElse("");
    family = DriverRules.of(url);
    Matcher matcher = family.url().matcher(url);
    if (url.isEmpty()) {
      return url;
    }
    if (!matcher.matches()) {
      section.problem("url", RULE, Urls.mask(url));
      return "";
    }
    hosts(matcher.group(2));
    parameters(Optional.ofNullable(matcher.group(4)).orElse(""));
    transport(matcher.group(2));
    return matcher.group(1) + "://" + matcher.group(2) + "/" + matcher.group(3);
  }

  private void hosts(String hosts) {
    for (String host : hosts.split(",", -1)) {
      String address =
          host.matches(".*:[0-9]*") && !host.endsWith("]") ? host : host + ":" + family.port();
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
    if (DriverRules.isLogin(name) || DriverRules.isSecret(name)) {
      section.problem(key, "must not contain '" + name + "', which has a key of its own", "***");
    } else if (!family.allowed().contains(name)) {
      section.problem(
          key,
          "must not contain the driver property '"
              + Printable.of(name)
              + "'; allowed are "
              + String.join(", ", family.allowed().stream().sorted().toList()),
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
    if (!local && !family.verified(given)) {
      section.warn(
          section.path("url")
              + " leaves this machine without a verified connection: set "
              + family.tls()
              + " to verify-full");
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
