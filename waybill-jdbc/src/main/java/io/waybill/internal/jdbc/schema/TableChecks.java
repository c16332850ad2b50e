package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.MySqlCatalogue;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableCatalogue;
import io.waybill.layout.Layout;
import io.waybill.layout.RecordTable;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks, before a relay starts, everything around an adopted table that could harm events: server
 * settings, columns, indexes, collations, clocks, side tables, privileges. A finding that would
 * lose events refuses the start. Immutable.
 */
public final class TableChecks {
  private final Layout layout;
  private final SideNames names;

  /**
   * Creates the checks of a table.
   *
   * @param layout its layout
   * @param names names of its side tables
   */
  public TableChecks(Layout layout, SideNames names) {
    this.layout = layout;
    this.names = names;
  }

  /**
   * Runs the checks; changes nothing.
   *
   * @param connection connection of the relay's user, in auto-commit mode
   * @return findings, none if all is well
   * @throws SQLException when the database refuses the queries
   */
  public List<Finding> run(Connection connection) throws SQLException {
    DatabaseKind kind = DatabaseKind.of(connection);
    String schema = schema(connection, kind, layout.table());
    List<Finding> findings = new ArrayList<>(server(connection, kind, schema));
    if (MySqlServerChecks.cut(findings)) {
      return findings;
    }
    List<Finding> table = table(connection, Dialects.of(kind), schema);
    findings.addAll(table);
    List<Finding> beside = sideTables(connection, layout, Dialects.of(kind), names);
    beside.stream().filter(TableChecks::ofRelay).forEach(findings::add);
    if (table.stream().noneMatch(f -> f.check() == Check.ADOPTED_TABLE_MISSING)) {
      findings.addAll(hazards(connection, kind, schema));
    }
    boolean there = beside.stream().noneMatch(f -> f.severity() == Finding.Severity.REFUSE);
    if (there && table.stream().noneMatch(f -> f.severity() == Finding.Severity.REFUSE)) {
      findings.addAll(
          new TablePrivilegeChecks(layout, Dialects.of(kind), names, quoted(Dialects.of(kind)))
              .run(connection));
    }
    return findings;
  }

  /**
   * Checks only the tables, not the server and the privileges; changes nothing.
   *
   * @param connection connection of a user that may see the tables
   * @return findings, none if all is well
   * @throws SQLException when the database refuses the queries
   */
  public List<Finding> tables(Connection connection) throws SQLException {
    DatabaseKind kind = DatabaseKind.of(connection);
    String schema = schema(connection, kind, layout.table());
    List<Finding> findings = new ArrayList<>(table(connection, Dialects.of(kind), schema));
    findings.addAll(sideTables(connection, layout, Dialects.of(kind), names));
    return findings;
  }

  /** Checks that the side tables exist. */
  public static List<Finding> sideTables(
      Connection connection, Layout layout, SqlDialect dialect, SideNames names)
      throws SQLException {
    TableName beside = new TableName(names.schema(), names.prefix());
    String schema = schema(connection, DatabaseKind.of(connection), beside);
    List<Finding> findings = new ArrayList<>();
    for (String table : SideNames.tables()) {
      String name = names.prefix() + table;
      if (LayoutColumn.of(connection, dialect, schema, name).isEmpty()) {
        findings.add(
            new Finding(
                missing(table),
                "table " + name,
                "This side table of " + layout.table() + " is missing, or the user may not see it",
                "waybill schema apply, or the privileges of waybill schema print --grants"));
      }
    }
    return findings;
  }

  /** Its user need not see the table of logins, which is the API's. */
  static boolean ofRelay(Finding finding) {
    return finding.check() != Check.LOGIN_TABLE_MISSING;
  }

  private static Check missing(String table) {
    return switch (table) {
      case "rollup" -> Check.HISTORY_TABLE_MISSING;
      case "login" -> Check.LOGIN_TABLE_MISSING;
      default -> Check.ADOPTED_SIDE_TABLE_MISSING;
    };
  }

  /** The schema of a table: its own, or that of the connection. */
  public static String schema(Connection connection, DatabaseKind kind, TableName table)
      throws SQLException {
    if (table.schema() != null) {
      return table.schema();
    }
    String current =
        kind == DatabaseKind.POSTGRESQL ? connection.getSchema() : connection.getCatalog();
    if (current == null) {
      throw new SQLException("The connection has no current schema, and the table names none");
    }
    return current;
  }

