package io.waybill.it;

import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import java.sql.Connection;
import java.sql.SQLException;

/** The own tables with their defaults. */
final class Schemas {
  private Schemas() {}

  static void apply(Connection connection) throws SQLException {
    Schema.of(SchemaOptions.defaults()).apply(connection);
  }
}
