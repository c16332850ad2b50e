package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Makes a fresh connection ready for a relay. */
@FunctionalInterface
public interface SessionStart {
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
