package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * The columns that identify a row and its event.
 *
 * @param rowId primary key column
 * @param kind its type
 * @param eventId column of the event id on the wire, or null to derive it from the table's name and
 *     the row id, as in {@code outbox:17}
 * @param eventType column of the event type
 * @param eventVersion column of the version of the type, or null for version 1
 */
public record Identity(
    String rowId,
    RowIdKind kind,
    @Nullable String eventId,
    String eventType,
    @Nullable String eventVersion) {}
