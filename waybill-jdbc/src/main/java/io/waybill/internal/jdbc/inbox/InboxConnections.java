package io.waybill.internal.jdbc.inbox;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.InboxOptions;
import io.waybill.database.TransactionSource;
import io.waybill.internal.jdbc.kernel.Loan;
import io.waybill.internal.jdbc.kernel.SessionStart;
import io.waybill.internal.sql.SqlStates;
import io.waybill.internal.work.Ticker;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connections that are kept between transactions, since to set one up takes longer than to use it.
 */
public final class InboxConnections implements AutoCloseable {
  private final ConnectionFactory factory;
  private final SessionStart start;
  private final InboxHistory history;
  private final InboxOptions options;
  private final Ticker ticker;
  private final Deque<Idle> idle = new ArrayDeque<>();
  private boolean closed;

  public InboxConnections(
      ConnectionFactory factory,
      SessionStart start,
      InboxHistory history,
      InboxOptions options,
      Ticker ticker) {
    this.factory = factory;
    this.start = start;
    this.history = history;
    this.options = options;
    this.ticker = ticker;
  }

  /** Work on a connection. */
  public interface Work<T> {
    T run(InboxConnection connection) throws SQLException;
  }

  private record Idle(InboxConnection connection, long since) {}

  public InboxHistory history() {
    return history;
  }

  public Duration statementLimit() {
    return options.statementLimit();
  }

  /** Runs work as a transaction on the server on which the inbox stands. */
  public <T> T transaction(String what, Work<T> work) {
    InboxConnection connection = begin();
    try {
      T result = work.run(connection);
      connection.plain().commit();
      return result;
    } catch (SQLException e) {
      throw failure(what, e);
    } catch (RuntimeException | Error e) {
      // A driver that breaks its contract may be left within its protocol.
      connection.cut();
      throw e;
    } finally {
      end(connection);
    }
  }

  /** Looks on a fresh connection, wherever it leads. */
  public <T> T aside(String what, Work<T> work) {
    InboxConnection connection = null;
    try {
      connection = open();
      T result = work.run(connection);
      connection.plain().rollback();
      return result;
    } catch (SQLException e) {
      throw failure(what, e);
    } finally {
      if (connection != null) {
        connection.close();
      }
    }
  }

  public static StoreException failure(String what, SQLException e) {
    return new StoreException("Could not " + what, e, SqlStates.isTransient(e));
  }

  /** One that leads to the server on which the inbox stands, for a transaction. */
  public InboxConnection begin() {
    try {
      return take();
    } catch (SQLException e) {
      throw failure("connect to the database", e);
    }
  }

  /** Undoes what was not committed, and takes the connection back. */
  void end(InboxConnection connection) {
    if (connection.reset()) {
      give(connection);
    } else {
      discard(connection);
    }
  }

  /** That of a framework's transaction. One that leads elsewhere is cut: its pool drops it. */
  public InboxConnection join(TransactionSource.Managed outer) throws SQLException {
    boolean right = false;
    try {
      InboxConnection connection =
          new InboxConnection(outer.connection(), history.known(outer.connection()));
      if (!connection.server().equals(history.server())) {
        connection.cut();
      }
      history.require(connection);
      right = true;
      return connection;
    } finally {
      if (!right) {
        outer.rollback();
      }
    }
  }

  private InboxConnection take() throws SQLException {
    Idle known = takeIdle();
    if (known != null && isFresh(known) && history.isTheOneOf(known.connection())) {
      return known.connection();
    }
    if (known != null) {
      // The one that served last has rested the least.
      known.connection().close();
      drain().forEach(InboxConnection::close);
    }
    InboxConnection opened = open();
    boolean right = false;
    try {
      history.require(opened);
      right = true;
      return opened;
    } finally {
      if (!right) {
        opened.close();
      }
    }
  }

  private synchronized @Nullable Idle takeIdle() throws SQLException {
    if (closed) {
      throw new SQLException("The inbox has been closed", "08003");
    }
    return idle.pollFirst();
  }

  /** Whether the server can't have ended it for its rest; half of the time is a margin. */
  private boolean isFresh(Idle known) {
    return start
        .rest(options.statementLimit())
        .map(rest -> ticker.nanos() - known.since() < rest.toNanos() / 2)
        .orElse(true);
  }

  /** A fresh one, wherever it leads. */
  private InboxConnection open() throws SQLException {
    Loan loan = Loan.open(factory, start, options.applicationName(), options.statementLimit());
    boolean ready = false;
    try {
      String server = history.read(loan.connection());
      loan.connection().setAutoCommit(false);
      ready = true;
      return new InboxConnection(loan, server);
    } finally {
      if (!ready) {
        loan.close();
      }
    }
  }

  /** Takes a connection back whose transaction has ended. */
  void give(InboxConnection connection) {
    if (!keep(connection)) {
      connection.close();
    }
  }

  private synchronized boolean keep(InboxConnection connection) {
    if (closed || idle.size() >= options.idleConnections()) {
      return false;
    }
    idle.addFirst(new Idle(connection, ticker.nanos()));
    return true;
  }

  /** Closes a connection that failed, and those that have probably failed with it. */
  void discard(InboxConnection connection) {
    connection.close();
    if (!connection.wasCut()) {
      drain().forEach(InboxConnection::close);
    }
  }

  private synchronized List<InboxConnection> drain() {
    List<InboxConnection> drained = idle.stream().map(Idle::connection).toList();
    idle.clear();
    return drained;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    drain().forEach(InboxConnection::close);
  }
}
