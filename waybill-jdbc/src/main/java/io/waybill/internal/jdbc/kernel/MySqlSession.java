package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A relay's session on MySQL or MariaDB: read committed, since a consistent read of a whole
 * transaction would lock or miss what commits meanwhile; UTC; strict; bounded waits.
 *
 * @param mariaDb whether it is MariaDB
 */
public record MySqlSession(boolean mariaDb) implements SessionStart {
  private static final int LOCK_SECONDS = 5;

  @Override
  public SessionEnd remember(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>(List.of("time_zone", "sql_mode"));
    names.addAll(limitNames(mariaDb));
    return MySqlSettings.of(connection, names);
  }

  /** What {@link #limits} and the wait for a lock set. */
  public static List<String> limitNames(boolean mariaDb) {
    return mariaDb
        ? List.of(
            "innodb_lock_wait_timeout",
            "max_statement_time",
            "idle_transaction_timeout",
            "idle_readonly_transaction_timeout",
            "idle_write_transaction_timeout")
        : List.of("innodb_lock_wait_timeout", "max_execution_time", "lock_wait_timeout");
  }

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    try (Statement set = connection.createStatement()) {
      set.execute(
          """
          set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE',
            innodb_lock_wait_timeout = %d, %s"""
              .formatted(LOCK_SECONDS, limits(mariaDb, limit)));
    }
  }

  /**
   * Bounds of a statement and, where the server has one, of a transaction that rests, whose client
   * may be gone with its machine. MySQL has none but {@code wait_timeout}, which ends connections
   * that rest between transactions, too. And its bound of statements holds for those that read: one
   * that writes is bounded where it waits, by InnoDB's limit for a row and by the server's for a
   * table, which is a year by default; one that works on is left by the client after its network
   * timeout (MySQL Reference Manual, "Server System Variables").
   */
  public static String limits(boolean mariaDb, Duration limit) {
    if (!mariaDb) {
      return "max_execution_time = %d, lock_wait_timeout = %d"
          .formatted(limit.toMillis(), seconds(limit));
    }
    long seconds = seconds(limit);
    // The bounds of reading and of writing transactions go before that of all where they are set.
    return """
    max_statement_time = %1$s, idle_transaction_timeout = %2$d,
    idle_readonly_transaction_timeout = %2$d, idle_write_transaction_timeout = %2$d"""
        .formatted(limit.toMillis() / 1000.0, seconds);
  }

  /** Whole seconds, up. */
  public static long seconds(Duration limit) {
    return limit.plusMillis(999).toSeconds();
  }
}
