package io.waybill.spring.internal.database;

import io.waybill.internal.sql.DriverRules;
import io.waybill.internal.text.Loopback;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the password of a PostgreSQL from going to another machine in plaintext. It is the server
 * that says whether it wants the password itself, so the driver is told not to answer that: whoever
 * sits between the two could ask for it, too. MariaDB's driver never sends one without TLS.
 *
 * @param url JDBC URL
 * @param allowed whether it may
 * @param key the key that says so
 */
record PostgresLogIn(String url, boolean allowed, String key) {
  private static final DriverRules RULES = DriverRules.POSTGRESQL;
  private static final Set<String> ENCRYPTED = Set.of("require", "verify-ca", "verify-full");
  private static final Pattern MODE = Pattern.compile("[?&]sslmode=([^&]*)");

  /** The driver's state for a log-in that it refuses by itself. */
  private static final String REFUSED = "08004";

  /** Tells the driver, unless all connections stay on this machine or have TLS. */
  void restrict(Properties properties) {
    if (isRestricted(properties)) {
      properties.setProperty("requireAuth", "!password");
    }
  }

  /** What a driver that was told so refuses, with the key. */
  SQLException explained(SQLException refused, Properties properties) {
    return isRestricted(properties) && REFUSED.equals(refused.getSQLState())
        ? new SQLException(
            "%s; without TLS no password goes to another machine in plaintext: set sslmode=verify-full, or %s=true"
                .formatted(refused.getMessage(), key),
            refused.getSQLState(),
            refused)
        : refused;
  }

  private boolean isRestricted(Properties properties) {
    return !allowed && !staysHere() && !ENCRYPTED.contains(mode(properties));
  }

  private boolean staysHere() {
    Matcher parts = RULES.url().matcher(url);
    return parts.matches()
        && Arrays.stream(parts.group(2).split(",", -1)).allMatch(Loopback::isAddress);
  }

  /** The URL's, which wins. */
  private String mode(Properties properties) {
    Matcher given = MODE.matcher(url);
    return given.find() ? given.group(1) : properties.getProperty(RULES.tls(), "");
  }
}
