package io.waybill.proof.explore;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The events of a scope: their rows, keys and lanes never change. */
final class Rows implements MessageMapper {
  static final String RELAY = "relay";
  private static final Destination TOPIC = Destination.topic("topic");

  private final List<OutboxRow> rows = new ArrayList<>();
  private final List<Integer> keys;

  Rows(List<Integer> keys, int lanes) {
    this.keys = List.copyOf(keys);
    for (int i = 0; i < keys.size(); i++) {
      rows.add(row(i, keys.get(i), lanes));
    }
  }

  private static OutboxRow row(int index, int key, int lanes) {
    return new OutboxRow(
        index,
        key % lanes,
        "e" + index,
        "changed",
        1,
        new EventKey("order", "k" + key),
        ("payload-" + index).getBytes(StandardCharsets.US_ASCII),
        "application/json",
        null,
        null,
        null,
        null,
        0,
        0,
        false);
  }

  int count() {
    return rows.size();
  }

  OutboxRow row(int index) {
    return rows.get(index);
  }

  int key(int index) {
    return keys.get(index);
  }

  int lane(int index) {
    return rows.get(index).lane();
  }

  static int index(OutboxRow row) {
    return (Integer) row.rowId();
  }

  static int index(Outgoing message) {
    return Integer.parseInt(message.eventId().substring(1));
  }

  @Override
  public Mapped map(OutboxRow row, long sendId) {
    return new Mapped.Message(
        new Outgoing(
            sendId,
            TOPIC,
            null,
            row.payload(),
            row.contentType(),
            row.eventId(),
            row.eventType(),
            0,
            List.of()));
  }
}
