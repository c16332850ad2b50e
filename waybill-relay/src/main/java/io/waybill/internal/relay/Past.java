package io.waybill.internal.relay;

/**
 * What became of a row's attempts: definite rejections, whether a copy may exist, and how many
 * sends were not confirmed.
 */
record Past(int attempts, boolean unknownOutcome, int sends) {
  /** Whether it decides about the row, and is not only shown. */
  boolean counts() {
    return attempts > 0 || unknownOutcome;
  }
}
