package io.waybill.database;

import io.waybill.internal.sql.Identifiers;
import io.waybill.layout.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The tables that an inbox works on. Waybill's own {@code processed_events} has room for any number
 * of consumers. An adopted table of {@code event_id, processed_at}, optionally {@code event_type,
 * source}, has room for one consumer. The side tables are {@code waybill_inbox_deferred}, {@code
 * waybill_inbox_attempt}, {@code waybill_inbox_consumer} and {@code waybill_inbox_lane}.
 *
 * @param schema plain name of the schema of all of them, or null for that of the connection
 * @param adopted plain name of a table of processed events for one consumer, or null for Waybill's
 *     own
 */
public record InboxTables(@Nullable String schema, @Nullable String adopted) {
  private static final String OWN = "processed_events";

  /** Checks the names. */
  public InboxTables {
    if (schema != null) {
      Identifiers.checkOnServer("schema", schema);
    }
    if (adopted != null) {
      Identifiers.check("table of processed events", adopted);
    }
  }

  /**
   * Waybill's own tables in the connection's schema.
   *
   * @return the tables
   */
  public static InboxTables own() {
    return new InboxTables(null, null);
  }

  /**
   * Adopts an existing table of processed events that belongs to one consumer, as PolyShop's {@code
   * processed_events} does. Waybill never alters it.
   *
   * @param table plain name of the table
   * @return the tables, in the connection's schema
   */
  public static InboxTables ofOneConsumer(String table) {
    return new InboxTables(null, table);
  }

  /**
   * The same in another schema.
   *
   * @param name plain name of the schema, on MySQL and MariaDB of a database
   * @return changed copy
   */
  public InboxTables schema(String name) {
    return new InboxTables(name, adopted);
  }

  /**
   * The name of the table of processed events in queries.
   *
   * @return its name, whose schema is null for that of the connection
   */
  public TableName table() {
    return new TableName(schema, adopted == null ? OWN : adopted);
  }
}
