package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Loan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of an inbox, never in auto-commit mode, with its prepared statements. Used by one
 * thread at a time, but for {@link #cut}.
 */
public final class InboxConnection {
  private static final Logger LOG = LoggerFactory.getLogger(InboxConnection.class);

  private final Connection connection;
  private final @Nullable Loan loan;
  private final String server;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private volatile boolean cut;

  /** One of a framework, which sets it up and closes it, to the server of that name. */
  public InboxConnection(Connection connection, String server) {
    this(connection, null, server);
  }

  /** One of the inbox's own, to the server of that name. */
  public InboxConnection(Loan loan, String server) {
    this(loan.connection(), loan, server);
  }

  private InboxConnection(Connection connection, @Nullable Loan loan, String server) {
    this.connection = connection;
    this.loan = loan;
    this.server = server;
  }

  /** Where it leads, as {@link io.waybill.internal.jdbc.kernel.ServerHistory} names it. */
  public String server() {
    return server;
  }

  public Connection plain() {
    return connection;
  }

  public PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement known = statements.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      statements.put(sql, known);
    }
    return known;
  }

  /** For a connection that goes on without this. */
  void closeStatements() {
    List<PreparedStatement> open = List.copyOf(statements.values());
    statements.clear();
    for (PreparedStatement statement : open) {
      try {
        statement.close();
      } catch (SQLException | RuntimeException e) {
        LOG.debug("Closing a statement of the inbox failed", e);
      }
    }
  }

  /** Whether it can serve another transaction: all that was begun is undone. */
  public boolean reset() {
    if (cut) {
      return false;
    }
    try {
      connection.rollback();
      return !connection.getAutoCommit();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A transaction of the inbox could not be rolled back; its connection is closed", e);
      return false;
    }
  }

  /** After a statement that may have begun the mode behind the driver's back. */
  void leaveAutoCommit(InboxSession session) {
    try {
      session.leaveAutoCommit(connection);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A connection of the inbox may be in auto-commit mode; it is closed", e);
      cut();
    }
  }

  /** Whether it was cut on purpose, which says nothing about others. */
  boolean wasCut() {
    return cut;
  }

  public void close() {
    if (loan != null) {
      loan.close();
      return;
    }
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Closing a connection of the inbox failed", e);
    }
  }

  /** Ends whatever runs on it, from any thread. */
  public void cut() {
    cut = true;
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException | Error e) {
      LOG.debug("Cutting a connection of the inbox failed", e);
    }
  }
}
