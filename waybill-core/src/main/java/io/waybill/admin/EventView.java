package io.waybill.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One event in a list.
 *
 * @param position position in the order of the rows, for paging
 * @param rowId primary key of its row
 * @param eventId event id
 * @param eventType event type
 * @param aggregateType first part of the key, or null
 * @param aggregateId second part of the key, or null
 * @param lane lane of the key
 * @param status its status
 * @param attempts definite rejections so far
 * @param unknownOutcome whether some attempt ended without a definite answer
 * @param nextAttemptAt when it is tried again, or null
 * @param reason class of the last failure, or null
 * @param detail one sentence about the last failure, or null
 * @param failedAt when its last failure, or an operator's action, was recorded; null if there is
 *     neither
 * @param destination name of the destination that did not take it; empty if no route was found,
 *     null if it has not failed
 * @param held whether it waits behind a blocked key or destination
 * @param delayedUntil when it becomes due, or null if it is due
 * @param createdAt when it was written
 * @param publishedAt when it was published, or null
 * @param payloadBytes size of the payload, or null without one
 */
public record EventView(
    String position,
    String rowId,
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    int lane,
    EventStatus status,
    int attempts,
    boolean unknownOutcome,
    @Nullable Instant nextAttemptAt,
    @Nullable String reason,
    @Nullable String detail,
    @Nullable Instant failedAt,
    @Nullable String destination,
    boolean held,
    @Nullable Instant delayedUntil,
    Instant createdAt,
    @Nullable Instant publishedAt,
    @Nullable Integer payloadBytes) {}
