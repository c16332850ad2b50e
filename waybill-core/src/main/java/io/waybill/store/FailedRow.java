package io.waybill.store;

/**
 * A row with a failure on record.
 *
 * @param row the row
 * @param state its state
 * @param attempts definite rejections so far
 * @param unknownOutcome whether some attempt ended without a definite answer, in which case a copy
 *     may exist
 * @param delayMillis time until the next attempt, from now on the database clock; 0 if due or
 *     without one
 * @param reason short machine-readable class of the last failure
 * @param detail one sentence for an operator
 */
public record FailedRow(
    OutboxRow row,
    RowState state,
    int attempts,
    boolean unknownOutcome,
    long delayMillis,
    String reason,
    String detail) {}
