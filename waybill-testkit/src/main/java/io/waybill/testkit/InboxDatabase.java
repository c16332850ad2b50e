package io.waybill.testkit;

import io.waybill.database.AppendDialect;
import io.waybill.database.DatabaseKind;
import java.sql.Connection;
import java.sql.SQLException;

/** A database that the contract suites of inboxes run on. */
public interface InboxDatabase {
  /**
   * JDBC URL of a database that is the test's own.
   *
   * @return always the same URL
   */
  String url();

  /**
   * JDBC URL of a new database that has nothing in it.
   *
   * @return a URL of its own each time
   */
  String empty();

  /**
   * What the database is.
   *
   * @return product
   */
  DatabaseKind kind();

  /**
   * How events are appended to the outbox there.
   *
   * @return dialect of Waybill's own table
   */
  AppendDialect append();

  /**
   * Statement that takes a while.
   *
   * @param seconds how long
   * @return query
   */
  String sleep(int seconds);

  /**
   * Expression for a time in the past.
   *
   * @param seconds how long ago
   * @return expression
   */
  String ago(long seconds);

  /**
   * Cuts all connections to the database but the one that asks.
   *
   * @throws SQLException when the database refuses
   */
  void killConnections() throws SQLException;

  /**
   * Creates a role that may do nothing.
   *
   * @param name its name
   * @throws SQLException when the database refuses
   */
  void createRole(String name) throws SQLException;

  /**
   * A connection as a role.
   *
   * @param role its name
   * @return connection
   * @throws SQLException when the database refuses
   */
  Connection as(String role) throws SQLException;
}
