package io.waybill.store;

/**
 * Which row: an id may come again after a truncation or a restore, together with the time of
 * creation it does not.
 *
 * @param rowId primary key as the layout has it
 * @param createdAtMicros creation time as it was read, microseconds since the epoch
 */
public record RowRef(Object rowId, long createdAtMicros) {}
