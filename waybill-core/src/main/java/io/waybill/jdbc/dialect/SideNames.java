package io.waybill.jdbc.dialect;

import io.waybill.layout.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names of an outbox's side tables: a schema and a prefix.
 *
 * @param schema plain name of the schema, or null for that of the connection
 * @param prefix prefix of the names
 */
public record SideNames(@Nullable String schema, String prefix) {
  /** Longest prefix that leaves room for the longest name of a constraint. */
  public static final int MAX_PREFIX = 36;

  private static final List<String> TABLES =
      List.of(
          "session", "lane", "row_state", "row_context", "held", "request", "audit", "destination");

  /** Checks both. */
  public SideNames {
    if (schema != null) {
      Identifiers.checkOnServer("schema", schema);
    }
    Identifiers.check("tables' prefix", prefix);
    if (prefix.length() > MAX_PREFIX) {
      throw new IllegalArgumentException(
          "The prefix of the outbox's side tables must be at most "
              + MAX_PREFIX
              + " characters, but is '"
              + prefix
              + "': set a shorter one");
    }
  }

  /**
   * The endings of the tables' names.
   *
   * @return parts after the prefix
   */
  public static List<String> tables() {
    return TABLES;
  }

  /**
   * The names for a layout: {@code waybill_} for Waybill's own table, {@code waybill_TABLE_} for
   * others, in the schema of the table.
   *
   * @param layout the layout
   * @return names
   */
  public static SideNames of(Layout layout) {
    String table = layout.table().name();
    boolean own = table.equals("waybill_outbox");
    return new SideNames(layout.table().schema(), own ? "waybill_" : "waybill_" + table + "_");
  }

  /**
   * Puts the names into a statement, in place of {@code ${session}}, {@code ${lane}}, {@code
   * ${row_state}}, {@code ${row_context}}, {@code ${held}}, {@code ${request}}, {@code ${audit}}
   * and {@code ${destination}}.
   *
   * @param dialect quotes the names
   * @param template statement with placeholders
   * @return statement
   */
  public String fill(SqlDialect dialect, String template) {
    String filled = template;
    for (String table : TABLES) {
      filled = filled.replace("${" + table + "}", table(dialect, table));
    }
    return filled;
  }

  /** Quoted name of one of the tables. */
  String table(SqlDialect dialect, String table) {
    String name = dialect.quote(prefix + table);
    return schema == null ? name : dialect.quote(schema) + "." + name;
  }
}
