package io.waybill.jdbc;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.kernel.AuditColumns;
import io.waybill.internal.jdbc.kernel.WriterColumns;
import io.waybill.internal.jdbc.schema.SchemaCheck;
import io.waybill.internal.jdbc.schema.SchemaDialect;
import io.waybill.internal.jdbc.schema.SchemaScript;
import io.waybill.internal.jdbc.schema.ScriptSet;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of an outbox, as versioned scripts in the jar. Immutable; methods may be called by any
 * thread.
 */
public final class Schema {
  private final SchemaDialect dialect;
  private final SchemaOptions options;
  private final ScriptSet scripts;

  Schema(SchemaDialect dialect, SchemaOptions options, ScriptSet scripts) {
    this.dialect = dialect;
    this.options = options;
    this.scripts = scripts;
  }

  /**
   * Describes the tables on PostgreSQL.
   *
   * @param options schema name and number of lanes
   * @return the tables
   */
  public static Schema of(SchemaOptions options) {
    return of(DatabaseKind.POSTGRESQL, options);
  }

  /**
   * Describes the tables.
   *
   * @param kind database product
   * @param options schema name (on MySQL and MariaDB a database) and number of lanes
   * @return the tables
   */
  public static Schema of(DatabaseKind kind, SchemaOptions options) {
    return new Schema(SchemaDialect.of(kind), options, ScriptSet.OUTBOX);
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
    script.append(sql(dialect.versionTable())).append(";\n");
    for (SchemaScript part : scripts.scripts()) {
      script.append('\n').append(part.sql(dialect, options));
      script.append(
          sql(
              "\ninsert into ${schema}.${versions} (version, script) values (%d, '%s');\n"
                  .formatted(part.version(), part.resource())));
    }
    return script.toString();
  }

  /**
   * Statements that grant four roles their privileges: writers insert events, relays read and
   * settle them, operators ask for changes, readers look. Neither operators nor readers see
   * payloads.
   *
   * @param writer role of the applications
   * @param relay role of the relays
   * @param operator role of operators' commands
   * @param reader role of people and dashboards
   * @return SQL script
   * @throws IllegalArgumentException if a role's name is not an identifier
   */
  public String grants(String writer, String relay, String operator, String reader) {
    return SchemaScript.text("grants.sql", dialect, options)
        .replace("${writer}", dialect.quote("writer role", writer))
        .replace("${relay}", dialect.quote("relay role", relay))
        .replace("${operator}", dialect.quote("operator role", operator))
        .replace("${audit_columns}", AuditColumns.INSERTED)
        .replace("${reader}", dialect.quote("reader role", reader));
  }

  /**
   * The statement that lets a role read payloads, in addition to those of an operator.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String payloadGrant(String role) {
    return grant("select (payload)", role);
  }

  /**
   * The statement that lets a role append corrected events, in addition to those of an operator.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String correctionGrant(String role) {
    return grant("insert (" + String.join(", ", WriterColumns.OF_CONTENT) + ")", role);
  }

  /**
   * Statements that let a role remove dead events, in addition to those of an operator.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String purgeGrant(String role) {
    return SchemaScript.text("purge.sql", dialect, options)
        .replace("${role}", dialect.quote("role", role));
  }

  /**
   * The statement that lets a role keep logins of browsers, in addition to what the API needs
   * besides. No other role may: who writes there decides about logins.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String loginGrant(String role) {
    return SchemaScript.text("login.sql", dialect, options)
        .replace("${role}", dialect.quote("role", role));
  }

  private String grant(String privilege, String role) {
    return sql(
        "grant %s\n  on ${schema}.waybill_outbox to %s;\n"
            .formatted(privilege, dialect.quote("role", role)));
  }

  /**
   * Creates or updates the tables: on PostgreSQL in one transaction, elsewhere in steps that may be
   * repeated after a failure. Running it again changes nothing, and several processes may run it at
   * the same time. If another session has locked a table, it waits in steps of two seconds, up to
   * half a minute in total.
   *
   * @param connection connection of a role that may create tables; in auto-commit mode before and
   *     after
   * @return number of scripts applied
   * @throws SQLException when the database refuses
   */
  public int apply(Connection connection) throws SQLException {
    return dialect.exclusively(connection, () -> applyMissing(connection));
  }

  /**
   * Compares the tables with those that the scripts would create.
   *
   * @param connection connection of any role that may use the schema
   * @return findings, each naming the missing object and the statement that creates it
   * @throws SQLException when the database refuses
   */
  public List<Finding> check(Connection connection) throws SQLException {
    return new SchemaCheck(dialect, options, scripts).run(connection);
  }

  private int applyMissing(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!exists(connection, dialect.schemaExists(), options.schema())) {
        statement.execute(createSchema());
      }
      statement.execute(sql(dialect.versionTable()));
      String applied = sql("select 1 from ${schema}.${versions} where version = ?");
      int count = 0;
      for (SchemaScript script : scripts.scripts()) {
        if (!exists(connection, applied, script.version())) {
          for (String part : dialect.statements(script.sql(dialect, options))) {
            statement.execute(part);
          }
          record(connection, script);
          count++;
        }
      }
      return count;
    }
  }

  private static boolean exists(Connection connection, String query, Object parameter)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setObject(1, parameter);
      try (ResultSet result = statement.executeQuery()) {
        return result.next();
      }
    }
  }

  private void record(Connection connection, SchemaScript script) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            sql("insert into ${schema}.${versions} (version, script) values (?, ?)"))) {
      statement.setInt(1, script.version());
      statement.setString(2, script.resource());
      statement.executeUpdate();
    }
  }

  private String createSchema() {
    return sql("create schema if not exists ${schema}");
  }

  private String sql(String template) {
    return scripts.filled(template, dialect, options);
  }
}
