package io.waybill.examples.polyshop;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SideNames;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** A service that is not written in Java: its program and its database. */
enum Service {
  PAYMENT {
    @Override
    List<String> consumer() {
      return List.of(Tools.node(), folder().resolve("consume.js").toString());
    }
  },
  NOTIFICATION {
    @Override
    List<String> consumer() {
      return List.of(Tools.python(), folder().resolve("consume.py").toString());
    }
  };

  /** What starts it. */
  abstract List<String> consumer();

  /** Name of its database. */
  String database() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Name of the service, as in its envelopes. */
  String source() {
    return database() + "-service";
  }

  Path folder() {
    return Tools.folder().resolve(source());
  }

  /**
   * Creates its database with its own tables, the documented outbox with what a relay needs, and
   * the table of processed events.
   */
  void createDatabase(PostgresServer postgres) throws SQLException, IOException {
    postgres.createDatabase(database());
    DatabaseKind kind = DatabaseKind.POSTGRESQL;
    try (Connection connection = postgres.dataSource(database()).getConnection()) {
      TableSchema.run(connection, Files.readString(folder().resolve("schema.sql")));
      TableSchema.run(connection, TableSchema.documentedTable(Layouts.POLYSHOP.name(), kind));
      TableSchema.of(Layouts.POLYSHOP, kind, SideNames.of(Layouts.POLYSHOP), 1).apply(connection);
      InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
    }
  }

  /** The URL of its database as its program takes it. */
  String url(PostgresServer postgres) {
    return "postgresql://postgres@127.0.0.1:" + postgres.port() + "/" + database();
  }
}