  public static List<Finding> server(Connection connection, DatabaseKind kind, String schema)
      throws SQLException {
    return kind == DatabaseKind.POSTGRESQL
        ? PostgresServerChecks.run(connection)
        : new MySqlServerChecks(new MySqlCatalogue(schema), kind).run(connection);
  }

  private List<Finding> hazards(Connection connection, DatabaseKind kind, String schema)
      throws SQLException {
    String side = schema(connection, kind, new TableName(names.schema(), names.prefix()));
    List<TableName> beside =
        SideNames.tables().stream()
            .map(name -> new TableName(side, names.prefix() + name))
            .toList();
    boolean deleted = layout.progress().state() instanceof StateColumn.Presence;
    TableHazards hazards =
        new TableHazards(new TableName(schema, layout.table().name()), false, deleted, beside);
    return kind == DatabaseKind.POSTGRESQL
        ? hazards.onPostgres(connection)
        : hazards.onMySql(connection);
  }

  private List<Finding> table(Connection connection, SqlDialect dialect, String schema)
      throws SQLException {
    List<Finding> findings = new ArrayList<>();
    String name = layout.table().name();
    try (PreparedStatement statement = connection.prepareStatement(TableCatalogue.table(dialect))) {
      statement.setString(1, schema);
      statement.setString(2, name);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          return List.of(
              new Finding(
                  Check.ADOPTED_TABLE_MISSING,
                  "table " + layout.table(),
                  "There is no such table in " + schema + ", or the user may not see its columns",
                  "schema and table in the outbox's configuration, or grant select on "
                      + quoted(dialect)
                      + " to <relay user>"));
        }
        stored(result, findings, dialect);
      }
    }
    Map<String, LayoutColumn> columns = LayoutColumn.of(connection, dialect, schema, name);
    findings.addAll(
        new TableColumnChecks(layout, dialect, quoted(dialect), columns).run(connection));
    findings.addAll(record(connection, dialect, schema));
    if (findings.stream().noneMatch(f -> f.severity() == Finding.Severity.REFUSE)) {
      findings.addAll(new TableIndexChecks(layout, dialect, quoted(dialect)).run(connection));
    }
    return findings;
  }

  /** The table that records what was done with each event is the application's, too. */
  private List<Finding> record(Connection connection, SqlDialect dialect, String schema)
      throws SQLException {
    RecordTable record = layout.progress().record();
    if (record == null) {
      return List.of();
    }
    Set<String> found = LayoutColumn.of(connection, dialect, schema, record.name()).keySet();
    List<Finding> findings = new ArrayList<>();
    for (String column :
        List.of(record.eventId(), record.status(), record.createdAt(), record.updatedAt())) {
      if (!found.contains(column)) {
        findings.add(
            new Finding(
                Check.ADOPTED_RECORD_COLUMN_MISSING,
                "column " + record.name() + "." + column,
                "It is missing, but the processing of each event is recorded there",
                "the table that waybill schema print --documented prints, or record: false"));
      }
    }
    return findings;
  }

  private void stored(ResultSet result, List<Finding> findings, SqlDialect dialect)
      throws SQLException {
    String engine = result.getString(2);
    if (!"BASE TABLE".equals(result.getString(1))) {
      findings.add(
          new Finding(
              Check.ADOPTED_TABLE_IS_A_VIEW,
              "table " + layout.table(),
              "It is a view, not a table, and its rows cannot be locked",
              "the table behind it in the outbox's configuration"));
    } else if (engine != null && !engine.equals("InnoDB")) {
      findings.add(
          new Finding(
                  Check.TABLE_WITHOUT_TRANSACTIONS,
                  "table " + layout.table(),
                  "Its engine " + engine + " supports no transactions",
                  "alter table " + quoted(dialect) + " engine = InnoDB")
              .runnable());
    }
  }

  private String quoted(SqlDialect dialect) {
    String schema = layout.table().schema();
    String name = dialect.quote(layout.table().name());
    return schema == null ? name : dialect.quote(schema) + "." + name;
  }
}
