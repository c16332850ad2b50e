package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A session on MySQL or MariaDB that a handler shares: time zone and mode stay as the application
 * has them. A wait for a lock may take as long as the handler of a concurrent copy.
 *
 * @param mariaDb whether it is MariaDB, whose limit of a statement is counted in seconds
 */
record MySqlInboxSession(boolean mariaDb) implements SessionStart {
  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    String statementLimit =
        mariaDb
            ? "max_statement_time = " + limit.toMillis() / 1000.0
            : "max_execution_time = " + limit.toMillis();
    try (Statement set = connection.createStatement()) {
      set.execute(
          "set innodb_lock_wait_timeout = %d, %s".formatted(limit.toSeconds(), statementLimit));
    }
  }
}
