package io.waybill.examples.wallet;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table {@code outbox}.
 *
 * @param id primary key; null until it is saved
 * @param eventType kind of event; its topic is {@code <eventType>-out-0}
 * @param payload the event as JSON
 * @param correlationId what keeps events in order among each other, or null for none
 * @param createdAt time of creation, UTC
 * @param sent whether the broker has confirmed it
 */
record OutboxEvent(
    @Nullable Long id,
    String eventType,
    String payload,
    @Nullable String correlationId,
    LocalDateTime createdAt,
    boolean sent) {

  /** A new event, created now. */
  static OutboxEvent of(String eventType, String payload, @Nullable String correlationId) {
    LocalDateTime now = LocalDateTime.now(Clock.systemUTC()).truncatedTo(ChronoUnit.MICROS);
    return new OutboxEvent(null, eventType, payload, correlationId, now, false);
  }

  OutboxEvent withId(long newId) {
    return new OutboxEvent(newId, eventType, payload, correlationId, createdAt, sent);
  }

  OutboxEvent asSent() {
    return new OutboxEvent(id, eventType, payload, correlationId, createdAt, true);
  }
}
