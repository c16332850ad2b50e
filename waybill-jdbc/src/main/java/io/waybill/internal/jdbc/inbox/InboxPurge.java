package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Removes old rows of an inbox, on one connection. Immutable. */
public final class InboxPurge {
  private final InboxConnection connection;
  private final InboxParts parts;
  private final long ageMicros;
  private final int limit;

  /**
   * Prepares to remove rows.
   *
   * @param connection the connection
   * @param parts what the inbox consists of
   * @param ageMicros how old rows are at least
   * @param limit most rows of a table
   */
  public InboxPurge(InboxConnection connection, InboxParts parts, long ageMicros, int limit) {
    this.connection = connection;
    this.parts = parts;
    this.ageMicros = ageMicros;
    this.limit = limit;
  }

  public int processed() throws SQLException {
    return run(parts.sql().sweepProcessed(), parts.processed().consumer());
  }

  /** Records of starts. */
  public int starts() throws SQLException {
    return run(parts.sql().sweepAttempts(), true);
  }

  private int run(String sql, boolean byConsumer) throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    Binding binding = new Binding(statement, parts.dialect());
    if (byConsumer) {
      binding.text(parts.consumer());
    }
    binding.number(-ageMicros);
    binding.number(limit);
    return statement.executeUpdate();
  }
}
