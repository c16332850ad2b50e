package io.waybill.server.config;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What URLs of a kind of database look like, and which properties of its driver may be given:
 * nothing that names a class, a file to write, or a statement to run.
 */
enum DatabaseFamily {
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

  static final Set<String> CREDENTIALS =
      Set.of(
          "user",
          "password",
          "sslpassword",
          "keyPassword",
          "keyStorePassword",
          "trustStorePassword");

  private final Pattern url;
  private final int port;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<String> allowed;

  private final String tls;

  DatabaseFamily(String scheme, int port, Set<String> allowed, String tls) {
    this.url = Pattern.compile("(" + scheme + ")://([^/?@]+)/([^/?@]{1,189})(?:\\?(.*))?");
    this.port = port;
    this.allowed = allowed;
    this.tls = tls;
  }

  static DatabaseFamily of(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    return lower.startsWith("jdbc:mysql:") || lower.startsWith("jdbc:mariadb:")
        ? MYSQL
        : POSTGRESQL;
  }

  Pattern url() {
    return url;
  }

  int port() {
    return port;
  }

  Set<String> allowed() {
    return allowed;
  }

  /** Name of the property that says how far a connection is protected. */
  String tls() {
    return tls;
  }

  boolean verified(Map<String, String> properties) {
    return "verify-full".equals(properties.get(tls));
  }
}
