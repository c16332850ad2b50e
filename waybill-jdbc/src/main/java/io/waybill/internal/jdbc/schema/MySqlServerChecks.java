package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.MySqlCatalogue;
import io.waybill.internal.sql.MySqlLogIn;
import io.waybill.message.EventLimits;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a MySQL or MariaDB server is set up. */
final class MySqlServerChecks {
  private static final Pattern VERSION =
      Pattern.compile("(?:5\\.5\\.5-)?(\\d+)\\.(\\d+)\\.(\\d+).*");

  private static final String NO_LIMIT = "18446744073709551615";
  private static final long LEAST_WAIT_SECONDS = 60;

  /** The largest event, its headers and the statement around it; servers count in 1024. */
  private static final long LEAST_PACKET =
      (65_536L
              + EventLimits.ofDefaults().maxPayloadBytes()
              + EventLimits.ofDefaults().maxHeadersBytes())
          / 1024
          * 1024;

  /** What a relay opens. */
  private static final int CONNECTIONS = 3;

  private final MySqlCatalogue catalogue;
  private final DatabaseKind kind;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, String> settings = new TreeMap<>();

  MySqlServerChecks(MySqlCatalogue catalogue, DatabaseKind kind) {
    this.catalogue = catalogue;
    this.kind = kind;
  }

  List<Finding> run(Connection connection) throws SQLException {
    if (selectsCut(connection)) {
      // What is read further would be a part of it.
      return findings;
    }
    read(connection);
    version();
    writable();
    durability();
    binaryLog();
    strictness();
    session();
    connections(connection);
    if (kind == DatabaseKind.MYSQL) {
      findings.addAll(MySqlLogIn.remembered(connection));
    }
    findings.addAll(MySqlReplication.run(connection, catalogue.replicas(), settings));
    return findings;
  }

  /** Whether queries return a part of the rows, so that what is found further means nothing. */
  static boolean cut(List<Finding> findings) {
    return findings.stream().anyMatch(f -> f.check() == Check.MYSQL_SELECTS_CUT);
  }

