package io.waybill.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Connections through a pooler.
 *
 * @param through opens them
 * @param pooler what stands between
 */
record PooledConnections(ConnectionFactory through, Pooler pooler) implements ConnectionFactory {
  @Override
  public String describe() {
    return through.describe();
  }

  @Override
  public Connection open() throws SQLException {
    return through.open();
  }
}
