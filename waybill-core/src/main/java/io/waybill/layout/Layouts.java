package io.waybill.layout;

import io.waybill.layout.OrderColumn.Kind;

/** Layouts that Waybill knows by name. */
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
   * ordered by creation time; what was done with each event stands in {@code processed_event}.
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
   * the next attempt, which is honoured when a writer sets it, too.
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

  private Layouts() {}

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
