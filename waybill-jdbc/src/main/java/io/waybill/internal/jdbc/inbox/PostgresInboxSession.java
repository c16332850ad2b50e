package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.PostgresPooler;
import io.waybill.internal.jdbc.kernel.PostgresSettings;
import io.waybill.internal.jdbc.kernel.SessionEnd;
import io.waybill.internal.jdbc.kernel.SessionStart;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A session on PostgreSQL that a handler shares: planner and time zone stay as the application has
 * them. Waits for locks are bounded by the statement, since a concurrent copy may take as long as
 * its handler.
 *
 * <p>A host that is gone without a word has lost its transactions after 11 seconds: so long the
 * server's system waits for an answer to what was sent, or to its questions whether anybody is
 * there. A process that is frozen answers; its transactions end by their own bound.
 */
record PostgresInboxSession() implements SessionStart {
  private static final String INVALID_PARAMETER_VALUE = "22023";

  @Override
  public SessionEnd remember(Connection connection) throws SQLException {
    return PostgresSettings.of(connection);
  }

  @Override
  public @Nullable String pooler(Connection connection) throws SQLException {
    return PostgresPooler.between(connection);
  }

  @Override
  public void run(Connection connection, String purpose, Duration limit) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    try (PreparedStatement name =
        connection.prepareStatement(
            """
            select set_config('application_name', ?, false),
              set_config('statement_timeout', ?, false),
              set_config('idle_in_transaction_session_timeout', ?, false),
              set_config('lock_timeout', '0', false),
              set_config('tcp_keepalives_idle', '5', false),
              set_config('tcp_keepalives_interval', '2', false),
              set_config('tcp_keepalives_count', '3', false),
              set_config('tcp_user_timeout', '11000', false),
              case when current_setting('synchronous_commit') = 'off'
                then set_config('synchronous_commit', 'on', false) end""")) {
      name.setString(1, purpose);
      name.setString(2, Long.toString(limit.toMillis()));
      name.setString(3, Long.toString(limit.toMillis()));
      name.execute();
    }
    noticeCutConnections(connection);
  }

  /** What runs on a connection that was cut ends soon, and with it its locks. */
  private static void noticeCutConnections(Connection connection) throws SQLException {
    try (Statement set = connection.createStatement()) {
      set.execute("set client_connection_check_interval = '1s'");
    } catch (SQLException e) {
      // Servers on some operating systems can't: there the statement's own bound ends it.
      if (!INVALID_PARAMETER_VALUE.equals(e.getSQLState())) {
        throw e;
      }
    }
  }
}
