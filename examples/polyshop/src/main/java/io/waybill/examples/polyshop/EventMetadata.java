package io.waybill.examples.polyshop;

import org.jspecify.annotations.Nullable;

/**
 * What an event's envelope says beside its data.
 *
 * @param traceparent W3C trace context, whose trace id becomes {@code traceId}; or null
 * @param correlationId groups related operations, or null
 * @param idempotencyKey the client's key of the request, or null for the event id
 * @param userId on whose behalf
 */
record EventMetadata(
    @Nullable String traceparent,
    @Nullable String correlationId,
    @Nullable String idempotencyKey,
    String userId) {}
