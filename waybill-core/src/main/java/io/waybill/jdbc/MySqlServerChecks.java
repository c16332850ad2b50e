package io.waybill.jdbc;

import io.waybill.jdbc.dialect.MySqlCatalogue;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a MySQL or MariaDB server is set up. */
final class MySqlServerChecks {
  private static final Pattern VERSION =
      Pattern.compile("(?:5\\.5\\.5-)?(\\d+)\\.(\\d+)\\.(\\d+).*");

  private final MySqlCatalogue catalogue;
  private final DatabaseKind kind;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, String> settings = new TreeMap<>();

  MySqlServerChecks(MySqlCatalogue catalogue, DatabaseKind kind) {
    this.catalogue = catalogue;
    this.kind = kind;
  }

  List<Finding> run(Connection connection) throws SQLException {
    read(connection);
    version();
    writable();
    durability();
    binaryLog();
    strictness();
    characterSet(connection);
    return findings;
  }

  private void read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(catalogue.settings());
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        settings.put(result.getString(1).toLowerCase(Locale.ROOT), result.getString(2));
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

  private void version() {
    int oldest = kind == DatabaseKind.MARIADB ? 100_600 : 80_017;
    String name = kind == DatabaseKind.MARIADB ? "MariaDB 10.6" : "MySQL 8.0.17";
    Matcher matcher = VERSION.matcher(setting("version"));
    if (matcher.matches() && number(matcher) < oldest) {
      findings.add(
          Finding.refuse(
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
            Finding.refuse(
                name,
                "The server takes no writes, as a replica does (" + name + " = on)",
                "the primary's address in the JDBC URL, or set global " + name + " = off"));
        return;
      }
    }
  }

  private void durability() {
    if (!setting("innodb_flush_log_at_trx_commit").equals("1")) {
      findings.add(
          Finding.refuse(
              "innodb_flush_log_at_trx_commit",
              "A crash can undo committed events that were published"
                  + " (innodb_flush_log_at_trx_commit = "
                  + setting("innodb_flush_log_at_trx_commit")
                  + ")",
              "set global innodb_flush_log_at_trx_commit = 1"));
    }
    if (setting("innodb_doublewrite").equalsIgnoreCase("OFF")) {
      findings.add(
          Finding.warn(
              "innodb_doublewrite",
              "A crash of the machine can corrupt committed events unless the file system writes"
                  + " pages as a whole (innodb_doublewrite = off)",
              "innodb_doublewrite = on in the server's configuration"));
    }
  }

  private void binaryLog() {
    if (!on("log_bin")) {
      return;
    }
    if (!setting("sync_binlog").equals("1")) {
      findings.add(
          Finding.warn(
              "sync_binlog",
              "A crash of the machine can undo committed events that were published, as the binary"
                  + " log decides what is recovered (sync_binlog = "
                  + setting("sync_binlog")
                  + ")",
              "set global sync_binlog = 1"));
    }
    if (setting("binlog_format").equalsIgnoreCase("STATEMENT")) {
      findings.add(
          Finding.refuse(
              "binlog_format",
              "The server refuses writes of sessions that are READ COMMITTED, as the relay's are"
                  + " (binlog_format = STATEMENT)",
              "set global binlog_format = 'ROW'"));
    }
  }

  private void strictness() {
    String modes = setting("sql_mode");
    if (!modes.contains("STRICT_TRANS_TABLES") && !modes.contains("STRICT_ALL_TABLES")) {
      findings.add(
          Finding.warn(
              "sql_mode",
              "Writers' sessions cut values that are too long instead of refusing them (sql_mode = '"
                  + modes
                  + "')",
              "set global sql_mode = concat(@@global.sql_mode, ',STRICT_TRANS_TABLES')"));
    }
  }

  private void characterSet(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(catalogue.sessionCharacterSet());
        ResultSet result = statement.executeQuery()) {
      result.next();
      if (!"utf8mb4".equals(result.getString(1))) {
        findings.add(
            Finding.refuse(
                "character_set_client",
                "The relay's connections cannot carry every character of names and headers"
                    + " (character_set_client = "
                    + result.getString(1)
                    + ")",
                "utf8mb4 as the connection's character set in the JDBC URL"));
      }
    }
  }
}
