package io.waybill.store;

/** State of a row that failed; rows without a failure have none. */
public enum RowState {
  /** Waits for its next attempt; its key waits behind it. */
  RETRY,
  /** Waits for an operator; its key waits behind it. */
  PARKED,
  /** Dead and kept for an operator; its key continues. */
  DEAD
}
