package io.waybill.internal.jdbc.kernel;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.Pooler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that may belong to a pool of the application: what is set on it is put back before
 * it is closed. One that cannot be put back is aborted, so that the pool does not give it to
 * anybody. Used by one thread, except {@link #cut}.
 */
public final class Loan implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Loan.class);
  private static final String NOT_SUPPORTED = "0A000";
  private static final Duration NETWORK_MARGIN = Duration.ofSeconds(5);

  private final Connection connection;
  private final Pooler pooler;
  private boolean autoCommit = true;
  private int networkTimeout;
  private SessionEnd end = SessionEnd.NOTHING;
  private boolean bounded;

  /**
   * Nothing is set yet.
   *
   * @param connection fresh connection
   * @param pooler what may stand between
   */
  Loan(Connection connection, Pooler pooler) {
    this.connection = connection;
    this.pooler = pooler;
  }

  /** Opens a connection and makes it ready; it is closed if that fails. */
  public static Loan open(
      ConnectionFactory factory, SessionStart start, String purpose, Duration limit)
      throws SQLException {
    Loan loan = new Loan(factory.open(), factory.pooler());
    boolean ready = false;
    try {
      loan.begin(start, purpose, limit);
      ready = true;
      return loan;
    } finally {
      if (!ready) {
        loan.close();
      }
    }
  }

  public Connection connection() {
    return connection;
  }

  /** Makes it ready: auto-commit, bounded, with the settings of a purpose. */
  void begin(SessionStart start, String purpose, Duration limit) throws SQLException {
    autoCommit = connection.getAutoCommit();
    networkTimeout = connection.getNetworkTimeout();
    bounded = true;
    connection.setAutoCommit(true);
    connection.setNetworkTimeout(Runnable::run, (int) limit.plus(NETWORK_MARGIN).toMillis());
    refusePooler(start, purpose);
    end = start.remember(connection);
    start.run(connection, purpose, limit);
  }

  private void refusePooler(SessionStart start, String purpose) throws SQLException {
    String between = pooler == Pooler.NONE ? start.pooler(connection) : null;
    if (between != null) {
      throw new SQLException(
          "The connection for %s goes through a pooler: %s. Connect to the server directly, or set"
                  .formatted(purpose, between)
              + " pooler: session if the pooler is in session mode",
          NOT_SUPPORTED);
    }
  }

  /** Gives it back as it was. */
  @Override
  public void close() {
    try {
      if (bounded && !connection.isClosed()) {
        putBack();
      }
    } catch (SQLException | RuntimeException e) {
      LOG.debug("The settings of a connection could not be restored; it is aborted", e);
      abort();
    }
    release();
  }

  /** Ends whatever runs on it, from any thread; the connection serves nobody any more. */
  void cut() {
    abort();
    release();
  }

  private void putBack() throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    end.run(connection);
    connection.setNetworkTimeout(Runnable::run, networkTimeout);
    connection.setAutoCommit(autoCommit);
  }

  private void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Aborting a connection failed", e);
    }
  }

  private void release() {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Closing a connection failed", e);
    }
  }
}
