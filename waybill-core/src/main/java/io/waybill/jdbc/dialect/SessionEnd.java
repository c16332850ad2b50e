package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** Gives a session the settings back that it had before {@link SessionStart#run}. */
@FunctionalInterface
public interface SessionEnd {
  /** For a session on which nothing is set. */
  SessionEnd NOTHING = connection -> {};

  /**
   * Undoes what was set.
   *
   * @param connection the same connection, in auto-commit mode and without a transaction
   * @throws SQLException when the session cannot be used any more
   */
  void run(Connection connection) throws SQLException;
}
