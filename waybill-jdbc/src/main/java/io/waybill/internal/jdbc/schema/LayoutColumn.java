package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableCatalogue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A column as the catalogue has it.
 *
 * @param name its name
 * @param type name of its type, in lower case
 * @param nullable whether rows may have null
 * @param defaultValue text of its default, or null
 * @param collation what compares its values, if anything but their bytes counts; else null
 * @param words quoted words of an enumeration, or null
 * @param length most characters, or 0 if there is no such limit
 * @param characters a character set that lacks characters, or null
 * @param changing whether an update of the row changes it by itself
 * @param precision decimals of a time's seconds, or null if it is no time
 */
public record LayoutColumn(
    String name,
    String type,
    boolean nullable,
    @Nullable String defaultValue,
    @Nullable String collation,
    @Nullable String words,
    long length,
    @Nullable String characters,
    boolean changing,
    @Nullable Integer precision) {
  /** The columns of a table by name; none if there is no such table. */
  public static Map<String, LayoutColumn> of(
      Connection connection, SqlDialect dialect, String schema, String table) throws SQLException {
    // Names that differ in case only are the same to MySQL, and to whoever wrote the layout.
    Map<String, LayoutColumn> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    try (PreparedStatement statement =
        connection.prepareStatement(TableCatalogue.columns(dialect))) {
      statement.setString(1, schema);
      statement.setString(2, table);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          LayoutColumn column = read(result);
          columns.put(column.name(), column);
        }
      }
    }
    return columns;
  }

  private static LayoutColumn read(ResultSet result) throws SQLException {
    int decimals = result.getInt(10);
    Integer precision = result.wasNull() ? null : decimals;
    return new LayoutColumn(
        result.getString(1),
        result.getString(2).toLowerCase(Locale.ROOT),
        "YES".equals(result.getString(3)),
        result.getString(4),
        result.getString(5),
        result.getString(6),
        result.getLong(7),
        result.getString(8),
        result.getBoolean(9),
        precision);
  }

  /** Whether the type is a time that does not say of which zone. */
  boolean withoutZone(boolean mySql) {
    return type.equals(mySql ? "datetime" : "timestamp");
  }

  /** Whether the default is the wall clock of the writer's session. */
  boolean defaultsToLocalTime() {
    String value = defaultValue == null ? "" : defaultValue.toLowerCase(Locale.ROOT);
    boolean clock =
        value.contains("now(")
            || value.contains("localtime")
            || value.contains("current_timestamp")
            || value.contains("clock_timestamp")
            || value.contains("statement_timestamp");
    return clock && !value.contains("utc");
  }

  /** Whether the default is the same for all rows of a transaction, on PostgreSQL. */
  boolean defaultsToStartOfTransaction() {
    String value = defaultValue == null ? "" : defaultValue.toLowerCase(Locale.ROOT);
    return value.contains("now(")
        || value.contains("current_timestamp")
        || value.contains("localtimestamp")
        || value.contains("transaction_timestamp");
  }
}
