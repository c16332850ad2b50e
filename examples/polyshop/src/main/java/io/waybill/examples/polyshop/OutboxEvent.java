package io.waybill.examples.polyshop;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table {@code outbox_events}.
 *
 * @param id primary key, and event id on the wire
 * @param aggregateId the entity, and key on the wire
 * @param eventType kind of event, and topic
 * @param version version of the type
 * @param payload data as JSON, without the envelope
 * @param createdAt time of creation; null until it is saved
 * @param processed whether the broker has confirmed it
 * @param processedAt when it did, or null
 * @param errorMessage why the last attempt failed, or null
 */
record OutboxEvent(
    UUID id,
    String aggregateId,
    String eventType,
    int version,
    String payload,
    @Nullable Instant createdAt,
    boolean processed,
    @Nullable Instant processedAt,
    @Nullable String errorMessage) {

  /** A new event, not yet saved. */
  static OutboxEvent of(
      UUID id, String aggregateId, String eventType, int version, String payload) {
    return new OutboxEvent(id, aggregateId, eventType, version, payload, null, false, null, null);
  }
}
