package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.kernel.PostgresCatalogue;
import io.waybill.internal.sql.Identifiers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Tables on PostgreSQL, where they are made in a transaction. */
final class PostgresSchemaDialect implements SchemaDialect {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  @Override
  public String folder() {
    return "postgresql";
  }

  @Override
  public String quote(String what, String identifier) {
    return Identifiers.quoteOnServer(what, identifier);
  }

  @Override
  public String fill(String script) {
    return script;
  }

  @Override
  public List<String> statements(String script) {
    return List.of(script);
  }

  @Override
  public String versionTable() {
    return """
    create table if not exists ${schema}.${versions} (
      version integer not null,
      script text not null,
      applied_at timestamptz not null default clock_timestamp(),
      constraint ${versions}_pkey primary key (version)
    )""";
  }

  @Override
  public String schemaExists() {
    return "select 1 from pg_namespace where nspname = ?";
  }

  @Override
  public int exclusively(Connection connection, Work work) throws SQLException {
    return SchemaDialect.again(PostgresSchemaDialect::isLocked, () -> alone(connection, work));
  }

  private static boolean isLocked(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
  }

  private static int alone(Connection connection, Work work) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(hashtextextended('waybill schema', 0))");
      statement.execute("set local lock_timeout = '" + LOCK_SECONDS + "s'");
      int done = work.run();
      connection.commit();
      return done;
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  @Override
  public PreparedStatement things(Connection connection, String schema) throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement(new PostgresCatalogue(schema).things());
    statement.setString(1, schema);
    return statement;
  }

  @Override
  public String dropIndex(String schema, String table, String index) {
    return "drop index " + schema + "." + index + "; ";
  }

  @Override
  public String validate(String constraint, String definition) {
    return "validate constraint " + constraint + ";";
  }
}
