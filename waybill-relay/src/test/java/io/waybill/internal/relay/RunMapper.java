package io.waybill.internal.relay;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.Mapped;
import io.waybill.message.Destination;
import io.waybill.store.OutboxRow;
import java.util.List;

/** How an {@link EngineRun} makes messages of rows. */
final class RunMapper {
  private RunMapper() {}

  /**
   * Events go to the topic of their type, or to exchange/key; those of the type {@code lost} go
   * nowhere.
   */
  static Mapped map(OutboxRow row, long sendId) {
    if (!row.whole()) {
      return new Mapped.Unmappable("too-large", "row " + row.rowId() + " is too large");
    }
    if (row.eventType().equals("lost")) {
      return new Mapped.Unmappable("no-route", "event " + row.eventId() + " has no route");
    }
    String[] parts = row.eventType().split("/", 2);
    Destination destination =
        parts.length == 1
            ? Destination.topic(row.eventType())
            : Destination.exchange(parts[0], parts[1]);
    return new Mapped.Message(
        new Outgoing(
            sendId,
            destination,
            null,
            row.payload(),
            row.contentType(),
            row.eventId(),
            row.eventType(),
            0,
            List.of()));
  }
}
