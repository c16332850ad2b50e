package io.waybill.internal.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/** Identifies the server history that a connection leads to. */
@FunctionalInterface
public interface ServerHistory {
  /**
   * Asks the server.
   *
   * @param connection connection in auto-commit mode
   * @return a name for people, different for servers whose committed data can differ
   * @throws SQLException when the database refuses
   */
  String read(Connection connection) throws SQLException;
}
