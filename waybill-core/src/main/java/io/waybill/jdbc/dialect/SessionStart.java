package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a fresh connection ready for a relay. */
@FunctionalInterface
public interface SessionStart {
  /** Leaves a connection as it is. */
  SessionStart NOTHING = (connection, purpose, limit) -> {};

  /**
   * Notes what the session has set, before {@link #run} changes it.
   *
   * @param connection fresh connection, in auto-commit mode
   * @return gives it back; by default there is nothing to undo
   * @throws SQLException when the database refuses
   */
  default SessionEnd remember(Connection connection) throws SQLException {
    return SessionEnd.NOTHING;
  }

  /**
   * What shows that a pooler stands between a connection and its server.
   *
   * @param connection fresh connection, in auto-commit mode
   * @return for people, or null when there is none or nobody can tell
   * @throws SQLException when the database does not answer
   */
  default @Nullable String pooler(Connection connection) throws SQLException {
    return null;
  }

  /**
   * How long a connection may rest before the server ends it, also between transactions.
   *
   * @param limit that of {@link #run}
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
   * @param limit time after which the server gives up a statement
   * @throws SQLException when the database refuses
   */
  void run(Connection connection, String purpose, Duration limit) throws SQLException;
}
