package io.waybill.examples.polyshop.common;

import io.waybill.message.Event;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.SpringOutbox;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Saves events in the running transaction: they are published if and only if it commits. The
 * publisher is the starter's relay, so nothing else is to be done.
 */
@Component
@Profile("!gateway")
public class OutboxEventRepository {
  private static final String AGGREGATE = "aggregate";
  private static final String USER_ID = "userId";
  private static final String IDEMPOTENCY_KEY = "idempotencyKey";

  private final SpringOutbox outbox;

  OutboxEventRepository(SpringOutbox outbox) {
    this.outbox = outbox;
  }

  /**
   * Saves an event that a request has caused.
   *
   * @param event the event
   * @param metadata of the request; the trace is the running one
   * @throws io.waybill.message.InvalidEventException if the metadata break rules
   */
  public void save(OutboxEvent event, EventMetadata metadata) {
    Event.Builder builder =
        builder(event).header(USER_ID, metadata.userId()).correlationId(metadata.correlationId());
    String idempotencyKey = metadata.idempotencyKey();
    if (idempotencyKey != null) {
      builder.header(IDEMPOTENCY_KEY, idempotencyKey);
    }
    outbox.append(builder.build());
  }

  /**
   * Saves an event that another one has caused: it has the same correlation, user and trace.
   *
   * @param event the event
   * @param cause the event that is being handled
   */
  public void save(OutboxEvent event, ReceivedEvent cause) {
    Event.Builder builder = cause.causes(builder(event));
    String userId = cause.metadata().get(USER_ID);
    if (userId != null) {
      builder.header(USER_ID, userId);
    }
    outbox.append(builder.build());
  }

  private static Event.Builder builder(OutboxEvent event) {
    return Event.builder(event.eventType(), AGGREGATE, event.aggregateId()).json(event.payload());
  }
}
