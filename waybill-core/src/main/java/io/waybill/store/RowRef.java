package io.waybill.store;

/**
 * Identifies a row. An id may recur after a truncation or a restore; id and creation time together
 * do not.
 *
 * @param rowId primary key as the layout has it
 * @param createdAtMicros creation time as it was read, microseconds since the epoch
 */
public record RowRef(Object rowId, long createdAtMicros) {}
