package io.waybill.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request of an operator.
 *
 * @param id grows with time
 * @param requestedAt when
 * @param requestedBy who, as the requesting program claims
 * @param verb the action: a verb for events, or PAUSE or RESUME for destinations
 * @param eventId the event, or null
 * @param destination the destination, or null
 * @param reason why
 * @param completedAt when it was carried out or refused, or null if it is open
 * @param done whether it was carried out, or null if it is open
 * @param note what was done, or why not, or null if it is open
 * @param databaseUser the user as whom the requesting program was logged in, reported by the
 *     database
 * @param clientAddress the address from which it was connected, reported by the database; null if
 *     it was the same machine
 * @param earlierReason the reason for the earlier state of the event or destination; null if none
 *     was known
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
