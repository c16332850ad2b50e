package io.waybill.internal.jdbc.inbox;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.internal.jdbc.kernel.Dialects;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.schema.LayoutColumn;
import io.waybill.internal.jdbc.schema.TableChecks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the tables of an inbox, and refuses what it could not work on. */
public final class InboxCatalogue {
  private static final Logger LOG = LoggerFactory.getLogger(InboxCatalogue.class);
  private static final String ID = "event_id";
  private static final String TIME = "processed_at";
  private static final long UNBOUNDED = 255;
  private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar", "char", "uuid");
  private static final Map<String, Set<String>> OWN =
      Map.of(
          "waybill_inbox_deferred",
          Set.of("consumer", ID, "order_key", "behind", "due_at", "claimed_until", "body"),
          "waybill_inbox_attempt",
          Set.of("consumer", ID, "started", "finished", "started_at"),
          "waybill_inbox_consumer",
          Set.of("table_name", "consumer"),
          "waybill_inbox_lane",
          Set.of("consumer", "lane", "server", "done_before"));

  private final SqlDialect dialect;
  private final DatabaseKind kind;
  private final InboxTables tables;

  public InboxCatalogue(DatabaseKind kind, InboxTables tables) {
    this.kind = kind;
    this.dialect = Dialects.of(kind);
    this.tables = tables;
  }

  /** What was found. */
  public record Found(ProcessedTable processed, EventNames names) {}

  /**
   * Looks at the tables.
   *
   * @throws IllegalStateException if one is missing or unfit
   */
  public Found read(Connection connection) throws SQLException {
    String schema = TableChecks.schema(connection, kind, tables.table());
    for (Map.Entry<String, Set<String>> table : OWN.entrySet()) {
      needs(columns(connection, schema, table.getKey()), table.getKey(), table.getValue());
    }
    String name = tables.table().name();
    Map<String, LayoutColumn> columns = columns(connection, schema, name);
    needs(
        columns, name, tables.adopted() == null ? Set.of("consumer", ID, TIME) : Set.of(ID, TIME));
    if (tables.adopted() != null) {
      checkAdopted(connection, schema, columns);
    }
    return found(columns);
  }

  private Map<String, LayoutColumn> columns(Connection connection, String schema, String table)
      throws SQLException {
    Map<String, LayoutColumn> columns = LayoutColumn.of(connection, dialect, schema, table);
    if (columns.isEmpty()) {
      throw new IllegalStateException(
          "There is no table "
              + table
              + " in schema "
              + schema
              + ", or the user may not see it: waybill schema apply --inbox creates it, waybill"
              + " schema print --inbox --grants prints the privileges");
    }
    return columns;
  }

  private static void needs(Map<String, LayoutColumn> columns, String table, Set<String> needed) {
    for (String column : needed) {
      if (!columns.containsKey(column)) {
        throw new IllegalStateException(
            "The table "
                + table
                + " of the inbox must have a column "
                + column
                + ", but has "
                + columns.keySet());
      }
    }
  }

  private void checkAdopted(Connection connection, String schema, Map<String, LayoutColumn> columns)
      throws SQLException {
    String name = tables.table().name();
    if (columns.containsKey("consumer")) {
      throw new IllegalStateException(
          "The table "
              + name
              + " has a column consumer: it is a table for several consumers, not one of event_id"
              + " and processed_at for one consumer");
    }
    LayoutColumn id = column(columns, ID);
    boolean fits = id.length() == 0 || id.length() >= EventNames.DIGEST_LENGTH;
    if (!TEXTS.contains(id.type()) || !fits) {
      throw new IllegalStateException(
          "The column event_id of "
              + name
              + " must be a UUID or a text of at least "
              + EventNames.DIGEST_LENGTH
              + " characters, but is a "
              + id.type()
              + (id.length() > 0 ? " of " + id.length() : ""));
    }
    if (!isUnique(connection, schema)) {
      throw new IllegalStateException(
          "The table "
              + name
              + " must have event_id alone as its primary key or a unique key: without one, copies"
              + " that arrive at the same time are both processed");
    }
    if (!hasIndexOnTime(connection, schema)) {
      LOG.warn(
          "The table {} has no index that begins with {}: each deletion of old events reads all of"
              + " it. To fix it: create index {}_processed_at_idx on {} (processed_at)",
          name,
          TIME,
          name,
          name);
    }
  }

  private boolean isUnique(Connection connection, String schema) throws SQLException {
    Map<String, Set<String>> keys = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(dialect.uniqueKeys())) {
      statement.setString(1, schema);
      statement.setString(2, tables.table().name());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          keys.computeIfAbsent(result.getString(1), key -> new HashSet<>())
              .add(result.getString(2));
        }
      }
    }
    return keys.containsValue(Set.of(ID));
  }

  private boolean hasIndexOnTime(Connection connection, String schema) throws SQLException {
    boolean postgres = kind == DatabaseKind.POSTGRESQL;
    String catalogue = postgres ? null : schema;
    String within = postgres ? schema : null;
    try (ResultSet indexes =
        connection
            .getMetaData()
            .getIndexInfo(catalogue, within, tables.table().name(), false, true)) {
      while (indexes.next()) {
        if (TIME.equals(indexes.getString("COLUMN_NAME"))
            && indexes.getInt("ORDINAL_POSITION") == 1) {
          return true;
        }
      }
      return false;
    }
  }

  private Found found(Map<String, LayoutColumn> columns) {
    String schema = tables.schema();
    String table = dialect.quote(tables.table().name());
    LayoutColumn id = column(columns, ID);
    boolean uuid = id.type().equals("uuid");
    ProcessedTable processed =
        new ProcessedTable(
            schema == null ? table : dialect.quote(schema) + "." + table,
            tables.adopted() == null,
            id.type(),
            length(columns.get("event_type")),
            length(columns.get("source")),
            timeType(column(columns, TIME)));
    return new Found(processed, new EventNames(uuid, id.collation() != null, id.length()));
  }

  private static LayoutColumn column(Map<String, LayoutColumn> columns, String name) {
    LayoutColumn column = columns.get(name);
    if (column == null) {
      throw new IllegalStateException("There is no column " + name);
    }
    return column;
  }

  private static long length(@Nullable LayoutColumn column) {
    if (column == null) {
      return 0;
    }
    return column.length() == 0 ? UNBOUNDED : Math.min(UNBOUNDED, column.length());
  }

  private String timeType(LayoutColumn time) {
    return switch (time.type()) {
      case "timestamptz" -> "timestamp with time zone";
      case "timestamp", "datetime" -> time.type();
      default ->
          throw new IllegalStateException(
              "The column processed_at of "
                  + tables.table().name()
                  + " must be a timestamp, but is a "
                  + time.type());
    };
  }
}
