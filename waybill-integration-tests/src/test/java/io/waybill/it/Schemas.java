package io.waybill.it;

import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import java.sql.Connection;
import java.sql.SQLException;

/** The own tables with their defaults. */
final class Schemas {
  private Schemas() {}

  static void apply(Connection connection) throws SQLException {
    Schema.of(SchemaOptions.ofDefaults()).apply(connection);
  }
}
