package io.waybill.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** Tells which server's history a connection leads to. */
@FunctionalInterface
public interface ServerHistory {
  /**
   * Asks the server.
   *
   * @param connection connection in auto-commit mode
   * @return a name for people, which differs between servers that can differ in what is committed
   * @throws SQLException when the database refuses
   */
  String read(Connection connection) throws SQLException;
}
