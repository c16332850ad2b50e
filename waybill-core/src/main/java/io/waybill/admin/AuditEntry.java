package io.waybill.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that an operator asked for.
 *
 * @param id grows with time
 * @param requestedAt when
 * @param requestedBy who, as the asking program claims
 * @param verb what: a verb about events, or PAUSE or RESUME about destinations
 * @param eventId the event, or null
 * @param destination the destination, or null
 * @param reason why
 * @param completedAt when it was carried out or refused, or null if it waits
 * @param done whether it was carried out, or null if it waits
 * @param note what was done, or why not, or null if it waits
 * @param databaseUser as whom the asking program was logged in at the database, by the database
 * @param clientAddress where it was connected from, by the database; null if it was the same
 *     machine
 * @param earlierReason why the event, or the destination, was as it was before; null if nothing was
 *     known
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
    @Nullable String note,
    String databaseUser,
    @Nullable String clientAddress,
    @Nullable String earlierReason) {}