  private boolean selectsCut(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(catalogue.selectLimit());
        ResultSet result = statement.executeQuery()) {
      settings.put("sql_select_limit", result.next() ? result.getString(1) : NO_LIMIT);
    }
    if (setting("sql_select_limit").equals(NO_LIMIT)) {
      return false;
    }
    found(
        Check.MYSQL_SELECTS_CUT,
        "sql_select_limit",
        "Queries return only part of the rows: the relay would miss lanes and events",
        "set global sql_select_limit = " + NO_LIMIT);
    return true;
  }

  private void read(Connection connection) throws SQLException {
    for (String query : List.of(catalogue.settings(), catalogue.sessionSettings())) {
      try (PreparedStatement statement = connection.prepareStatement(query);
          ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          settings.put(result.getString(1).toLowerCase(Locale.ROOT), result.getString(2));
        }
      }
    }
  }

  private String setting(String name) {
    return settings.getOrDefault(name, "");
  }

  private boolean on(String name) {
    String value = setting(name);
    return value.equalsIgnoreCase("ON") || value.equals("1");
  }

  /** A number, or none if there is no such setting. */
  private OptionalLong number(String name) {
    String value = setting(name);
    return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseUnsignedLong(value));
  }

  private void found(Check check, String name, String detail, String remedy) {
    findings.add(
        new Finding(check, name, detail + " (" + name + " = " + setting(name) + ")", remedy));
  }

  private void version() {
    int oldest = kind == DatabaseKind.MARIADB ? 100_600 : 80_017;
    String name = kind == DatabaseKind.MARIADB ? "MariaDB 10.6" : "MySQL 8.0.17";
    Matcher matcher = VERSION.matcher(setting("version"));
    if (matcher.matches() && number(matcher) < oldest) {
      findings.add(
          new Finding(
              Check.MYSQL_TOO_OLD,
              "server version",
              "The server is older than " + name + ": version " + setting("version"),
              name + " or later"));
    }
  }

  private static int number(Matcher version) {
    return Integer.parseInt(version.group(1)) * 10_000
        + Integer.parseInt(version.group(2)) * 100
        + Integer.parseInt(version.group(3));
  }

  private void writable() {
    for (String name : List.of("read_only", "super_read_only", "innodb_read_only")) {
      if (on(name)) {
        findings.add(
            new Finding(
                Check.MYSQL_READ_ONLY,
                name,
                "The server accepts no writes, like a replica (" + name + " = on)",
                "the primary's address in the JDBC URL, or set global " + name + " = off"));
        return;
      }
    }
  }

  private void durability() {
    if (!setting("innodb_flush_log_at_trx_commit").equals("1")) {
      findings.add(
          new Finding(
                  Check.MYSQL_FLUSH_LOG_AT_COMMIT_OFF,
                  "innodb_flush_log_at_trx_commit",
                  "A crash can undo committed events that were published"
                      + " (innodb_flush_log_at_trx_commit = "
                      + setting("innodb_flush_log_at_trx_commit")
                      + ")",
                  "set global innodb_flush_log_at_trx_commit = 1")
              .runnable());
    }
    List<String> careless = List.of("nosync", "littlesync", "O_DIRECT_NO_FSYNC");
    if (careless.contains(setting("innodb_flush_method"))) {
      found(
          Check.MYSQL_DISK_NOT_AWAITED,
          "innodb_flush_method",
          "A crash of the machine can lose or corrupt committed events",
          "innodb_flush_method = O_DIRECT in the server's configuration");
    }
    if (number("innodb_force_recovery").orElse(0) > 0) {
      found(
          Check.MYSQL_FORCED_RECOVERY,
          "innodb_force_recovery",
          "The server skips data that it cannot read, including events, and may accept no writes",
          "innodb_force_recovery = 0 in the server's configuration");
    }
    if (setting("innodb_doublewrite").equalsIgnoreCase("OFF")) {
      findings.add(
          new Finding(
              Check.MYSQL_DOUBLEWRITE_OFF,
              "innodb_doublewrite",
              "A crash of the machine can corrupt committed events unless the file system writes"
                  + " whole pages (innodb_doublewrite = off)",
              "innodb_doublewrite = on in the server's configuration"));
    }
  }

  private void binaryLog() {
    if (!on("log_bin")) {
      return;
    }
    if (!setting("sync_binlog").equals("1")) {
      findings.add(
          new Finding(
                  Check.MYSQL_SYNC_BINLOG_OFF,
                  "sync_binlog",
                  "A crash of the machine can undo committed events that were published, since the"
                      + " binary log decides what is recovered (sync_binlog = "
                      + setting("sync_binlog")
                      + ")",
                  "set global sync_binlog = 1")
              .runnable());
    }
    if (setting("binlog_format").equalsIgnoreCase("STATEMENT")) {
      findings.add(
          new Finding(
                  Check.MYSQL_BINLOG_OF_STATEMENTS,
                  "binlog_format",
                  "The server refuses writes of sessions that are READ COMMITTED, as the relay's are"
                      + " (binlog_format = STATEMENT)",
                  "set global binlog_format = 'ROW'")
              .runnable());
    }
  }

  private void strictness() {
    for (String name : List.of("unique_checks", "foreign_key_checks")) {
      if (!setting(name).isEmpty() && !on(name)) {
        found(
            Check.MYSQL_KEYS_NOT_CHECKED,
            name,
            "Writers' sessions may store an event twice or break the tables",
            "set global " + name + " = on");
      }
    }
    String modes = setting("sql_mode");
    if (!modes.contains("STRICT_TRANS_TABLES") && !modes.contains("STRICT_ALL_TABLES")) {
      findings.add(
          new Finding(
                  Check.MYSQL_NOT_STRICT,
                  "sql_mode",
                  "Writers' sessions cut values that are too long instead of refusing them (sql_mode = '"
                      + modes
                      + "')",
                  "set global sql_mode = concat(@@global.sql_mode, ',STRICT_TRANS_TABLES')")
              .runnable());
    }
  }

  private void session() {
    if (!setting("character_set_client").equals("utf8mb4")) {
      found(
          Check.MYSQL_CONNECTION_CHARACTER_SET,
          "character_set_client",
          "The relay's connections cannot carry every character of names and headers",
          "utf8mb4 as the connection's character set in the JDBC URL");
    }
    for (String name : List.of("transaction_read_only", "tx_read_only")) {
      if (on(name)) {
        found(
            Check.MYSQL_TRANSACTIONS_READ_ONLY,
            name,
            "Transactions are read-only",
            "set global " + name + " = off");
        break;
      }
    }
    if (on("sql_safe_updates")) {
      found(
          Check.MYSQL_SAFE_UPDATES,
          "sql_safe_updates",
          "The server refuses changes for which it finds no key",
          "set global sql_safe_updates = off");
    }
    small(
        Check.MYSQL_IDLE_CONNECTIONS_ENDED,
        "wait_timeout",
        LEAST_WAIT_SECONDS,
        "The server ends connections that wait for the next event, after seconds");
    small(
        Check.MYSQL_PACKETS_TOO_SMALL,
        "max_allowed_packet",
        LEAST_PACKET,
        "The largest event cannot be written or read");
  }

  private void small(Check check, String name, long least, String detail) {
    OptionalLong value = number(name);
    if (value.isPresent() && value.getAsLong() < least) {
      found(check, name, detail, "set global " + name + " = " + least);
    }
  }

  private void connections(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(catalogue.connections());
        ResultSet result = statement.executeQuery()) {
      // The connection that asks is closed before the relay opens its own.
      long used = result.next() ? result.getLong(2) - 1 : 0;
      long limit = number("max_connections").orElse(Long.MAX_VALUE);
      if (limit - used < CONNECTIONS) {
        found(
            Check.MYSQL_CONNECTIONS_LOW,
            "max_connections",
            "A relay needs " + CONNECTIONS + " connections, and " + used + " are in use",
            "set global max_connections = " + (limit + 50));
      }
      long mine = number("max_user_connections").orElse(0);
      if (mine > 0 && mine < CONNECTIONS) {
        found(
            Check.MYSQL_CONNECTIONS_LOW,
            "max_user_connections",
            "A relay needs " + CONNECTIONS + " connections",
            "alter user <relay user> with max_user_connections 0");
      }
    }
  }
}
