package io.waybill.internal.jdbc.kernel;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.sql.SqlStates;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One connection with its prepared statements, opened on demand and again after a failure. Every
 * call is bounded by the server's statement timeout and, should the server not answer at all, by a
 * network timeout. Used by one thread, except {@link #close()}.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final ConnectionFactory factory;
  private final String purpose;
  private final Duration limit;
  private final SessionStart start;
  private final boolean shared;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private volatile @Nullable Loan loan;
  private volatile boolean closed;
  private volatile boolean busy;
  private boolean resting;
  private int opened;

  /** What is asked once for each connection, and not prepared. */
  public interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  /** Work on one prepared statement. */
  public interface Work<T> {
    T run(PreparedStatement statement) throws SQLException;
  }

  /** Several statements that take effect together. */
  public interface Transaction<T> {
    T run(Statements statements) throws SQLException;
  }

  /** Hands out the prepared statements of a connection. */
  public interface Statements {
    PreparedStatement prepare(String sql) throws SQLException;

    /** A statement that returns the key that the database generates in a column. */
    PreparedStatement prepareKeyed(String sql, String column) throws SQLException;
  }

  public Database(ConnectionFactory factory, String purpose, Duration limit, SessionStart start) {
    this(factory, purpose, limit, start, true);
  }

  private Database(
      ConnectionFactory factory,
      String purpose,
      Duration limit,
      SessionStart start,
      boolean shared) {
    this.factory = factory;
    this.purpose = purpose;
    this.limit = limit;
    this.start = start;
    this.shared = shared;
  }

  /**
   * Connections that end when they are closed: no pool gets one back with what was locked on it.
   */
  public static Database unshared(
      ConnectionFactory factory, String purpose, Duration limit, SessionStart start) {
    return new Database(factory, purpose, limit, start, false);
  }

  public Database(ConnectionFactory factory, String purpose, Duration limit, String settings) {
    this(factory, purpose, limit, new PostgresSession(settings));
  }

  /** Whether a connection is open; if not, the next call opens one. */
  boolean connected() {
    return loan != null;
  }

  /** Number of connections so far. */
  public int opened() {
    return opened;
  }

  /** Asks the server something about the connection. */
  public <T> T ask(String what, Question<T> question) {
    busy = true;
    try {
      return question.ask(connection());
    } catch (SQLException e) {
      drop();
      throw new StoreException("Could not " + what, e, SqlStates.isTransient(e));
    } catch (RuntimeException e) {
      drop();
      throw unexpected(what, e);
    } finally {
      busy = false;
    }
  }

  public <T> T call(String what, String sql, Work<T> work) {
    busy = true;
    try {
      return work.run(statement(sql));
    } catch (SQLException e) {
      drop();
      throw new StoreException("Could not " + what, e, SqlStates.isTransient(e));
    } catch (RuntimeException e) {
      drop();
      throw unexpected(what, e);
    } finally {
      busy = false;
    }
  }

  /** A driver's own, or a row that cannot be decoded: nothing has been taken from the answer. */
  private static StoreException unexpected(String what, RuntimeException e) {
    return e instanceof StoreException known
        ? known
        : new StoreException("Could not " + what + ", unexpectedly", e, false);
  }

  /** Runs statements as one transaction. After a failure its outcome may be unknown. */
  public <T> T transaction(String what, Transaction<T> work) {
    boolean done = false;
    busy = true;
    try {
      Connection current = connection();
      current.setAutoCommit(false);
      T result = work.run(new Preparing());
      current.commit();
      current.setAutoCommit(true);
      done = true;
      return result;
    } catch (SQLException e) {
      throw new StoreException("Could not " + what, e, SqlStates.isTransient(e));
    } catch (RuntimeException e) {
      throw unexpected(what, e);
    } finally {
      if (!done) {
        // The server, or the pool, undoes what was begun when the connection is closed.
        drop();
      }
      busy = false;
    }
  }

  private final class Preparing implements Statements {
    @Override
    public PreparedStatement prepare(String sql) throws SQLException {
      return statement(sql);
    }

    @Override
    public PreparedStatement prepareKeyed(String sql, String column) throws SQLException {
      PreparedStatement known = statements.get(sql);
      return known == null
          ? remember(sql, connection().prepareStatement(sql, new String[] {column}))
          : known;
    }
  }

  private PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement known = statements.get(sql);
    return known == null ? remember(sql, connection().prepareStatement(sql)) : known;
  }

  private PreparedStatement remember(String sql, PreparedStatement fresh) {
    statements.put(sql, fresh);
    return fresh;
  }

  private Connection connection() throws SQLException {
    Loan known = loan;
    if (known != null) {
      return known.connection();
    }
    refuseIfClosed();
    Loan fresh = new Loan(factory.open(), factory.pooler());
    loan = fresh;
    // A close that came while it was opened has not seen it; what is thrown closes it.
    refuseIfClosed();
    fresh.begin(start, purpose, limit);
    opened++;
    LOG.atLevel(resting ? Level.DEBUG : Level.INFO).log("Connected to the database as {}", purpose);
    resting = false;
    return fresh.connection();
  }

  private void refuseIfClosed() throws SQLException {
    if (closed) {
      throw new SQLException("The connection for " + purpose + " has been closed", "08003");
    }
  }

  private @Nullable Loan forget() {
    Loan known = loan;
    loan = null;
    statements.clear();
    return known;
  }

  /** Closes the connection, if one is open; the next call opens another. */
  public void drop() {
    Loan known = forget();
    if (known != null) {
      end(known, !shared);
    }
  }

  /** Gives the connection back; that the next call opens another is no news. */
  public void rest() {
    drop();
    resting = true;
  }

  private static void end(Loan loan, boolean cut) {
    if (cut) {
      loan.cut();
    } else {
      loan.close();
    }
  }

  /** A statement that another thread waits for is cut; a connection that rests is given back. */
  @Override
  public void close() {
    closed = true;
    Loan known = forget();
    if (known != null) {
      end(known, busy || !shared);
    }
  }
}
