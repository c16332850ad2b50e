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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How a PostgreSQL is set up, whatever its tables. */
final class PostgresServerChecks {
  private static final int OLDEST_VERSION = 140_000;
  private static final String RELOAD = "; select pg_reload_conf()";

  /** Whether a session is idle that long is up to the writers. */
  private static final long LEAST_IDLE_MILLIS = 60_000;

  /** A settlement of thousands of rows on a slow disk. */
  private static final long LEAST_TRANSACTION_MILLIS = 5_000;

  private static final long LEAST_LOCK_WAIT_MILLIS = 1_000;

  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, String> settings = new HashMap<>();
  private final Map<String, String> given = new HashMap<>();

  private PostgresServerChecks() {}

  static List<Finding> run(Connection connection) throws SQLException {
    PostgresServerChecks checks = new PostgresServerChecks();
    checks.read(connection);
    checks.writable();
    checks.durability();
    checks.identity();
    checks.upkeep();
    checks.sessionLimits();
    checks.findings.addAll(PostgresClusterChecks.run(connection, checks.settings));
    return checks.findings;
  }

  private void read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PostgresCatalogue.settings());
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        settings.put(result.getString(1), result.getString(2));
        given.put(result.getString(1), result.getString(3));
      }
    }
  }

  private boolean is(String name, String value) {
    return value.equals(settings.get(name));
  }

  private void found(Check check, String name, String detail, String remedy) {
    findings.add(
        new Finding(check, name, detail + " (" + name + " = " + settings.get(name) + ")", remedy));
  }

  /** A database's or the server's setting gives way to that of the role. */
  private String alterRole(String name, String value) {
    return "alter role " + role() + " set " + name + " = " + value;
  }

  private String role() {
    return Identifiers.shown(String.valueOf(settings.get("role")));
  }

  private void writable() {
    String version = settings.getOrDefault("server_version_num", "0");
    if (Integer.parseInt(version) < OLDEST_VERSION) {
      findings.add(
          new Finding(
              Check.POSTGRESQL_TOO_OLD,
              "server version",
              "The server is older than PostgreSQL 14: version " + version,
              "PostgreSQL 14 or later"));
    }
    if (is("in_recovery", "on")) {
      findings.add(
          new Finding(
              Check.POSTGRESQL_STANDBY,
              "standby",
              "The server is a standby and accepts no writes",
              "targetServerType=primary in the JDBC URL"));
    }
    if (is("default_transaction_read_only", "on")) {
      found(
          Check.POSTGRESQL_READ_ONLY,
          "default_transaction_read_only",
          "Transactions are read-only",
          alterRole("default_transaction_read_only", "off"));
    }
    if (!is("server_encoding", "UTF8")) {
      found(
          Check.POSTGRESQL_ENCODING,
          "server_encoding",
          "The database cannot hold every character of names and headers",
          "create database <name> encoding 'UTF8' template template0");
    }
  }

  private void identity() {
    if (is("identity_shown", "off")) {
      findings.add(
          new Finding(
                  Check.POSTGRESQL_IDENTITY_HIDDEN,
                  "pg_control_system()",
                  "The relay may not see which server it is: it recognises a copy of the database on"
                      + " another server only by timeline, database number, the log's position and the"
                      + " renewals of the relay's session",
                  "grant execute on function pg_catalog.pg_control_system() to " + role())
              .runnable());
    }
  }

  private void durability() {
    if (is("fsync", "off")) {
      found(
          Check.POSTGRESQL_FSYNC_OFF,
          "fsync",
          "A crash of the machine can lose or corrupt committed events",
          "alter system set fsync = on" + RELOAD);
    }
    if (is("full_page_writes", "off")) {
      found(
          Check.POSTGRESQL_FULL_PAGE_WRITES_OFF,
          "full_page_writes",
          "A crash of the machine can corrupt committed events",
          "alter system set full_page_writes = on" + RELOAD);
    }
    if ("off".equals(given.get("synchronous_commit"))) {
      findings.add(
          new Finding(
                  Check.POSTGRESQL_SYNCHRONOUS_COMMIT_OFF,
                  "synchronous_commit",
                  "By default transactions commit asynchronously (synchronous_commit = off): events"
                      + " that a crash undoes are neither published nor written. The relay's own"
                      + " sessions commit synchronously",
                  "alter system set synchronous_commit = on" + RELOAD)
              .runnable());
    }
    for (String name : List.of("zero_damaged_pages", "ignore_checksum_failure")) {
      if (is(name, "on")) {
        found(
            Check.POSTGRESQL_DAMAGED_PAGES_TAKEN,
            name,
            "Events on a page that the disk damaged vanish without an error",
            alterRole(name, "off"));
      }
    }
  }

  private void upkeep() {
    for (String name : List.of("autovacuum", "track_counts")) {
      if (is(name, "off")) {
        found(
            Check.POSTGRESQL_AUTOVACUUM_OFF,
            name,
            "The remains of published events are never removed: reads become slower and"
                + " slower",
            "alter system set " + name + " = on" + RELOAD);
      }
    }
    if (is("enable_indexscan", "off")) {
      found(
          Check.POSTGRESQL_INDEX_SCANS_OFF,
          "enable_indexscan",
          "Each read looks at all rows of the table",
          alterRole("enable_indexscan", "on"));
    }
  }

  private void sessionLimits() {
    limit(
        Check.POSTGRESQL_IDLE_SESSIONS_ENDED,
        "idle_session_timeout",
        LEAST_IDLE_MILLIS,
        "The server ends sessions that wait for the next event");
    limit(
        Check.POSTGRESQL_TRANSACTIONS_CUT,
        "transaction_timeout",
        LEAST_TRANSACTION_MILLIS,
        "The server ends transactions that settle many events");
    limit(
        Check.POSTGRESQL_LOCK_WAITS_CUT,
        "lock_timeout",
        LEAST_LOCK_WAIT_MILLIS,
        "Statements that wait for another session fail");
  }

  private void limit(Check check, String name, long least, String detail) {
    // A version may not have it.
    long millis = Long.parseLong(settings.getOrDefault(name, "0"));
    if (millis > 0 && millis < least) {
      found(check, name, detail + ", in milliseconds", alterRole(name, Long.toString(least)));
    }
  }
}
