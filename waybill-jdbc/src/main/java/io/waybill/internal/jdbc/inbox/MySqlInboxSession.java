package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.MySqlSession;
import io.waybill.internal.jdbc.kernel.MySqlSettings;
import io.waybill.internal.jdbc.kernel.SessionEnd;
import io.waybill.internal.sql.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session on MySQL or MariaDB that a handler shares: time zone and mode stay as the application
 * has them. A wait for a lock may take as long as the handler of a concurrent copy.
 *
 * @param mariaDb whether it is MariaDB
 */
record MySqlInboxSession(boolean mariaDb) implements InboxSession {
  private static final int NO_SUCH_SAVEPOINT = 1305;
  private static final String GUARD = "savepoint waybill_inbox";

  @Override
  public SessionEnd remember(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>(MySqlSession.limitNames(mariaDb));
    if (!mariaDb) {
      names.add("wait_timeout");
    }
    return MySqlSettings.of(connection, names);
  }

  /** MySQL can end a transaction that rests, whose host may be gone, in no other way. */
  @Override
  public Optional<Duration> rest(Duration limit) {
    return mariaDb
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(MySqlSession.seconds(limit)));
  }

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    run(
        connection,
        "set innodb_lock_wait_timeout = %d, %s%s"
            .formatted(
                limit.toSeconds(),
                MySqlSession.limits(mariaDb, limit),
                rest(limit).map(rest -> ", wait_timeout = " + rest.toSeconds()).orElse("")));
  }

  /**
   * Most errors end the statement alone, but a deadlock rolls back everything, and what follows is
   * a transaction of its own. A savepoint tells: it went with the first one. To look for the note
   * would not do, since by then another consumer may have written it.
   */
  @Override
  public void guard(Connection connection) throws SQLException {
    run(connection, GUARD);
  }

  /** As a statement: drivers send their own release only if they think that it is needed. */
  @Override
  public boolean isAborted(Connection connection, boolean guarded) throws SQLException {
    if (!guarded) {
      return false;
    }
    try {
      run(connection, "release " + GUARD);
      return false;
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_SAVEPOINT) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public String abortedState() {
    // Temporary: to handle the event again can help.
    return SqlStates.SERIALIZATION_FAILURE;
  }

  @Override
  public String mark(Connection connection) throws SQLException {
    guard(connection);
    return GUARD;
  }

  @Override
  public boolean hasEnded(Connection connection, String mark) throws SQLException {
    return isAborted(connection, true);
  }

  @Override
  public boolean leavesAlone(String word) {
    return false;
  }

  @Override
  public boolean commitsImplicitly() {
    return true;
  }

  /** As a statement: MySQL's own driver goes by what it was told itself. */
  @Override
  public void leaveAutoCommit(Connection connection) throws SQLException {
    run(connection, "set autocommit = 0");
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
