package io.waybill.jdbc;

import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with its prepared statements, opened on demand and again after a failure. Every
 * call is bounded by the server's statement timeout and, should the server not answer at all, by a
 * network timeout. Used by one thread, except {@link #close()}.
 */
final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

  private final ConnectionFactory factory;
  private final String purpose;
  private final Duration limit;
  private final String settings;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  /** Work on one prepared statement. */
  interface Work<T> {
    T run(PreparedStatement statement) throws SQLException;
  }

  Database(ConnectionFactory factory, String purpose, Duration limit, String settings) {
    this.factory = factory;
    this.purpose = purpose;
    this.limit = limit;
    this.settings = settings;
  }

  /** Whether a connection is open; if not, the next call opens one. */
  boolean connected() {
    return connection != null;
  }

  <T> T call(String what, String sql, Work<T> work) {
    try {
      return work.run(statement(sql));
    } catch (SQLException e) {
      drop();
      throw new StoreException("Could not " + what, e, SqlStates.isTransient(e));
    }
  }

  private PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement known = statements.get(sql);
    if (known != null) {
      return known;
    }
    PreparedStatement fresh = connection().prepareStatement(sql);
    statements.put(sql, fresh);
    return fresh;
  }

  private Connection connection() throws SQLException {
    Connection known = connection;
    if (known != null) {
      return known;
    }
    refuseIfClosed();
    Connection fresh = factory.open();
    connection = fresh;
    // A close that came while it was opened has not seen it; what is thrown closes it.
    refuseIfClosed();
    prepare(fresh);
    LOG.info("Connected to the database as {}", purpose);
    return fresh;
  }

  private void refuseIfClosed() throws SQLException {
    if (closed) {
      throw new SQLException("The connection for " + purpose + " has been closed", "08003");
    }
  }

  private void prepare(Connection fresh) throws SQLException {
    fresh.setAutoCommit(true);
    fresh.setNetworkTimeout(Runnable::run, (int) limit.plus(NETWORK_MARGIN).toMillis());
    try (PreparedStatement name =
        fresh.prepareStatement(
            """
            select set_config('application_name', ?, false),
              set_config('statement_timeout', ?, false),
              set_config('idle_in_transaction_session_timeout', ?, false),
              set_config('default_transaction_isolation', 'read committed', false),
              case when current_setting('synchronous_commit') = 'off'
                then set_config('synchronous_commit', 'on', false) end""")) {
      name.setString(1, purpose);
      name.setString(2, Long.toString(limit.toMillis()));
      name.setString(3, Long.toString(limit.toMillis()));
      name.execute();
    }
    try (Statement set = fresh.createStatement()) {
      set.execute(settings);
    }
  }

  private void drop() {
    Connection broken = connection;
    connection = null;
    statements.clear();
    if (broken == null) {
      return;
    }
    try {
      broken.close();
    } catch (SQLException e) {
      LOG.debug("Closing a failed connection of {} failed too", purpose, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    drop();
  }
}
