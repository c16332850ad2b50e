package io.waybill.jdbc;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.schema.SchemaDialect;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.internal.jdbc.schema.TableGrants;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The side tables of an adopted outbox. The adopted table itself is never altered. Immutable;
 * methods may be called by any thread.
 */
public final class TableSchema {
  private static final String FOLDER = "/io/waybill/schema/layouts/";

  private final Layout layout;
  private final SqlDialect dialect;
  private final SideNames names;
  private final int lanes;

  private TableSchema(Layout layout, SqlDialect dialect, SideNames names, int lanes) {
    this.layout = layout;
    this.dialect = dialect;
    this.names = names;
    this.lanes = lanes;
  }

  /**
   * Describes the tables for a layout, with a single lane unless the outbox has a lane column.
   *
   * @param layout the layout
   * @param kind what the database is
   * @param names names of the tables
   * @param lanes number of lanes of an outbox with a lane column, 1 to 1024
   * @return the tables
   */
  public static TableSchema of(Layout layout, DatabaseKind kind, SideNames names, int lanes) {
    if (lanes < 1 || lanes > 1024) {
      throw new IllegalArgumentException("The number of lanes must be 1 to 1024, but is " + lanes);
    }
    return new TableSchema(
        layout, Dialects.of(kind), names, layout.order().lane() == null ? 1 : lanes);
  }

  /**
   * The outbox table of a preset as in its documents, for tests and new installations.
   *
   * @param layout name of the preset
   * @param kind what the database is
   * @return SQL script
   */
  public static String documentedTable(String layout, DatabaseKind kind) {
    return resource(layout, Dialects.of(kind));
  }

  /**
   * All statements that {@link #apply} runs.
   *
   * @return SQL script
   */
  public String print() {
    return String.join(";\n\n", statements()) + ";\n";
  }

  /**
   * The documented views of a layout, for people and dashboards, and one that tells what events
   * wait for; the relay needs none of them. They read the side tables, which have to be there.
   *
   * @return SQL script that replaces them, empty for a layout without views
   */
  public String printViews() {
    List<String> statements = views();
    return statements.isEmpty() ? "" : String.join(";\n\n", statements) + ";\n";
  }

  /**
   * Creates the documented views, or replaces them.
   *
   * @param connection connection of a role that may create views in the outbox's schema
   * @throws SQLException when the database refuses
   */
  public void applyViews(Connection connection) throws SQLException {
    run(connection, views());
  }

  private List<String> views() {
    if (!layout.name().equals(Layouts.EVENT_OUTBOX.name())) {
      return List.of();
    }
    String schema = layout.table().schema();
    String prefix = schema == null ? "" : dialect.quote(schema) + ".";
    String file = layout.name() + "/views." + dialect.folder() + ".sql";
    return split(
        dialect
            .fill(names, read(file))
            .replace("${schema}", prefix)
            .replace("${outbox}", prefix + dialect.quote(layout.table().name())));
  }

  /**
   * Creates the missing tables: on PostgreSQL in one transaction, elsewhere in steps that may be
   * repeated after a failure. Running it again changes nothing, and several processes may run it at
   * the same time. If another session has locked a table, it waits in steps of two seconds, up to
   * half a minute in total.
   *
   * @param connection connection of a role that may create tables; in auto-commit mode before and
   *     after
   * @throws SQLException when the database refuses
   */
  public void apply(Connection connection) throws SQLException {
    SchemaDialect.of(DatabaseKind.of(connection))
        .exclusively(
            connection,
            () -> {
              run(connection, statements());
              return 0;
            });
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
    return new TableGrants(layout, dialect, names).script(writer, relay, operator, reader);
  }

  /**
   * The statement that lets a role read payloads, in addition to those of an operator.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String payloadGrant(String role) {
    return new TableGrants(layout, dialect, names).ofPayloads(role);
  }

  /**
   * Statements that let a role append corrected events, in addition to those of an operator. They
   * let it read all columns, since all of them are copied.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String correctionGrant(String role) {
    return new TableGrants(layout, dialect, names).ofCorrections(role);
  }

  /**
   * Statements that let a role remove dead events, in addition to those of an operator.
   *
   * @param role the role
   * @return SQL script
   * @throws IllegalArgumentException if the role's name is not an identifier
   */
  public String purgeGrant(String role) {
    return new TableGrants(layout, dialect, names).ofPurge(role);
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
    return new TableGrants(layout, dialect, names).ofLogins(role);
  }

  /**
   * Checks that the tables exist.
   *
   * @param connection connection of any role that may see them
   * @return findings, each naming a missing table and how to create it
   * @throws SQLException when the database refuses
   */
  public List<Finding> check(Connection connection) throws SQLException {
    return TableChecks.sideTables(connection, layout, dialect, names);
  }

  /**
   * Runs a script statement by statement.
   *
   * @param connection connection
   * @param script SQL script whose statements end with a semicolon at the end of a line
   * @throws SQLException when the database refuses
   */
  public static void run(Connection connection, String script) throws SQLException {
    run(connection, split(script));
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private List<String> statements() {
    return split(
        dialect
            .fill(names, resource("side", dialect))
            .replace("${prefix}", names.prefix())
            .replace("${row_id}", dialect.idType(layout.identity().kind()))
            .replace("${outbox}", dialect.table(layout.table()))
            .replace("${outbox_id}", dialect.quote(layout.identity().rowId()))
            .replace("${table_options}", dialect.tableOptions())
            .replace("${lanes}", Integer.toString(lanes)));
  }

  private static List<String> split(String script) {
    return Stream.of(script.split(";\n", -1)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  private static String resource(String name, SqlDialect dialect) {
    return read(name + "/" + dialect.folder() + ".sql");
  }

  private static String read(String file) {
    String path = FOLDER + file;
    try (InputStream stream = TableSchema.class.getResourceAsStream(path)) {
      Objects.requireNonNull(stream, () -> "The jar has no " + path);
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
  }
}
