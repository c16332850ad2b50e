package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.kernel.AuditColumns;
import io.waybill.internal.jdbc.kernel.MySqlCatalogue;
import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks, before a relay starts, everything in a MySQL or MariaDB that could harm events: server
 * settings, tables, columns, privileges, lanes. Immutable.
 */
public final class MySqlChecks {
  private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044, 1045, 1370);
  // Servers that take no writes, or none without a key, were found before.
  private static final Set<Integer> FOUND = Set.of(1290, 1792, 1836, 1175);
  private static final Pattern DIVISOR = Pattern.compile("(?i)(?:%|mod)\\s*(\\d+)\\)*$");
  private static final String OUTBOX = "waybill_outbox";
  private static final String AUDIT = "waybill_audit";
  private static final List<Need> NEEDS =
      List.of(
          new Need(OUTBOX, "published", "SELECT", "UPDATE", "DELETE"),
          new Need("waybill_session", "relay", "SELECT", "INSERT", "UPDATE", "DELETE"),
          new Need("waybill_lane", "fence", "SELECT", "UPDATE"),
          new Need("waybill_row_state", "failure_group", "SELECT", "INSERT", "UPDATE", "DELETE"),
          new Need("waybill_held", "lane", "SELECT", "INSERT", "UPDATE", "DELETE"),
          new Need(AUDIT, "note", "SELECT", "INSERT", "UPDATE"),
          new Need("waybill_request", "lane", "SELECT", "INSERT", "UPDATE", "DELETE"),
          new Need("waybill_destination", "paused", "SELECT", "INSERT", "UPDATE", "DELETE"));

  private final SchemaOptions options;
  private final MySqlCatalogue catalogue;

  /** What a relay does with a table. */
  private record Need(String table, String column, String... privileges) {}

  /**
   * Creates the checks of the tables in one database.
   *
   * @param options name of the database
   */
  public MySqlChecks(SchemaOptions options) {
    this.options = options;
    this.catalogue = new MySqlCatalogue(options.schema());
  }

  /**
   * Runs the checks.
   *
   * @param connection connection of the relay's user, in auto-commit mode
   * @return findings, none if all is well
   * @throws SQLException when the database refuses the queries
   */
  public List<Finding> run(Connection connection) throws SQLException {
    DatabaseKind kind = DatabaseKind.of(connection);
    List<Finding> findings =
        new ArrayList<>(new MySqlServerChecks(catalogue, kind).run(connection));
    if (MySqlServerChecks.cut(findings)) {
      return findings;
    }
    List<Finding> schema =
        new SchemaCheck(SchemaDialect.of(kind), options, ScriptSet.OUTBOX)
            .run(connection).stream().filter(TableChecks::ofRelay).toList();
    findings.addAll(schema);
    if (schema.stream().noneMatch(f -> f.severity() == Finding.Severity.REFUSE)) {
      findings.addAll(unfit(connection, kind));
      findings.addAll(hazards(connection));
      List<Finding> privileges = privileges(connection);
      findings.addAll(privileges);
      if (privileges.isEmpty()) {
        findings.addAll(lanes(connection));
      }
    }
    return findings;
  }

  private List<Finding> unfit(Connection connection, DatabaseKind kind) throws SQLException {
    Map<String, Finding> findings = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(catalogue.unfit());
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        String table = result.getString(1);
        String column = result.getString(2);
        String found = result.getString(3);
        String alter = "alter table " + qualified(table);
        if (column == null) {
          String detail = "Its engine " + found + " supports no transactions";
          findings.put(
              table,
              new Finding(
                  Check.TABLE_WITHOUT_TRANSACTIONS,
                  "table " + table,
                  detail,
                  alter + " engine = InnoDB"));
        } else {
          String convert =
              " convert to character set utf8mb4 collate " + MySqlSchemaDialect.collation(kind);
          String detail =
              "Its column "
                  + column
                  + " is compared by "
                  + found
                  + ": different ids can be treated as equal";
          findings.putIfAbsent(
              table + " text",
              new Finding(Check.MYSQL_IDS_NOT_BYTES, "table " + table, detail, alter + convert));
        }
      }
    }
    return List.copyOf(findings.values());
  }

  private List<Finding> hazards(Connection connection) throws SQLException {
    List<TableName> beside =
        NEEDS.stream().skip(1).map(need -> new TableName(options.schema(), need.table())).toList();
    return new TableHazards(new TableName(options.schema(), OUTBOX), true, true, beside)
        .onMySql(connection);
  }

  private List<Finding> privileges(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    for (Need need : NEEDS) {
      for (String privilege : need.privileges()) {
        if (!granted(connection, catalogue.probe(privilege, need.table(), need.column()))) {
          findings.add(
              new Finding(
                  Check.PRIVILEGE_MISSING,
                  "table " + need.table(),
                  "The relay's user has no privilege " + privilege,
                  "grant %s on %s to <relay user>"
                      .formatted(
                          need.table().equals(AUDIT) ? AuditColumns.granted(privilege) : privilege,
                          qualified(need.table()))));
        }
      }
    }
    return findings;
  }

  private static boolean granted(Connection connection, String probe) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(probe);
      return true;
    } catch (SQLException e) {
      if (DENIED.contains(e.getErrorCode())) {
        return false;
      }
      // MySQL's own driver refuses by itself what a read-only session would.
      if (FOUND.contains(e.getErrorCode()) || connection.isReadOnly()) {
        return true;
      }
      throw e;
    }
  }

  private List<Finding> lanes(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(catalogue.lanes());
        ResultSet result = statement.executeQuery()) {
      result.next();
      int lanes = result.getInt(1);
      boolean complete = result.getInt(2) == lanes - 1;
      String expression = String.valueOf(result.getString(3));
      Matcher divisor = DIVISOR.matcher(expression.strip());
      boolean divided = divisor.find() && divisor.group(1).equals(Integer.toString(lanes));
      if (complete && divided) {
        return List.of();
      }
      return List.of(
          new Finding(
              Check.LANES_INCOMPLETE,
              "table waybill_lane",
              "It has " + lanes + " lanes, but rows are assigned to lanes by " + expression,
              "insert or delete lanes in waybill_lane until they are 0 to the divisor less 1"));
    }
  }

  private String qualified(String table) {
    return MySqlCatalogue.quoteOnServer("database", options.schema()) + "." + table;
  }
}
