package io.waybill.database;

import io.waybill.internal.sql.SqlStates;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** The supported database products. */
public enum DatabaseKind {
  /** PostgreSQL 14 or later. */
  POSTGRESQL,
  /** MySQL 8.0.17 or later. */
  MYSQL,
  /** MariaDB 10.6 or later. */
  MARIADB;

  /**
   * Finds the product that a factory connects to, with one connection.
   *
   * @param connections opens the connection
   * @return the product
   * @throws StoreException if the database does not answer in time or is not supported
   */
  public static DatabaseKind of(ConnectionFactory connections) {
    try (Connection connection = connections.open()) {
      return of(connection);
    } catch (SQLException e) {
      throw new StoreException(
          "Could not determine the database product", e, SqlStates.isTransient(e));
    }
  }

  /**
   * Finds the product that a connection leads to, whatever its driver.
   *
   * @param connection open connection
   * @return the product
   * @throws SQLException if the product is not supported, or the database does not answer
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
