package io.waybill.jdbc;

import io.waybill.jdbc.dialect.MySqlDialect;
import io.waybill.jdbc.dialect.PostgresDialect;
import io.waybill.jdbc.dialect.SqlDialect;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Database products that hold an outbox. */
public enum DatabaseKind {
  /** PostgreSQL 14 or later. */
  POSTGRESQL,
  /** MySQL 8.0.17 or later. */
  MYSQL,
  /** MariaDB 10.6 or later. */
  MARIADB;

  /**
   * How it is spoken to about tables of any layout.
   *
   * @return the dialect
   */
  public SqlDialect dialect() {
    return switch (this) {
      case POSTGRESQL -> new PostgresDialect();
      case MYSQL -> MySqlDialect.mySql();
      case MARIADB -> MySqlDialect.mariaDb();
    };
  }

  /**
   * What a factory connects to, by one connection.
   *
   * @param connections opens it
   * @return the product
   * @throws StoreException if the database does not answer in time or is none of these
   */
  public static DatabaseKind of(ConnectionFactory connections) {
    try (Connection connection = connections.open()) {
      return of(connection);
    } catch (SQLException e) {
      throw new StoreException(
          "Could not ask the database what it is", e, SqlStates.isTransient(e));
    }
  }

  /**
   * What a connection is connected to, whichever driver made it.
   *
   * @param connection open connection
   * @return the product
   * @throws SQLException if it is none of these, or the database does not answer
   */
  public static DatabaseKind of(Connection connection) throws SQLException {
    DatabaseMetaData server = connection.getMetaData();
    String name = server.getDatabaseProductName();
    if (name.equals("PostgreSQL")) {
      return POSTGRESQL;
    }
    // A MySQL driver takes a MariaDB for a MySQL of this version.
    if (name.equals("MariaDB") || server.getDatabaseProductVersion().contains("MariaDB")) {
      return MARIADB;
    }
    if (name.equals("MySQL")) {
      return MYSQL;
    }
    throw new SQLException(
        "The database is neither PostgreSQL, MySQL nor MariaDB, but " + name, "0A001");
  }
}
