package io.waybill.proof.sim.relay;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Routes rows as their traits say. */
final class SimMapper implements MessageMapper {
  static final String REPLAY = "waybill-replay";

  private final SimDatabase database;
  private final Map<String, Destination> destinations = new HashMap<>();

  SimMapper(SimDatabase database, Swarm swarm, Mutation mutation) {
    this.database = database;
    for (String name : swarm.destinations) {
      destinations.put(name, mutation.destination(swarm, destination(name)));
    }
  }

  private static Destination destination(String name) {
    int slash = name.indexOf('/');
    return slash < 0
        ? Destination.topic(name)
        : Destination.exchange(name.substring(0, slash), name.substring(slash + 1));
  }

  @Override
  public Mapped map(OutboxRow row, long sendId) {
    SimRow sim = database.event(row.eventId());
    if (sim.unmappable) {
      return new Mapped.Unmappable("unroutable", "event " + row.eventId() + " has no route");
    }
    return new Mapped.Message(
        new Outgoing(
            sendId,
            Objects.requireNonNull(destinations.get(sim.destination)),
            row.key() == null ? null : row.key().aggregateId().getBytes(StandardCharsets.US_ASCII),
            row.payload(),
            row.contentType(),
            row.eventId(),
            row.eventType(),
            row.createdAtMicros() / 1000,
            row.replay() ? List.of(new Header(REPLAY, "true")) : List.of()));
  }
}
