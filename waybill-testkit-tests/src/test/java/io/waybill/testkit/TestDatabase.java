package io.waybill.testkit;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;

/** A real database to test layouts on. */
interface TestDatabase {
  SqlDialect dialect();

  default DatabaseKind kind() {
    return dialect().kind();
  }

  ConnectionFactory connections();

  Connection connect() throws SQLException;

  /** A connection whose unqualified names are those of a new, empty schema. */
  Connection createSchema(String name) throws SQLException;

  /** A connection whose unqualified names are those of a schema. */
  Connection connectTo(String schema) throws SQLException;

  /** Makes a user who may do nothing in a schema but see that it is there. */
  void createUser(Connection connection, String schema, String user) throws SQLException;

  /** A connection of such a user, whose unqualified names are those of a schema. */
  Connection connectAs(String schema, String user) throws SQLException;

  /** Creates Waybill's own table with its tables beside it in the connection's schema. */
  void createOwnTable(Connection connection, String schema) throws SQLException;

  /**
   * A collation that is not the usual one of the database, where texts that differ are different.
   */
  String otherCollation();

  /** Whether {@link #commitAsynchronously} does something. */
  boolean commitsAsynchronously();

  void commitAsynchronously(Connection connection) throws SQLException;

  /** Gives new sessions another offset from UTC than they had. */
  void timeZone(int hours) throws SQLException;

  /** Statement that gives a session another offset from UTC. */
  String sessionTimeZone(int hours);

  /** Type and default of {@code created_at} in the reference table. */
  String timeType();

  /** Statement that changes the type of a column and whether it can be null. */
  String changeColumn(String table, String column, String type);

  void crash();
}
