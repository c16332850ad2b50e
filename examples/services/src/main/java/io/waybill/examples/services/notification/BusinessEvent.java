package io.waybill.examples.services.notification;

import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * The generic message: that something happened, and for whom. It names no recipient and no channel.
 *
 * @param eventId the same in every copy
 * @param eventType what happened
 * @param aggregateType whom it is told to
 * @param aggregateId which of them
 * @param payload the event's data
 */
record BusinessEvent(
    String eventId,
    String eventType,
    Recipients aggregateType,
    long aggregateId,
    JsonNode payload) {
  /** Refuses a message without one of the fields. */
  BusinessEvent {
    Objects.requireNonNull(eventId, "event_id");
    Objects.requireNonNull(eventType, "event_type");
    Objects.requireNonNull(aggregateType, "aggregate_type");
    Objects.requireNonNull(payload, "payload");
  }
}
