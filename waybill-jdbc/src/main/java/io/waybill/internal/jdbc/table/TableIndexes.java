package io.waybill.internal.jdbc.table;

import io.waybill.database.DatabaseKind;
import io.waybill.layout.TableName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a table.
 *
 * @param all each of them
 */
public record TableIndexes(List<Index> all) {
  /**
   * An index.
   *
   * @param unique whether its columns are unique
   * @param columns names of its columns in their order, in lower case
   * @param filter condition of the rows that it has, or null if it has all
   */
  public record Index(boolean unique, List<String> columns, @Nullable String filter) {
    /** Whether these are its first columns. */
    public boolean startsWith(List<String> names) {
      return columns.size() >= names.size() && columns.subList(0, names.size()).equals(names);
    }
  }

  /** Whether an index has all rows in the order of these columns. */
  public boolean order(String... columns) {
    List<String> names = List.of(columns).stream().map(TableIndexes::lower).toList();
    return all.stream().anyMatch(index -> index.filter() == null && index.startsWith(names));
  }

  /** A name as the columns of indexes have it. */
  public static String lower(String text) {
    return text.toLowerCase(Locale.ROOT).replace("\"", "");
  }

  /** Reads them; a table without a schema is in that of the connection. */
  public static TableIndexes read(Connection connection, DatabaseKind kind, TableName table)
      throws SQLException {
    boolean mySql = kind != DatabaseKind.POSTGRESQL;
    String schema = table.schema();
    if (schema == null) {
      schema = mySql ? connection.getCatalog() : connection.getSchema();
    }
    Map<String, Index> indexes = new TreeMap<>();
    DatabaseMetaData meta = connection.getMetaData();
    try (ResultSet result =
        mySql
            ? meta.getIndexInfo(schema, null, table.name(), false, true)
            : meta.getIndexInfo(null, schema, table.name(), false, true)) {
      while (result.next()) {
        String column = result.getString("COLUMN_NAME");
        if (column == null) {
          continue;
        }
        boolean unique = !result.getBoolean("NON_UNIQUE");
        String filter = mySql ? null : result.getString("FILTER_CONDITION");
        indexes
            .computeIfAbsent(
                result.getString("INDEX_NAME"), n -> new Index(unique, new ArrayList<>(), filter))
            .columns()
            .add(lower(column));
      }
    }
    return new TableIndexes(List.copyOf(indexes.values()));
  }
}
