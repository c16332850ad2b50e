package io.waybill.jdbc;

import io.waybill.jdbc.dialect.PostgresCatalogue;
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
final class PostgresChecks {
  private static final int OLDEST_VERSION = 140_000;
  private static final Set<String> ALL = Set.of("SELECT", "INSERT", "UPDATE", "DELETE");
  private static final Map<String, Set<String>> PRIVILEGES =
      new TreeMap<>(
          Map.of(
              "waybill_outbox", Set.of("SELECT", "DELETE"),
              "waybill_session", ALL,
              "waybill_lane", Set.of("SELECT", "UPDATE"),
              "waybill_row_state", ALL,
              "waybill_held", ALL,
              "waybill_published", ALL,
              "waybill_audit", ALL,
              "waybill_request", ALL,
              "waybill_destination", ALL));

  private final SchemaOptions options;
  private final PostgresCatalogue catalogue;

  PostgresChecks(SchemaOptions options) {
    this.options = options;
    this.catalogue = new PostgresCatalogue(options.schema());
  }

  List<Finding> run(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>(server(connection));
    List<Finding> schema = new SchemaCheck(new PostgresSchemaDialect(), options).run(connection);
    findings.addAll(schema);
    if (schema.isEmpty()) {
      List<Finding> privileges = privileges(connection);
      findings.addAll(privileges);
      if (privileges.isEmpty()) {
        findings.addAll(state(connection));
      }
    }
    return findings;
  }

  /** How a server is set up, whatever its tables. */
  static List<Finding> server(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(PostgresCatalogue.server());
        ResultSet result = statement.executeQuery()) {
      result.next();
      if (result.getInt(1) < OLDEST_VERSION) {
        findings.add(
            Finding.refuse(
                "server version",
                "The server is older than PostgreSQL 14: version " + result.getInt(1),
                "PostgreSQL 14 or later"));
      }
      if (result.getBoolean(2)) {
        findings.add(
            Finding.refuse(
                "standby",
                "The server is a standby and takes no writes",
                "targetServerType=primary in the JDBC URL"));
      }
      if (result.getBoolean(3)) {
        findings.add(
            Finding.refuse(
                "default_transaction_read_only",
                "Transactions are read-only (default_transaction_read_only = on)",
                "alter role current_user set default_transaction_read_only = off"));
      }
      durability(result, findings);
      if (!"UTF8".equals(result.getString(7))) {
        findings.add(
            Finding.refuse(
                "server_encoding",
                "The database cannot hold every character of names and headers"
                    + " (server_encoding = "
                    + result.getString(7)
                    + ")",
                "create database <name> encoding 'UTF8' template template0"));
      }
    }
    return findings;
  }

  private static void durability(ResultSet result, List<Finding> findings) throws SQLException {
    if (!result.getBoolean(4)) {
      findings.add(
          Finding.refuse(
              "fsync",
              "A crash of the machine can lose or corrupt committed events (fsync = off)",
              "alter system set fsync = on; select pg_reload_conf()"));
    }
    if (!result.getBoolean(5)) {
      findings.add(
          Finding.refuse(
              "full_page_writes",
              "A crash of the machine can corrupt committed events (full_page_writes = off)",
              "alter system set full_page_writes = on; select pg_reload_conf()"));
    }
    if ("off".equals(result.getString(6))) {
      findings.add(
          Finding.warn(
              "synchronous_commit",
              "By default transactions commit asynchronously (synchronous_commit = off): events"
                  + " that a crash undoes are not published, and not written either. The relay's"
                  + " own sessions commit synchronously",
              "alter system set synchronous_commit = on; select pg_reload_conf()"));
    }
  }

  private List<Finding> privileges(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    String schema = "\"" + options.schema() + "\".";
    for (Map.Entry<String, Set<String>> table : PRIVILEGES.entrySet()) {
      for (String privilege : table.getValue().stream().sorted().toList()) {
        if (!granted(connection, table.getKey(), privilege)) {
          findings.add(
              Finding.refuse(
                  "table " + table.getKey(),
                  "The relay's role has no privilege " + privilege,
                  "grant " + privilege + " on " + schema + table.getKey() + " to <relay role>"));
        }
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(catalogue.sequencePrivilege());
        ResultSet result = statement.executeQuery()) {
      result.next();
      if (!result.getBoolean(1)) {
        findings.add(
            Finding.refuse(
                "sequence waybill_outbox_id_seq",
                "The relay's role has no privilege SELECT",
                "grant select on sequence " + schema + "waybill_outbox_id_seq to <relay role>"));
      }
    }
    return findings;
  }

  private boolean granted(Connection connection, String table, String privilege)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(catalogue.privilege())) {
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
            Finding.refuse(
                "table waybill_outbox",
                "Rows come from transactions that this server has not seen yet:"
                    + " it was restored from another one, and they would never be read",
                catalogue.restamp()));
      }
      int lanes = result.getInt(2);
      boolean complete = result.getInt(3) == lanes - 1;
      String expression = result.getString(4);
      boolean divided = expression.contains("% (" + lanes + ")::bigint");
      if (!complete || !divided) {
        findings.add(
            Finding.refuse(
                "table waybill_lane",
                "It has " + lanes + " lanes, but rows are given lanes by " + expression,
                "insert or delete lanes in waybill_lane so that they are 0 to the divisor less 1"));
      }
    }
    return findings;
  }
}
