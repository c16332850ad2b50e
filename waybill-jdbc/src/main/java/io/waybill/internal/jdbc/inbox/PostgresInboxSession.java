package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.PostgresPooler;
import io.waybill.internal.jdbc.kernel.PostgresSession;
import io.waybill.internal.jdbc.kernel.PostgresSettings;
import io.waybill.internal.jdbc.kernel.SessionEnd;
import io.waybill.internal.sql.SqlStates;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A session on PostgreSQL that a handler shares: planner and time zone stay as the application has
 * them. Waits for locks are bounded by the statement, since a concurrent copy may take as long as
 * its handler.
 *
 * <p>A host that is gone without a word has lost its transactions after 11 seconds: so long the
 * server's system waits for an answer to what was sent, or to its questions whether anybody is
 * there. A process that is frozen answers; its transactions end by their own bound.
 */
record PostgresInboxSession() implements InboxSession {
  private static final String INVALID_PARAMETER_VALUE = "22023";
  // A transaction is ended by words of its own alone: these define, set and lock within it.
  private static final Set<String> WITHIN =
      Set.of(
          "CREATE",
          "ALTER",
          "DROP",
          "TRUNCATE",
          "SET",
          "LOCK",
          "COPY",
          "NOTIFY",
          "SAVEPOINT",
          "RELEASE");

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
    PostgresSession.configure(
        connection,
        purpose,
        limit,
        """
        set_config('lock_timeout', '0', false),
          set_config('tcp_keepalives_idle', '5', false),
          set_config('tcp_keepalives_interval', '2', false),
          set_config('tcp_keepalives_count', '3', false),
          set_config('tcp_user_timeout', '11000', false)""");
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

  /** The server keeps an ended transaction until its end. */
  @Override
  public void guard(Connection connection) {}

  /** The driver knows it from the server's last answer; others have to ask. */
  @Override
  public boolean isAborted(Connection connection, boolean guarded) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)) {
      return connection.unwrap(BaseConnection.class).getTransactionState()
          == TransactionState.FAILED;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1");
      return false;
    } catch (SQLException e) {
      if (abortedState().equals(e.getSQLState())) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public String abortedState() {
    return SqlStates.IN_FAILED_TRANSACTION;
  }

  @Override
  public String mark(Connection connection) throws SQLException {
    return String.valueOf(transaction(connection));
  }

  @Override
  public boolean hasEnded(Connection connection, String mark) throws SQLException {
    return !mark.equals(transaction(connection));
  }

  private static @Nullable String transaction(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("select pg_current_xact_id_if_assigned()::text")) {
      result.next();
      return result.getString(1);
    }
  }

  @Override
  public boolean leavesAlone(String word) {
    return WITHIN.contains(word);
  }

  @Override
  public boolean commitsImplicitly() {
    return false;
  }

  /** The server knows no such mode. */
  @Override
  public void leaveAutoCommit(Connection connection) {}
}
