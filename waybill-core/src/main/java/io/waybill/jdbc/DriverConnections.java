package io.waybill.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Connections through the JDBC driver itself. */
final class DriverConnections implements ConnectionFactory {
  private final String url;
  private final Properties properties;

  DriverConnections(String url, Properties given, Duration limit) {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException("A JDBC URL must begin with jdbc:postgresql:");
    }
    String seconds = Long.toString(Math.max(1, limit.toSeconds()));
    this.url = url;
    this.properties = new Properties();
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("loginTimeout", seconds);
    properties.setProperty("cancelSignalTimeout", seconds);
    properties.setProperty("tcpKeepAlive", "true");
    // A statement is prepared at its first execution, so that results are binary from then on.
    properties.setProperty("prepareThreshold", "1");
    given.stringPropertyNames().forEach(n -> properties.setProperty(n, given.getProperty(n)));
  }

  @Override
  public Connection open() throws SQLException {
    return DriverManager.getConnection(url, properties);
  }
}
