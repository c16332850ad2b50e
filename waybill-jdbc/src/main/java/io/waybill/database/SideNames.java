package io.waybill.database;

import io.waybill.internal.sql.Identifiers;
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
          "session",
          "lane",
          "row_state",
          "row_context",
          "held",
          "request",
          "audit",
          "destination",
          "job",
          "job_event",
          "note",
          "rollup",
          "login");

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
}
