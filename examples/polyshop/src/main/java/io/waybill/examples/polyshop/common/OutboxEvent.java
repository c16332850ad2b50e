package io.waybill.examples.polyshop.common;

/**
 * A row of {@code outbox_events}, as a service writes it.
 *
 * @param aggregateId the entity, and key on the wire
 * @param eventType kind of event, and topic
 * @param payload data as JSON, without the envelope
 */
public record OutboxEvent(String aggregateId, String eventType, String payload) {}
