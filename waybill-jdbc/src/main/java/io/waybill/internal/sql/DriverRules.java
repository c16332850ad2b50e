package io.waybill.internal.sql;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The form of URLs of a kind of database, and the allowed properties of its driver: none that names
 * a class, a file to write, or a statement to run.
 */
public enum DriverRules {
  /** PostgreSQL, with its own driver. */
  POSTGRESQL(
      "jdbc:postgresql",
      5432,
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
          "tcpKeepAlive"),
      "sslmode"),
  /** MySQL and MariaDB, with MariaDB's driver. */
  MYSQL(
      "jdbc:(?:mysql|mariadb)",
      3306,
      Set.of(
          "enabledSslCipherSuites",
          "enabledSslProtocolSuites",
          "keyStore",
          "keyStoreType",
          // Not allowPublicKeyRetrieval: it takes the key of whoever answers.
          "serverRsaPublicKeyFile",
          "serverSslCert",
          "sslMode",
          "tcpKeepAlive",
          "tcpKeepCount",
          "tcpKeepIdle",
          "tcpKeepInterval",
          "trustStore",
          "trustStoreType",
          "useCompression"),
      "sslMode");

  private static final Set<String> CREDENTIALS = Set.of("user", "password");

  private static final Set<String> SECRETS =
      Set.of("sslpassword", "keyPassword", "keyStorePassword", "trustStorePassword");

  private final Pattern url;
  private final int port;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<String> allowed;

  private final String tls;

  DriverRules(String scheme, int port, Set<String> allowed, String tls) {
    this.url = Pattern.compile("(" + scheme + ")://([^/?@]+)/([^/?@]{1,189})(?:\\?(.*))?");
    this.port = port;
    this.allowed = allowed;
    this.tls = tls;
  }

  /**
   * The rules for a URL.
   *
   * @param url JDBC URL
   * @return those of MySQL for its URLs and for MariaDB's, otherwise those of PostgreSQL
   */
  public static DriverRules of(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    return lower.startsWith("jdbc:mysql:") || lower.startsWith("jdbc:mariadb:")
        ? MYSQL
        : POSTGRESQL;
  }

  /**
   * The form of URLs.
   *
   * @return groups 1 to 4 are scheme, hosts, database and parameters; the last may be missing
   */
  public Pattern url() {
    return url;
  }

  /**
   * The default port.
   *
   * @return usual port
   */
  public int port() {
    return port;
  }

  /**
   * Whether a property is a name or password that has a separate configuration key.
   *
   * @param property name of a property of the driver
   * @return true for the login
   */
  public static boolean isLogin(String property) {
    return CREDENTIALS.contains(property);
  }

  /**
   * Whether the value of a property is a secret.
   *
   * @param property name of a property of the driver
   * @return true for passwords of keys and of stores
   */
  public static boolean isSecret(String property) {
    return SECRETS.contains(property);
  }

  /**
   * The allowed properties that are not secrets.
   *
   * @return their names
   */
  public Set<String> allowed() {
    return allowed;
  }

  /**
   * The allowed properties, including secrets.
   *
   * @return their names
   */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(allowed);
    names.addAll(SECRETS);
    return Collections.unmodifiableSet(names);
  }

  /**
   * The property that determines how a connection is protected.
   *
   * @return its name
   */
  public String tls() {
    return tls;
  }

  /**
   * Whether the server's certificate and name are checked.
   *
   * @param properties properties of the driver
   * @return true if they say verify-full
   */
  public boolean verified(Map<String, String> properties) {
    return "verify-full".equals(properties.get(tls));
  }
}
