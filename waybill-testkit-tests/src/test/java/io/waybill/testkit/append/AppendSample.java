package io.waybill.testkit.append;

import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Event;
import io.waybill.message.EventIds;
import io.waybill.message.Payload;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How the test's events are written into the table of a layout. The event type is the test's name
 * of the event in all of them.
 */
final class AppendSample {
  static final AppendSample NOTIFICATION =
      new AppendSample(
          Layouts.NOTIFICATION,
          "CUSTOMER",
          128,
          """
          insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('x', 'bad', 'CUSTOMER', 1, '1')""");
  static final AppendSample EVENT_OUTBOX =
      new AppendSample(
          Layouts.EVENT_OUTBOX,
          "orders",
          36,
          """
          insert into event_outbox (id, event_key, event_type, entity_table, entity_pk, payload)
          values (1, 'x', 'bad', 'orders', '1', '1')""");
  static final AppendSample WALLET =
      new AppendSample(
          Layouts.WALLET,
          "correlation",
          128,
          "insert into outbox (event_type, payload) values ('bad', '1')");
  static final AppendSample POLYSHOP =
      new AppendSample(
          Layouts.POLYSHOP,
          "aggregate",
          36,
          """
          insert into outbox_events (id, event_type, aggregate_id, payload)
          values ('00000000-0000-0000-0000-000000000000', 'bad', '1', '1')""");

  private final Layout layout;
  private final String aggregateType;
  private final int longestId;
  private final String otherRow;
  // In the order in which they were asked for, since ids decide among equal times.
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  private AppendSample(Layout layout, String aggregateType, int longestId, String otherRow) {
    this.layout = layout;
    this.aggregateType = aggregateType;
    this.longestId = longestId;
    this.otherRow = otherRow;
  }

  Layout layout() {
    return layout;
  }

  int longestId() {
    return longestId;
  }

  String otherRow() {
    return otherRow;
  }

  Event event(String name, Payload payload) {
    return builder(name, payload).build();
  }

  Event.Builder builder(String name, Payload payload) {
    String id = ids.computeIfAbsent(name, key -> EventIds.system().next());
    return Event.builder(name, aggregateType, "42").id(id).payload(payload);
  }
}
