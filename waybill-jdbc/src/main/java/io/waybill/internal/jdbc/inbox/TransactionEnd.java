package io.waybill.internal.jdbc.inbox;

import io.waybill.database.TransactionSource;
import java.sql.SQLException;

/** How a transaction of an inbox ends. Used by one thread at a time. */
public interface TransactionEnd {
  /** Commits. */
  void commit() throws SQLException;

  /** Rolls back. Never throws. */
  void rollback();

  /** Rolls back what was not committed and lets the connection go. Called once, never throws. */
  void close();

  /** On a connection of the inbox, which serves the next transaction. */
  final class Own implements TransactionEnd {
    private final InboxConnections connections;
    private final InboxConnection connection;
    private boolean broken;

    public Own(InboxConnections connections, InboxConnection connection) {
      this.connections = connections;
      this.connection = connection;
    }

    @Override
    public void commit() throws SQLException {
      boolean done = false;
      try {
        connections.history().require(connection);
        connection.plain().commit();
        done = true;
      } finally {
        // Who knows what a connection that failed to commit still holds.
        broken |= !done;
      }
    }

    @Override
    public void rollback() {
      if (!broken) {
        // Until it is known to be well: a driver may break its contract and throw.
        broken = true;
        broken = !connection.reset();
      }
    }

    @Override
    public void close() {
      boolean well = false;
      try {
        well = !broken && connection.reset();
      } finally {
        if (well) {
          connections.give(connection);
        } else {
          connections.discard(connection);
        }
      }
    }
  }

  /** On a connection of somebody else, who has it back with the end. */
  final class Joined implements TransactionEnd {
    private final InboxHistory history;
    private final InboxConnection connection;
    private final TransactionSource.Managed outer;

    public Joined(
        InboxHistory history, InboxConnection connection, TransactionSource.Managed outer) {
      this.history = history;
      this.connection = connection;
      this.outer = outer;
    }

    @Override
    public void commit() throws SQLException {
      history.require(connection);
      connection.closeStatements();
      outer.commit();
    }

    @Override
    public void rollback() {
      try {
        connection.closeStatements();
      } finally {
        outer.rollback();
      }
    }

    @Override
    public void close() {
      rollback();
    }
  }
}
