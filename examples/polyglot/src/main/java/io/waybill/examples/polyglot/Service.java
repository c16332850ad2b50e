package io.waybill.examples.polyglot;

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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A service of the shop: its program, its database, its topic. */
enum Service {
  PAYMENT(
      "payment.payment.succeeded.v1",
      "paymentId",
      "select id from payments where status = 'SUCCESS'") {
    @Override
    List<String> command(int number) {
      return List.of(Tools.node(), folder().resolve("pay.js").toString(), Integer.toString(number));
    }

    @Override
    List<String> consumer() {
      return List.of(Tools.node(), folder().resolve("consume.js").toString());
    }
  },
  NOTIFICATION("notification.email.sent.v1", "notificationId", "select id from emails") {
    @Override
    List<String> command(int number) {
      return List.of(
          Tools.python(), folder().resolve("send_emails.py").toString(), Integer.toString(number));
    }

    @Override
    List<String> consumer() {
      return List.of(Tools.python(), folder().resolve("consume.py").toString());
    }
  };

  private final String topic;
  private final String idField;
  private final String businessIds;

  Service(String topic, String idField, String businessIds) {
    this.topic = topic;
    this.idField = idField;
    this.businessIds = businessIds;
  }

  /** What starts its program, which makes so many business changes. */
  abstract List<String> command(int number);

  /** What starts its consumer. */
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

  /** Type and topic of its events. */
  String topic() {
    return topic;
  }

  /** The field of an event's data that tells which business row it is about. */
  String idField() {
    return idField;
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

  /** Ids of all committed business rows of which there must be an event. */
  Set<String> committed(PostgresServer postgres) throws SQLException {
    try (Connection connection = postgres.dataSource(database()).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(businessIds)) {
      Set<String> ids = new HashSet<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    }
  }
}
