package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prepares a fresh connection for a relay. */
@FunctionalInterface
public interface SessionStart {
  /** Does not change the connection. */
  SessionStart NOTHING = (connection, purpose, limit) -> {};

  /**
   * Saves the session's settings before {@link #run} changes them.
   *
   * @param connection fresh connection, in auto-commit mode
   * @return restores the settings; by default there is nothing to undo
   * @throws SQLException when the database refuses
   */
  default SessionEnd remember(Connection connection) throws SQLException {
    return SessionEnd.NOTHING;
  }

  /**
   * The evidence for a pooler between a connection and its server.
   *
   * @param connection fresh connection, in auto-commit mode
   * @return evidence for people, or null if there is none
   * @throws SQLException when the database does not answer
   */
  default @Nullable String pooler(Connection connection) throws SQLException {
    return null;
  }

  /**
   * How long a connection may be idle before the server ends it, also between transactions.
   *
   * @param limit the limit of {@link #run}
   * @return empty, as by default, if this sets no such time
   */
  default Optional<Duration> rest(Duration limit) {
    return Optional.empty();
  }

  /**
   * Sets the session's isolation, limits and time zone.
   *
   * @param connection fresh connection
   * @param purpose name of the connection, for people
   * @param limit time after which the server cancels a statement
   * @throws SQLException when the database refuses
   */
  void run(Connection connection, String purpose, Duration limit) throws SQLException;
}
