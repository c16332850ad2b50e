package io.waybill.layout;

import org.jspecify.annotations.Nullable;

/**
 * What is written into a row. Whatever the table has no column for is kept beside it.
 *
 * @param state how the table says which rows wait
 * @param publishedAt column of the time at which the broker's confirmation was recorded, or null
 * @param attempts column that counts delivery attempts, the successful one included, or null
 * @param nextAttemptAt column of the time of the next attempt of a failed row, or null; cleared by
 *     success, parking and death
 * @param error column of what went wrong last, or null; cleared by success
 * @param record table that records what was done with each event, or null
 */
public record Progress(
    StateColumn state,
    @Nullable String publishedAt,
    @Nullable String attempts,
    @Nullable String nextAttemptAt,
    @Nullable String error,
    @Nullable RecordTable record) {}
