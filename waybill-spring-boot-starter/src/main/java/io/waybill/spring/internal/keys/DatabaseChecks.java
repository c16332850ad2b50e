package io.waybill.spring.internal.keys;

import io.waybill.internal.sql.DriverRules;
import io.waybill.spring.properties.OutboxProperties;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a database that an outbox has for itself: what its URL looks like, and which
 * properties its driver gets, by whatever key they come.
 */
final class DatabaseChecks {
  private static final String RULE =
      "must be jdbc:postgresql://, jdbc:mysql:// or jdbc:mariadb://host[:port]/database, with user"
          + " and password in separate keys";
  private static final Pattern LOGIN = Pattern.compile("//[^/@]*@");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]]+)(:(\\d{1,5}))?");

  private static final Set<String> VERIFYING = Set.of("verify-full", "verify-ca");

  /** Properties of drivers that an SSL bundle takes the place of, beside passwords. */
  private static final Set<String> STORES =
      Set.of(
          "keyStore",
          "keyStoreType",
          "serverSslCert",
          "sslcert",
          "sslkey",
          "sslrootcert",
          "trustStore",
          "trustStoreType");

  private final OutboxProperties.Database database;
  private final Problems problems;

  private DatabaseChecks(OutboxProperties.Database database, Problems problems) {
    this.database = database;
    this.problems = problems;
  }

  static void run(ConfiguredOutbox outbox, Problems problems) {
    if (outbox.relayedOnly()) {
      new DatabaseChecks(outbox.properties().database(), problems.with(outbox::key)).run();
      if (outbox.properties().dataSource() != null) {
        problems
            .with(outbox::key)
            .add("data-source", "must not be combined with " + outbox.key("database.url"));
      }
    } else if (!outbox.single()) {
      withoutUrl(outbox.properties().database(), problems.with(outbox::key));
    }
  }

  private static void withoutUrl(OutboxProperties.Database database, Problems problems) {
    if (database.username() != null
        || database.password() != null
        || database.sslBundle() != null
        || !database.properties().isEmpty()) {
      problems.add(
          "database.url",
          "must be given: username, password, properties and ssl-bundle belong to it");
    }
  }

  private void run() {
    String url = String.valueOf(database.url());
    DriverRules rules = DriverRules.of(url);
    Matcher parts = rules.url().matcher(url);
    if (!parts.matches()) {
      problems.add("database.url", RULE, masked(url));
      return;
    }
    Stream.of(parts.group(2).split(",", -1))
        .filter(host -> !isHost(host))
        .forEach(
            host -> problems.add("database.url", "must name hosts as host or host:port", host));
    String query = parts.group(4);
    names(query).forEach(name -> check(rules, "database.url", name));
    Map<String, String> properties = database.properties();
    properties.keySet().forEach(name -> check(rules, "database.properties", name));
    if (database.sslBundle() != null) {
      bundle(rules, query);
    }
  }

  /** Where a bundle says whom to trust, nothing else does, and it is not optional. */
  private void bundle(DriverRules rules, @Nullable String query) {
    Stream.concat(names(query).stream(), database.properties().keySet().stream())
        .filter(name -> DriverRules.isSecret(name) || STORES.contains(name))
        .forEach(
            name ->
                problems.add(
                    "database.ssl-bundle", "must not be combined with the property " + name));
    String mode = rules.tls();
    Stream.concat(values(query, mode).stream(), Stream.ofNullable(database.properties().get(mode)))
        .filter(value -> !VERIFYING.contains(value))
        .forEach(
            value ->
                problems.add(
                    "database.ssl-bundle",
                    "needs %s=verify-full, which is the default, or verify-ca".formatted(mode),
                    value));
  }

  private static List<String> values(@Nullable String query, String name) {
    return query == null
        ? List.of()
        : Arrays.stream(query.split("&", -1))
            .filter(pair -> pair.startsWith(name + "="))
            .map(pair -> pair.substring(name.length() + 1))
            .toList();
  }

  private static List<String> names(@Nullable String query) {
    return query == null || query.isEmpty()
        ? List.of()
        : Arrays.stream(query.split("&", -1)).map(pair -> pair.split("=", 2)[0]).toList();
  }

  private void check(DriverRules rules, String key, String name) {
    boolean secretInUrl = DriverRules.isSecret(name) && key.equals("database.url");
    if (DriverRules.isLogin(name) || secretInUrl) {
      problems.add(
          key,
          "must not contain '%s', which has its own key: %s"
              .formatted(
                  name,
                  problems.name(
                      secretInUrl
                          ? "database.properties." + name
                          : name.equals("user") ? "database.username" : "database.password")));
    } else if (!rules.allowed().contains(name) && !DriverRules.isSecret(name)) {
      problems.add(
          key,
          "must not contain the driver property '%s'; allowed are %s"
              .formatted(name, String.join(", ", rules.allowed().stream().sorted().toList())));
    }
  }

  private static boolean isHost(String host) {
    Matcher parts = HOST.matcher(host);
    if (!parts.matches()) {
      return false;
    }
    String port = parts.group(3);
    return port == null || (Integer.parseInt(port) > 0 && Integer.parseInt(port) <= 65_535);
  }

  private static String masked(String url) {
    return LOGIN.matcher(url).replaceAll("//***@");
  }
}
