package io.waybill.internal.jdbc.kernel;

import io.waybill.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The columns of one table according to the catalogue. Immutable. */
public final class TableColumns {
  private final Map<String, Column> columns;
  private final Map<String, Set<String>> uniqueKeys;

  /**
   * A column.
   *
   * @param name plain name
   * @param type type as the database writes it, for example {@code bigint} or {@code char(36)}
   * @param maxChars most characters of a text, 0 without a bound
   * @param maxBytes most bytes of a text, 0 without a bound
   * @param nullable whether it can be null
   * @param defaulted whether the database supplies an omitted value
   * @param generated whether nobody else may supply one
   */
  public record Column(
      String name,
      String type,
      long maxChars,
      long maxBytes,
      boolean nullable,
      boolean defaulted,
      boolean generated) {}

  private TableColumns(Map<String, Column> columns, Map<String, Set<String>> uniqueKeys) {
    this.columns = columns;
    this.uniqueKeys = uniqueKeys;
  }

  /**
   * Queries the catalogue, which needs no right to read the table.
   *
   * @param connection connection
   * @param dialect the database's dialect
   * @param table the table
   * @return its columns; none if the connection sees no such table
   * @throws SQLException when the database refuses
   */
  public static TableColumns read(Connection connection, SqlDialect dialect, TableName table)
      throws SQLException {
    Map<String, Column> columns = new LinkedHashMap<>();
    try (PreparedStatement statement = prepare(connection, dialect.columns(), table);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        Column column =
            new Column(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getLong(4),
                row.getBoolean(5),
                row.getBoolean(6),
                row.getBoolean(7));
        columns.put(column.name(), column);
      }
    }
    return new TableColumns(columns, uniqueKeys(connection, dialect, table));
  }

  private static Map<String, Set<String>> uniqueKeys(
      Connection connection, SqlDialect dialect, TableName table) throws SQLException {
    Map<String, List<String>> byKey = new HashMap<>();
    try (PreparedStatement statement = prepare(connection, dialect.uniqueKeys(), table);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        byKey.computeIfAbsent(row.getString(1), key -> new ArrayList<>()).add(row.getString(2));
      }
    }
    Map<String, Set<String>> byColumn = new HashMap<>();
    byKey.forEach(
        (key, parts) -> {
          if (parts.size() == 1) {
            byColumn.computeIfAbsent(parts.get(0), column -> new HashSet<>()).add(key);
          }
        });
    return byColumn;
  }

  private static PreparedStatement prepare(Connection connection, String sql, TableName table)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setString(1, table.schema());
    statement.setString(2, table.name());
    return statement;
  }

  /**
   * Finds a column.
   *
   * @param name plain name
   * @return the column, or null if there is none
   */
  public @Nullable Column column(@Nullable String name) {
    return columns.get(name);
  }

  /**
   * All columns that the connection sees.
   *
   * @return columns
   */
  public List<Column> all() {
    return List.copyOf(columns.values());
  }

  /**
   * Whether the connection sees no such table.
   *
   * @return true without columns
   */
  public boolean isEmpty() {
    return columns.isEmpty();
  }

  /**
   * Names of the unique keys on one column alone.
   *
   * @param column plain name
   * @return names in the form of error messages
   */
  public Set<String> uniqueKeys(@Nullable String column) {
    return uniqueKeys.getOrDefault(column, Set.of());
  }
}
