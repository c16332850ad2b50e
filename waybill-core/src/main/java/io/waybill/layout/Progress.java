package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * The columns that a relay writes. State without a column is kept in side tables.
 *
 * @param state how the table marks waiting rows
 * @param publishedAt column of the time at which the broker's confirmation was recorded, or null
 * @param attempts column that counts sends, those that were not confirmed and the one that was, or
 *     null
 * @param nextAttemptAt column of the time at which a waiting row is tried next, or null; cleared by
 *     success, parking and death. If it delays rows as well, a row with attempts is not delayed
 * @param error column of why a row waits or is dead, or null; cleared by success
 * @param record table that records the processing of each event, or null
 */
public record Progress(
    StateColumn state,
    @Nullable String publishedAt,
    @Nullable String attempts,
    @Nullable String nextAttemptAt,
    @Nullable String error,
    @Nullable RecordTable record) {}
