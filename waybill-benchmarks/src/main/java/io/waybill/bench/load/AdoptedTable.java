package io.waybill.bench.load;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.Progress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A documented outbox on PostgreSQL, filled as its services would fill it.
 *
 * @param layout its layout
 * @param columns columns of the INSERT
 * @param values expressions for them over {@code g}, the number of the event, {@code k}, that of
 *     its key, and {@code body}, its payload as text
 * @param loop what a plain loop does with it
 */
public record AdoptedTable(Layout layout, String columns, String values, LoopSql loop) {
  // Position 9 is where the reference begins in the payloads.
  private static final String FILL =
      """
      insert into %s (%s)
      select %s
      from (
        select g, g %% %d as k,
          convert_from(overlay(t.body placing convert_to(
            lpad((g %% %d)::text, 6, '0') || '-' || lpad((g / %d)::text, 9, '0'), 'UTF8') from 9),
            'UTF8') as body
        from generate_series(%d::bigint, %d::bigint) g join template t on t.n = g %% %d
        order by g) e
      """;

  private static final String ONE =
      """
      insert into %s (%s) select %s from (select ?::bigint as g, ?::bigint as k, ?::text as body) e
      """;

  /**
   * The table of a layout.
   *
   * @param layout name of the layout
   * @return the table
   */
  public static AdoptedTable of(String layout) {
    return switch (layout) {
      case "notification" ->
          new AdoptedTable(
              Layouts.NOTIFICATION,
              "event_id, event_type, aggregate_type, aggregate_id, payload",
              "'evt-' || lpad(g::text, 12, '0'), 'ORDER_CREATED', 'ORDER', k, body::json",
              LoopSql.of(
                  "varchar",
                  """
                  select event_id, event_id, event_type, aggregate_id::text, payload::text
                  from event_outbox where status = 'PENDING' order by created_at, event_id""",
                  """
                  update event_outbox set status = 'PROCESSED', published_at = now()
                  where event_id = any(?)"""));
      case "event-outbox" ->
          new AdoptedTable(
              Layouts.EVENT_OUTBOX,
              "id, event_key, entity_table, entity_pk, event_type, payload, producer_node",
              "g, gen_random_uuid()::text, 'orders', k, 'order.placed', body::jsonb, 'node-1'",
              LoopSql.of(
                  "int8",
                  """
                  select id, event_key, event_type, entity_pk, payload::text
                  from event_outbox where status = 'pending' order by created_at, id""",
                  """
                  update event_outbox
                  set status = 'sent', processed_at = now(), attempts = attempts + 1
                  where id = any(?)"""));
      case "wallet" ->
          new AdoptedTable(
              Layouts.WALLET,
              "event_type, payload, correlation_id",
              "'FundsAdded', body, 'wallet-' || k",
              LoopSql.of(
                  "int8",
                  """
                  select id, id::text, event_type, correlation_id, payload
                  from outbox where sent = false order by outbox.id""",
                  "update outbox set sent = true where id = any(?)"));
      case "polyshop" ->
          new AdoptedTable(
              Layouts.POLYSHOP,
              "id, aggregate_id, event_type, payload",
              "lpad(to_hex(g), 32, '0')::uuid, 'order-' || k, 'order.order.placed.v1', body::json",
              LoopSql.of(
                  "uuid",
                  """
                  select id, id::text, event_type, aggregate_id, payload::text
                  from outbox_events where processed = false order by created_at, outbox_events.id""",
                  """
                  update outbox_events set processed = true, processed_at = now()
                  where id = any(?)"""));
      default -> throw new IllegalArgumentException("No documented table " + layout);
    };
  }

  /**
   * Creates the table and those beside it.
   *
   * @param tables the database
   * @throws SQLException when the database refuses
   */
  public void create(Tables tables) throws SQLException {
    DatabaseKind kind = DatabaseKind.POSTGRESQL;
    try (Connection connection = DriverManager.getConnection(tables.url())) {
      TableSchema.run(connection, TableSchema.documentedTable(layout.name(), kind));
      TableSchema.of(layout, kind, SideNames.of(layout), 1).apply(connection);
    }
  }

  /**
   * Writes events with statements of its services.
   *
   * @param tables the database, with its templates
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void insert(Tables tables, long events, int keys) throws SQLException {
    String table = layout.table().name();
    tables.insert(
        events,
        (first, last) ->
            FILL.formatted(table, columns, values, keys, keys, keys, first, last, Payloads.COUNT));
  }

  /**
   * Writes one event with a statement of its services. Parameters: number of the event, number of
   * its key, payload.
   *
   * @return insert statement
   */
  public String insertOne() {
    return ONE.formatted(layout.table().name(), columns, values);
  }

  /**
   * The layout as it would be without columns for what waiting rows wait for.
   *
   * @return a layout that shows nothing of rows that wait
   */
  public Layout silent() {
    Progress shown = layout.progress();
    Progress silent =
        new Progress(shown.state(), shown.publishedAt(), null, null, null, shown.record());
    return new Layout(
        layout.name(), layout.table(), layout.identity(), layout.content(), layout.order(), silent);
  }

  /**
   * Creates the table and those beside it, and writes a backlog.
   *
   * @param tables the database
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void fill(Tables tables, long events, int keys) throws SQLException {
    create(tables);
    tables.prepareTemplates();
    insert(tables, events, keys);
    tables.settle(layout.table().name());
  }
}
