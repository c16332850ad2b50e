package io.waybill.internal.relay;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The copy of a dead event for its dead-letter destination: the message as it would have gone, or
 * the bare payload if it could not be mapped, with the reason in a header.
 */
final class DeadLetterCopy {
  private static final String REASON = "waybill-dead-reason";
  private static final String DETAIL = "waybill-dead-detail";

  private DeadLetterCopy() {}

  static Mapped of(Entry entry, long sendId, MessageMapper mapper) {
    Destination target = entry.deadLetter;
    if (target == null) {
      return new Mapped.Unmappable("no-dead-letter", "no dead-letter destination is configured");
    }
    Mapped mapped = mapper.map(entry.row, sendId);
    if (!entry.row.whole()) {
      return mapped;
    }
    Outgoing message = mapped instanceof Mapped.Message m ? m.message() : bare(entry.row, sendId);
    List<Header> headers = new ArrayList<>(message.headers());
    headers.add(new Header(REASON, entry.buryReason));
    headers.add(new Header(DETAIL, entry.buryDetail));
    return new Mapped.Message(
        new Outgoing(
            sendId,
            target,
            message.key(),
            message.body(),
            message.contentType(),
            message.eventId(),
            message.eventType(),
            message.timestampMillis(),
            headers));
  }

  private static Outgoing bare(OutboxRow row, long sendId) {
    return new Outgoing(
        sendId,
        Destination.topic(""),
        row.key() == null ? null : row.key().aggregateId().getBytes(StandardCharsets.UTF_8),
        row.payload(),
        row.contentType(),
        row.eventId(),
        row.eventType(),
        row.createdAtMicros() / 1000,
        List.of(new Header("waybill-event-id", row.eventId())));
  }
}
