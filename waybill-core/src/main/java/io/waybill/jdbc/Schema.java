package io.waybill.jdbc;

import io.waybill.jdbc.dialect.Identifiers;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of an outbox on PostgreSQL, as versioned scripts in the jar. Immutable; methods may be
 * called by any thread.
 */
public final class Schema {
  private static final String VERSIONS =
      """
      create table if not exists ${schema}.waybill_schema_version (
        version integer not null,
        script text not null,
        applied_at timestamptz not null default clock_timestamp(),
        constraint waybill_schema_version_pkey primary key (version)
      )""";

  private final SchemaOptions options;

  private Schema(SchemaOptions options) {
    this.options = options;
  }

  /**
   * The tables with some options.
   *
   * @param options schema name and number of lanes
   * @return the tables
   */
  public static Schema of(SchemaOptions options) {
    return new Schema(options);
  }

  /**
   * All statements that {@link #apply} would run on an empty database.
   *
   * @return SQL script
   */
  public String print() {
    StringBuilder script = new StringBuilder();
    if (!options.schema().equals("public")) {
      script.append(createSchema()).append(";\n\n");
    }
    script.append(sql(VERSIONS)).append(";\n");
    for (SchemaScript part : SchemaScript.ALL) {
      script.append('\n').append(part.sql(options));
      script.append(
          sql(
              "\ninsert into ${schema}.waybill_schema_version (version, script) values (%d, '%s');\n"
                  .formatted(part.version(), part.resource())));
    }
    return script.toString();
  }

  /**
   * Statements that give three roles what they need: writers insert events, relays read and settle
   * them, readers look.
   *
   * @param writer role of the applications
   * @param relay role of the relays and operators' commands
   * @param reader role of people and dashboards
   * @return SQL script
   * @throws IllegalArgumentException if a role's name is not an identifier
   */
  public String grants(String writer, String relay, String reader) {
    return SchemaScript.text("grants.sql", options)
        .replace("${writer}", Identifiers.quote("writer role", writer))
        .replace("${relay}", Identifiers.quote("relay role", relay))
        .replace("${reader}", Identifiers.quote("reader role", reader));
  }

  /**
   * Creates or updates the tables in one transaction. Running it again changes nothing, and several
   * may run it at once.
   *
   * @param connection connection of a role that may create tables; in auto-commit mode before and
   *     after
   * @return number of scripts applied
   * @throws SQLException when the database refuses; nothing was changed then
   */
  public int apply(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      int applied = applyMissing(connection);
      connection.commit();
      return applied;
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /**
   * Compares the tables with what the scripts would make.
   *
   * @param connection connection of any role that may use the schema
   * @return findings, each naming the missing thing and the statement that makes it
   * @throws SQLException when the database refuses
   */
  public List<Finding> check(Connection connection) throws SQLException {
    return new SchemaCheck(options).run(connection);
  }

  private int applyMissing(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_xact_lock(hashtextextended('waybill schema', 0))");
      if (!exists(connection)) {
        statement.execute(createSchema());
      }
      statement.execute(sql(VERSIONS));
      int applied = 0;
      for (SchemaScript script : SchemaScript.ALL) {
        if (record(connection, script)) {
          statement.execute(script.sql(options));
          applied++;
        }
      }
      return applied;
    }
  }

  private boolean exists(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select 1 from pg_namespace where nspname = ?")) {
      statement.setString(1, options.schema());
      try (ResultSet result = statement.executeQuery()) {
        return result.next();
      }
    }
  }

  private boolean record(Connection connection, SchemaScript script) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            sql(
                """
                insert into ${schema}.waybill_schema_version (version, script) values (?, ?)
                on conflict (version) do nothing"""))) {
      statement.setInt(1, script.version());
      statement.setString(2, script.resource());
      return statement.executeUpdate() == 1;
    }
  }

  private String createSchema() {
    return sql("create schema if not exists ${schema}");
  }

  private String sql(String template) {
    return template.replace("${schema}", Identifiers.quote("schema", options.schema()));
  }
}
