package io.waybill.database;

import io.waybill.internal.sql.MySqlLogIn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Connections through the JDBC driver itself. */
final class DriverConnections implements ConnectionFactory {
  private static final String MARIADB = "jdbc:mariadb:";
  private static final String MYSQL = "jdbc:mysql:";

  private final String url;
  private final Properties properties;

  private DriverConnections(String url, Properties defaults, Properties given) {
    this.url = url;
    this.properties = defaults;
    given.stringPropertyNames().forEach(n -> properties.setProperty(n, given.getProperty(n)));
  }

  static DriverConnections postgres(String url, Properties given, Duration limit) {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException("A JDBC URL must begin with jdbc:postgresql:");
    }
    String seconds = Long.toString(Math.max(1, limit.toSeconds()));
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("loginTimeout", seconds);
    properties.setProperty("cancelSignalTimeout", seconds);
    properties.setProperty("tcpKeepAlive", "true");
    // A statement is prepared at its first execution, so that results are binary from then on.
    properties.setProperty("prepareThreshold", "1");
    return new DriverConnections(url, properties, given);
  }

  static DriverConnections mariaDb(String url, Properties given, Duration limit) {
    if (!url.startsWith(MARIADB) && !url.startsWith(MYSQL)) {
      throw new IllegalArgumentException("A JDBC URL must begin with " + MARIADB + " or " + MYSQL);
    }
    String millis = Long.toString(Math.max(1_000, limit.toMillis()));
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", millis);
    // Bounds the log-in; each session sets a bound of its own afterwards.
    properties.setProperty("socketTimeout", millis);
    properties.setProperty("tcpKeepAlive", "true");
    // A server must not be able to ask for files of this machine.
    properties.setProperty("allowLocalInfile", "false");
    String own = url.startsWith(MYSQL) ? MARIADB + url.substring(MYSQL.length()) : url;
    return new DriverConnections(own, properties, given);
  }

  /** Parameters of a URL may be secrets. */
  @Override
  public String describe() {
    return url.split("[?;]", 2)[0];
  }

  @Override
  public Connection open() throws SQLException {
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      throw url.startsWith(MARIADB) ? new MySqlLogIn(url, properties).explained(e) : e;
    }
  }
}
