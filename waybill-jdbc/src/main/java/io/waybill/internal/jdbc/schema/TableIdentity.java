package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableCatalogue;
import io.waybill.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The table that a name stands for on a connection. Writers and relay must use the same table;
 * otherwise the events are never read.
 *
 * @param server the running server, as it identifies itself
 * @param database name of the database
 * @param table schema and name, on PostgreSQL with its number; null if there is no such table
 */
public record TableIdentity(String server, String database, @Nullable String table) {
  /**
   * Asks the database.
   *
   * @param connection open connection
   * @param table the name
   * @return the table that it stands for on this connection
   * @throws SQLException when the database refuses
   */
  public static TableIdentity of(Connection connection, TableName table) throws SQLException {
    SqlDialect dialect = Dialects.of(DatabaseKind.of(connection));
    try (PreparedStatement statement =
        connection.prepareStatement(TableCatalogue.identity(dialect))) {
      statement.setString(1, dialect.table(table));
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return new TableIdentity(result.getString(1), result.getString(2), result.getString(3));
      }
    }
  }

  @Override
  public String toString() {
    return "%s in database %s of server %s"
        .formatted(table == null ? "no table" : table, database, server);
  }
}
