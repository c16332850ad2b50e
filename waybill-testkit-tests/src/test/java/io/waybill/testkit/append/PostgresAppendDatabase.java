package io.waybill.testkit.append;

import io.waybill.database.AppendDialect;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A PostgreSQL with an outbox in the schema {@code app}. */
final class PostgresAppendDatabase implements AppendDatabase {
  private static final SchemaOptions OPTIONS = SchemaOptions.ofDefaults().schema("app");

  private final PostgresServer server;

  PostgresAppendDatabase() throws SQLException {
    server =
        PostgresServer.launch(
            Map.of("shared_preload_libraries", "pg_stat_statements", "fsync", "off"));
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
      Schema.of(OPTIONS).apply(connection);
      AppendDatabase.run(connection, "create extension pg_stat_statements");
      AppendDatabase.run(connection, "create table app.orders (id text primary key)");
      AppendDatabase.run(
          connection,
          "create role writer; create role relay; create role operator; create role reader");
      AppendDatabase.run(
          connection, Schema.of(OPTIONS).grants("writer", "relay", "operator", "reader"));
    }
  }

  @Override
  public String url() {
    return server.jdbcUrl() + "&currentSchema=app,public";
  }

  @Override
  public String schema() {
    return "app";
  }

  @Override
  public AppendDialect dialect() {
    return PostgresAppend.ofDefaults();
  }

  @Override
  public AppendDialect dialect(String schema) {
    return PostgresAppend.inSchema(schema);
  }

  @Override
  public AppendDialect dialect(String schema, String table) {
    return PostgresAppend.inTable(schema, table);
  }

  @Override
  public List<String> driverOptions() {
    return List.of(
        "",
        "&preferQueryMode=simple",
        "&binaryTransfer=false",
        "&prepareThreshold=-1",
        "&prepareThreshold=0",
        "&stringtype=unspecified");
  }

  @Override
  public long inserts() throws SQLException {
    String sql = "select coalesce(sum(calls), 0) from pg_stat_statements where query ~ '^insert'";
    return Long.parseLong(String.valueOf(column(sql).get(0)));
  }

  @Override
  public void killWriters() throws SQLException {
    run(
        "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where state = 'idle in transaction'");
  }

  @Override
  public Connection beginAsWriter() throws SQLException {
    Connection connection = begin();
    AppendDatabase.run(connection, "set role writer");
    return connection;
  }

  @Override
  public String writer() {
    return "writer";
  }

  @Override
  public List<Constraint> otherConstraints() {
    String alter = "alter table waybill_outbox ";
    return List.of(
        new Constraint(
            "create unique index other_key on waybill_outbox (correlation_id)",
            "drop index other_key"),
        new Constraint(
            alter + "add constraint other_check check (event_type <> 'bad')",
            alter + "drop constraint other_check"),
        new Constraint(
            alter
                + "add constraint other_fk foreign key (event_type) references orders (id)"
                + " not valid",
            alter + "drop constraint other_fk"),
        new Constraint(
            alter + "alter column causation_id set not null",
            alter + "alter column causation_id drop not null"));
  }

  @Override
  public String foreignTimeZone() {
    return "set timezone = 'Europe/Copenhagen'";
  }

  @Override
  public String availableMicros() {
    return "(extract(epoch from available_at) * 1000000)::bigint";
  }

  @Override
  public String tenant() {
    return "headers ->> 'tenant'";
  }

  @Override
  public void close() {
    server.close();
  }
}
