package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/** Restores the settings that a session had before {@link SessionStart#run}. */
@FunctionalInterface
public interface SessionEnd {
  /** For a session without changed settings. */
  SessionEnd NOTHING = connection -> {};

  /**
   * Undoes the changes.
   *
   * @param connection the same connection, in auto-commit mode and without a transaction
   * @throws SQLException if the session can't be used any more
   */
  void run(Connection connection) throws SQLException;
}
