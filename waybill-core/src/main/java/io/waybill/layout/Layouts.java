package io.waybill.layout;

import io.waybill.layout.OrderColumn.Kind;

/** The layouts that Waybill knows by name. */
public final class Layouts {
  /** Waybill's own table, published rows deleted: bytes, lanes, delays and all headers. */
  public static final Layout WAYBILL = own("waybill").build();

  /** Waybill's own table on MySQL and MariaDB, published rows kept and marked. */
  public static final Layout WAYBILL_KEEP =
      own("waybill-keep")
          .state(new StateColumn.Flag("published"))
          .publishedAt("published_at")
          .build();

  /**
   * Table {@code event_outbox} of a notification system: states PENDING, PROCESSED and FAILED,
   * ordered by creation time; {@code processed_event} records the processing of each event.
   */
  public static final Layout NOTIFICATION =
      Layout.builder("notification", "event_outbox")
          .rowId("event_id", RowIdKind.STRING)
          .eventId("event_id")
          .key("aggregate_type", "aggregate_id")
          .orderedBy("created_at", Kind.TIME)
          .state(new StateColumn.Word("status", "PENDING", "PROCESSED", "FAILED"))
          .publishedAt("published_at")
          .record(RecordTable.PROCESSED_EVENT)
          .build();

  /**
   * Table {@code event_outbox} with states pending, sent and failed, counted attempts and a time of
   * the next attempt. Waybill also respects that time if a writer sets it.
   */
  public static final Layout EVENT_OUTBOX =
      Layout.builder("event-outbox", "event_outbox")
          .eventId("event_key")
          .key("entity_table", "entity_pk")
          .orderedBy("created_at", Kind.TIME)
          .availableAt("next_attempt_at")
          .headerColumn("producer_node", "producer-node")
          .state(new StateColumn.Word("status", "pending", "sent", "failed"))
          .publishedAt("processed_at")
          .attempts("attempts")
          .nextAttemptAt("next_attempt_at")
          .build();

  /** Table {@code outbox} of a wallet: a flag {@code sent}, ordered by its identity column. */
  public static final Layout WALLET =
      Layout.builder("wallet", "outbox")
          .singleKey("correlation_id", "correlation")
          .payload("payload", PayloadKind.TEXT)
          .context("correlation_id", null, null)
          .state(new StateColumn.Flag("sent"))
          .build();

  /** Table {@code outbox_events} of PolyShop's services: a flag {@code processed}, UUIDs as ids. */
  public static final Layout POLYSHOP =
      Layout.builder("polyshop", "outbox_events")
          .rowId("id", RowIdKind.UUID)
          .eventId("id")
          .eventVersion("version")
          .singleKey("aggregate_id", "aggregate")
          .orderedBy("created_at", Kind.TIME)
          .state(new StateColumn.Flag("processed"))
          .publishedAt("processed_at")
          .error("error_message")
          .build();

  /**
   * The table of Debezium's outbox event router, rows deleted once they are published. It has no
   * column for the order in which its rows were written, and events of one key may be published in
   * any order. If there is such a column, use {@link #debezium}.
   */
  public static final Layout DEBEZIUM = debezium().build();

  private Layouts() {}

  /**
   * Whether a layout is that of Waybill's own table.
   *
   * @param layout any layout
   * @return true if its columns are those of {@link #WAYBILL} or {@link #WAYBILL_KEEP}
   */
  public static boolean isOwn(Layout layout) {
    return layout.equals(WAYBILL.table(layout.table()))
        || layout.equals(WAYBILL_KEEP.table(layout.table()));
  }

  /**
   * The table of Debezium's outbox event router with a column that orders its rows, for example the
   * {@code timestamp} that Quarkus adds.
   *
   * @param order the column
   * @return layout {@code debezium}
   */
  public static Layout debezium(OrderColumn order) {
    LayoutBuilder layout = debezium().orderedBy(order.column(), order.kind());
    return order.kind() == Kind.TIME ? layout.createdAt(order.column()).build() : layout.build();
  }

  private static LayoutBuilder debezium() {
    return Layout.builder("debezium", "outboxevent")
        .rowId("id", RowIdKind.UUID)
        .eventId("id")
        .eventType("type")
        .key("aggregatetype", "aggregateid")
        .createdAt(null);
  }

  private static LayoutBuilder own(String name) {
    return Layout.builder(name, "waybill_outbox")
        .eventId("event_id")
        .eventVersion("event_version")
        .key("aggregate_type", "aggregate_id")
        .availableAt("available_at")
        .lane("lane")
        .payload("payload", PayloadKind.BYTES)
        .contentTypeColumn("content_type")
        .headers("headers")
        .context("correlation_id", "causation_id", "traceparent");
  }
}
