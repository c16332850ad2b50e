package io.waybill.examples.wallet;

import java.sql.Connection;
import java.sql.SQLException;

/** Stores domain events in the outbox: the simple class name and the JSON. Thread-safe. */
final class OutboxEventPublisher implements DomainEventPublisher {
  private final OutboxService outbox;
  private final EventJson json;

  OutboxEventPublisher(OutboxService outbox, EventJson json) {
    this.outbox = outbox;
    this.json = json;
  }

  /**
   * Stores the event.
   *
   * @throws EventSerializationException if it has no JSON; the transaction must not commit
   */
  @Override
  public void publish(Connection connection, DomainEvent event) throws SQLException {
    outbox.saveOutboxEvent(
        connection, EventJson.type(event), json.of(event), event.correlationId());
  }
}
