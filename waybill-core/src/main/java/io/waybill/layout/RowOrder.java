package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * The columns of order and time.
 *
 * @param key ordering key
 * @param column column that orders the rows, or null for the row id alone
 * @param createdAt column of the creation time, or null; an event's time is then that of its read
 * @param availableAt column of the time before which a row is not published, or null; null in a row
 *     means no delay
 * @param lane column of the lane, or null for a table with a single lane
 */
public record RowOrder(
    KeyColumns key,
    @Nullable OrderColumn column,
    @Nullable String createdAt,
    @Nullable String availableAt,
    @Nullable String lane) {}
