package io.waybill.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that an operator asked for.
 *
 * @param id grows with time
 * @param requestedAt when
 * @param requestedBy who
 * @param verb what: a verb about events, or PAUSE or RESUME about destinations
 * @param eventId the event, or null
 * @param destination the destination, or null
 * @param reason why
 * @param completedAt when it was carried out or refused, or null if it waits
 * @param done whether it was carried out, or null if it waits
 * @param note what was done, or why not, or null if it waits
 */
public record AuditEntry(
    long id,
    Instant requestedAt,
    String requestedBy,
    String verb,
    @Nullable String eventId,
    @Nullable String destination,
    String reason,
    @Nullable Instant completedAt,
    @Nullable Boolean done,
    @Nullable String note) {}
