package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.kernel.PostgresCatalogue;
import io.waybill.internal.sql.Identifiers;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who else is at a PostgreSQL: connections, replicas, roles, the archive. */
final class PostgresClusterChecks {
  private static final String DENIED = "42501";

  /** What a relay opens. */
  private static final int CONNECTIONS = 3;

  private final Map<String, String> settings;
  private final List<Finding> findings = new ArrayList<>();

  private PostgresClusterChecks(Map<String, String> settings) {
    this.settings = settings;
  }

  static List<Finding> run(Connection connection, Map<String, String> settings)
      throws SQLException {
    PostgresClusterChecks checks = new PostgresClusterChecks(settings);
    try (PreparedStatement statement = connection.prepareStatement(PostgresCatalogue.cluster());
        ResultSet result = statement.executeQuery()) {
      if (result.next()) {
        checks.connections(result);
        checks.replicas(result);
        checks.writers((String[]) result.getArray("careless_roles").getArray());
        checks.archive(result.getString("failed_wal"));
      }
    } catch (SQLException e) {
      // A hardened server shows none of it.
      if (!DENIED.equals(e.getSQLState())) {
        throw e;
      }
    }
    return checks.findings;
  }

  private int number(String name) {
    return Integer.parseInt(settings.getOrDefault(name, "0"));
  }

  private void connections(ResultSet result) throws SQLException {
    int limit =
        number("max_connections")
            - number("superuser_reserved_connections")
            - number("reserved_connections");
    connections(
        "max_connections",
        limit,
        result.getInt("connections"),
        "alter system set max_connections = " + (number("max_connections") + 50) + ", and restart");
    String database = result.getString("database");
    connections(
        "database " + database,
        result.getInt("database_limit"),
        result.getInt("database_connections"),
        "alter database " + Identifiers.shown(database) + " connection limit -1");
    String role = result.getString("role");
    connections(
        "role " + role,
        result.getInt("role_limit"),
        result.getInt("role_connections"),
        "alter role " + Identifiers.shown(role) + " connection limit -1");
  }

  private void connections(String subject, int limit, int used, String remedy) {
    // The connection that asks is closed before the relay opens its own.
    int free = limit - used + 1;
    if (limit >= 0 && free < CONNECTIONS) {
      findings.add(
          new Finding(
              Check.POSTGRESQL_CONNECTIONS_LOW,
              subject,
              "A relay needs %d connections and only %d of %d are free"
                  .formatted(CONNECTIONS, Math.max(0, free), limit),
              remedy));
    }
  }

  private void replicas(ResultSet result) throws SQLException {
    if ("-1".equals(settings.get("max_slot_wal_keep_size"))) {
      for (String slot : (String[]) result.getArray("unused_slots").getArray()) {
        findings.add(
            new Finding(
                    Check.POSTGRESQL_SLOT_UNUSED,
                    "replication slot " + slot,
                    "It is not in use, and the server keeps its log for it without limit: a full disk"
                        + " accepts no events",
                    "select pg_drop_replication_slot('" + slot + "')")
                .runnable());
      }
    }
    int standbys = result.getInt("standbys");
    if (standbys > 0 && settings.getOrDefault("synchronous_standby_names", "").isBlank()) {
      findings.add(
          new Finding(
                  Check.POSTGRESQL_STANDBY_ASYNCHRONOUS,
                  "synchronous_standby_names",
                  "Standbys follow asynchronously: a failover can undo events that were published"
                      + " (standbys: "
                      + standbys
                      + ")",
                  "alter system set synchronous_standby_names = '*'; select pg_reload_conf()")
              .runnable());
    }
  }

  private void writers(String[] roles) {
    for (String role : roles) {
      findings.add(
          new Finding(
                  Check.POSTGRESQL_ROLE_COMMITS_ASYNCHRONOUSLY,
                  "role " + role,
                  "Its transactions commit asynchronously (synchronous_commit = off): a crash undoes"
                      + " events that were reported as written",
                  "alter role " + role + " reset synchronous_commit")
              .runnable());
    }
  }

  private void archive(@Nullable String failed) {
    if (failed != null) {
      findings.add(
          new Finding(
              Check.POSTGRESQL_ARCHIVING_FAILS,
              "archive_command",
              "The last segment of the log could not be archived ("
                  + failed
                  + "): the server keeps all segments since then, and a full disk accepts no"
                  + " events",
              "alter system set archive_command = '<one that works>'; select pg_reload_conf()"));
    }
  }
}
