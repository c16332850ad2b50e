package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.MySqlCatalogue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Tables on MySQL and MariaDB. Each statement there commits by itself, so the scripts can be run
 * again from any point.
 */
final class MySqlSchemaDialect implements SchemaDialect {
  private static final int EXCLUSIVE_SECONDS = 600;
  private static final Pattern END = Pattern.compile(";\n");
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final String LOCK = "waybill schema";

  private final DatabaseKind kind;

  MySqlSchemaDialect(DatabaseKind kind) {
    this.kind = kind;
  }

  /** Compares every byte, trailing blanks too; each product has its own name for it. */
  static String collation(DatabaseKind kind) {
    return kind == DatabaseKind.MARIADB ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
  }

  @Override
  public String folder() {
    return "mysql";
  }

  @Override
  public String quote(String what, String identifier) {
    return MySqlCatalogue.quoteOnServer(what, identifier);
  }

  @Override
  public String fill(String script) {
    return script.replace(
        "${table_options}", "engine = InnoDB character set utf8mb4 collate " + collation(kind));
  }

  @Override
  public List<String> statements(String script) {
    return END.splitAsStream(script).filter(part -> !part.isBlank()).toList();
  }

  @Override
  public String versionTable() {
    return """
    create table if not exists ${schema}.${versions} (
      version int not null,
      script varchar(255) not null,
      applied_at datetime(6) not null default (utc_timestamp(6)),
      constraint ${versions}_pkey primary key (version)
    ) ${table_options}""";
  }

  @Override
  public String schemaExists() {
    return "select 1 from information_schema.schemata where schema_name = ?";
  }

  @Override
  public int exclusively(Connection connection, Work work) throws SQLException {
    lock(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set @waybill_lock_wait = @@session.lock_wait_timeout");
      statement.execute("set session lock_wait_timeout = " + LOCK_SECONDS);
      try {
        return SchemaDialect.again(e -> e.getErrorCode() == LOCK_WAIT_TIMEOUT, work);
      } finally {
        statement.execute("set session lock_wait_timeout = @waybill_lock_wait");
      }
    } finally {
      try (Statement statement = connection.createStatement()) {
        statement.execute("do release_lock('" + LOCK + "')");
      }
    }
  }

  private static void lock(Connection connection) throws SQLException {
    String sql = "select get_lock('" + LOCK + "', " + EXCLUSIVE_SECONDS + ")";
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      if (result.getInt(1) != 1) {
        throw new SQLException(
            "Another session has been changing the tables for " + EXCLUSIVE_SECONDS + " s",
            "40001");
      }
    }
  }

  @Override
  public PreparedStatement things(Connection connection, String schema) throws SQLException {
    return connection.prepareStatement(new MySqlCatalogue(schema).things());
  }

  @Override
  public String dropIndex(String schema, String table, String index) {
    return "alter table " + schema + "." + table + " drop key " + index + "; ";
  }

  @Override
  public String validate(String constraint, String definition) {
    return "add " + definition + ";";
  }
}
