package io.waybill.spring.internal.database;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.schema.TableIdentity;
import io.waybill.layout.TableName;
import io.waybill.spring.WaybillStartException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Whether transactions of the application and Waybill's own connections mean the same table. */
final class SameTable {
  private SameTable() {}

  /** Refuses the start where what the application writes is not what Waybill reads. */
  static void require(DataSource source, ConnectionFactory connections, TableName table) {
    if (!RelayConnections.areBeside(source)) {
      return;
    }
    TableIdentity written;
    TableIdentity read;
    try (Connection pooled = source.getConnection();
        Connection beside = connections.open()) {
      written = TableIdentity.of(pooled, table);
      read = TableIdentity.of(beside, table);
    } catch (SQLException e) {
      throw new WaybillStartException(
          "Waybill cannot ask which table is " + table + ": " + e.getMessage(),
          "Start the database, or correct the data source's URL, user, password and privileges.",
          e);
    }
    if (!written.equals(read)) {
      throw new WaybillStartException(
          ("The application writes into %s, but Waybill, with connections outside the pool, would"
                  + " work on %s: it would never read the application's events")
              .formatted(written, read),
          "Set schema and catalog of the connections by properties of the pool"
              + " (spring.datasource.hikari.schema, catalog or connection-init-sql) or in the URL,"
              + " which hold for both, or name the schema with waybill.schema.name.",
          null);
    }
  }
}
