package io.waybill.store;

import org.jspecify.annotations.Nullable;

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
 * @param destination name of the destination that did not take it; empty if no route was found;
 *     null if nothing has failed, or as read from a store
 */
public record FailedRow(
    OutboxRow row,
    RowState state,
    int attempts,
    boolean unknownOutcome,
    long delayMillis,
    String reason,
    String detail,
    @Nullable String destination) {
  /**
   * A row as a store returns it, without its destination.
   *
   * @param row the row
   * @param state its state
   * @param attempts definite rejections so far
   * @param unknownOutcome whether some attempt ended without a definite answer
   * @param delayMillis time until the next attempt
   * @param reason class of the last failure
   * @param detail one sentence for an operator
   */
  public FailedRow(
      OutboxRow row,
      RowState state,
      int attempts,
      boolean unknownOutcome,
      long delayMillis,
      String reason,
      String detail) {
    this(row, state, attempts, unknownOutcome, delayMillis, reason, detail, null);
  }
}
