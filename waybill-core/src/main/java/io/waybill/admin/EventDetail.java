package io.waybill.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one event.
 *
 * @param event the fields that a list shows
 * @param eventVersion version of the type
 * @param contentType media type of the payload
 * @param headersJson headers as a JSON object, or null
 * @param correlationId correlation id, or null
 * @param causationId causation id, or null
 * @param traceparent W3C trace context, or null
 * @param payload payload bytes, or null for a tombstone
 * @param audit requests of operators, latest first
 */
public record EventDetail(
    EventView event,
    int eventVersion,
    String contentType,
    @Nullable String headersJson,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    byte @Nullable [] payload,
    List<AuditEntry> audit) {}
