package io.waybill.bench.child;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Connections of the yardsticks: prepared and binary from the first execution on. */
final class Sql {
  private Sql() {}

  static Connection open(String url) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("binaryTransfer", "true");
    Connection connection = DriverManager.getConnection(url, properties);
    // MariaDB's own default locks the gaps between rows, and so the application's inserts.
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return connection;
  }

  /** Or MySQL, which the same driver is used for. */
  static boolean isMariaDb(String url) {
    return url.startsWith("jdbc:mariadb:");
  }
}
