package io.waybill.testkit.sim;

import io.waybill.broker.Outgoing;
import io.waybill.encode.Mapped;
import io.waybill.encode.MessageMapper;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Routes rows as their traits say. */
final class SimMapper implements MessageMapper {
  static final String REPLAY = "waybill-replay";

  private final SimDatabase database;
  private final Mutation mutation;

  SimMapper(SimDatabase database, Mutation mutation) {
    this.database = database;
    this.mutation = mutation;
  }

  @Override
  public Mapped map(OutboxRow row, long sendId) {
    SimRow sim = database.row((Long) row.rowId());
    if (sim.unmappable) {
      return new Mapped.Unmappable("unroutable", "event " + row.eventId() + " has no route");
    }
    return new Mapped.Message(
        new Outgoing(
            sendId,
            new Destination(sim.destination, "", null, mutation.recordTime()),
            row.key() == null ? null : row.key().aggregateId().getBytes(StandardCharsets.US_ASCII),
            row.payload(),
            row.contentType(),
            row.eventId(),
            row.eventType(),
            row.createdAtMicros() / 1000,
            row.replay() ? List.of(new Header(REPLAY, "true")) : List.of()));
  }
}
