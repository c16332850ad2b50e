package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A session on MySQL or MariaDB that a handler shares: time zone and mode stay as the application
 * has them. A wait for a lock may take as long as the handler of a concurrent copy.
 *
 * @param mariaDb whether it is MariaDB
 */
record MySqlInboxSession(boolean mariaDb) implements SessionStart {
  @Override
  public SessionEnd remember(Connection connection) throws SQLException {
    return MySqlSettings.of(connection, MySqlSession.limitNames(mariaDb));
  }

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    try (Statement set = connection.createStatement()) {
      set.execute(
          "set innodb_lock_wait_timeout = %d, %s"
              .formatted(limit.toSeconds(), MySqlSession.limits(mariaDb, limit)));
    }
  }
}
