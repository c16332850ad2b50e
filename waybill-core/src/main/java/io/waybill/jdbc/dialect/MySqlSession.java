package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A relay's session on MySQL or MariaDB: read committed, since a consistent read of a whole
 * transaction would lock or miss what commits meanwhile; UTC; strict; bounded waits.
 *
 * @param mariaDb whether it is MariaDB, whose limit of a statement is counted in seconds
 */
record MySqlSession(boolean mariaDb) implements SessionStart {
  private static final int LOCK_SECONDS = 5;

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    String statementLimit =
        mariaDb
            ? "max_statement_time = " + limit.toMillis() / 1000.0
            : "max_execution_time = " + limit.toMillis();
    try (Statement set = connection.createStatement()) {
      set.execute(
          """
          set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE',
            innodb_lock_wait_timeout = %d, %s"""
              .formatted(LOCK_SECONDS, statementLimit));
    }
  }
}
