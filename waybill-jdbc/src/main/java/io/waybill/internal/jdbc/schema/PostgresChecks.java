package io.waybill.internal.jdbc.schema;

import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.kernel.AuditColumns;
import io.waybill.internal.jdbc.kernel.PostgresCatalogue;
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
import java.util.TreeMap;

/** Looks, before a relay starts, for everything in the database that could hurt events. */
public final class PostgresChecks {
  private static final String OUTBOX = "waybill_outbox";
  private static final String AUDIT = "waybill_audit";
  private static final Set<String> ALL = Set.of("SELECT", "INSERT", "UPDATE", "DELETE");
  private static final Map<String, Set<String>> PRIVILEGES =
      new TreeMap<>(
          Map.of(
              "waybill_outbox",
              Set.of("SELECT", "DELETE"),
              "waybill_session",
              ALL,
              "waybill_lane",
              Set.of("SELECT", "UPDATE"),
              "waybill_row_state",
              ALL,
              "waybill_held",
              ALL,
              "waybill_published",
              ALL,
              AUDIT,
              Set.of("SELECT", "INSERT", "UPDATE"),
              "waybill_request",
              ALL,
              "waybill_destination",
              ALL));

  private final SchemaOptions options;
  private final PostgresCatalogue catalogue;

  public PostgresChecks(SchemaOptions options) {
    this.options = options;
    this.catalogue = new PostgresCatalogue(options.schema());
  }

  public List<Finding> run(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>(PostgresServerChecks.run(connection));
    List<Finding> schema =
        new SchemaCheck(new PostgresSchemaDialect(), options, ScriptSet.OUTBOX).run(connection);
    findings.addAll(schema);
    if (schema.stream().noneMatch(f -> f.severity() == Finding.Severity.REFUSE)) {
      findings.addAll(hazards(connection));
      List<Finding> privileges = privileges(connection);
      findings.addAll(privileges);
      if (privileges.isEmpty()) {
        findings.addAll(state(connection));
      }
    }
    return findings;
  }

  private List<Finding> hazards(Connection connection) throws SQLException {
    List<TableName> beside =
        PRIVILEGES.keySet().stream()
            .filter(table -> !table.equals(OUTBOX))
            .map(table -> new TableName(options.schema(), table))
            .toList();
    return new TableHazards(new TableName(options.schema(), OUTBOX), true, true, beside)
        .onPostgres(connection);
  }

  private List<Finding> privileges(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    String schema = "\"" + options.schema() + "\".";
    for (Map.Entry<String, Set<String>> table : PRIVILEGES.entrySet()) {
      for (String privilege : table.getValue().stream().sorted().toList()) {
        if (!granted(connection, table.getKey(), privilege)) {
          findings.add(
              new Finding(
                  Check.PRIVILEGE_MISSING,
                  "table " + table.getKey(),
                  "The relay's role has no privilege " + privilege,
                  "grant "
                      + (table.getKey().equals(AUDIT) ? AuditColumns.granted(privilege) : privilege)
                      + " on "
                      + schema
                      + table.getKey()
                      + " to <relay role>"));
        }
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(catalogue.sequencePrivilege());
        ResultSet result = statement.executeQuery()) {
      result.next();
      if (!result.getBoolean(1)) {
        findings.add(
            new Finding(
                Check.PRIVILEGE_MISSING,
                "sequence waybill_outbox_id_seq",
                "The relay's role has no privilege SELECT",
                "grant select on sequence " + schema + "waybill_outbox_id_seq to <relay role>"));
      }
    }
    return findings;
  }

  private boolean granted(Connection connection, String table, String privilege)
      throws SQLException {
    // Who asked is for the database alone to say: of the audit only other columns are granted.
    String query = table.equals(AUDIT) ? catalogue.columnPrivilege() : catalogue.privilege();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, table);
      statement.setString(2, privilege);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() && result.getBoolean(1);
      }
    }
  }

  private List<Finding> state(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(catalogue.state());
        ResultSet result = statement.executeQuery()) {
      result.next();
      if (result.getBoolean(1)) {
        findings.add(
            new Finding(
                Check.POSTGRESQL_ROWS_OF_ANOTHER_SERVER,
                "table waybill_outbox",
                "Rows come from transactions that this server has not seen yet: it was restored"
                    + " from another server, and they would never be read",
                catalogue.restamp()));
      }
      int lanes = result.getInt(2);
      boolean complete = result.getInt(3) == lanes - 1;
      String expression = result.getString(4);
      boolean divided = expression.contains("% (" + lanes + ")::bigint");
      if (!complete || !divided) {
        findings.add(
            new Finding(
                Check.LANES_INCOMPLETE,
                "table waybill_lane",
                "It has " + lanes + " lanes, but rows are assigned to lanes by " + expression,
                "insert or delete lanes in waybill_lane until they are 0 to the divisor less 1"));
      }
    }
    return findings;
  }
}
