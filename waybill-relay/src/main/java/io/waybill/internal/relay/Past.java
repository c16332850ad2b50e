package io.waybill.internal.relay;

/**
 * What became of a row's attempts: definite rejections, whether a copy may exist, and how many
 * sends were not confirmed.
 */
record Past(int attempts, boolean unknownOutcome, int sends) {
  /** Whether there is anything to know. */
  boolean isAny() {
    return counts() || sends > 0;
  }

  /** What two that know different parts of it know together. */
  Past and(Past other) {
    return new Past(
        Math.max(attempts, other.attempts),
        unknownOutcome || other.unknownOutcome,
        Math.max(sends, other.sends));
  }

  /** Whether it decides about the row, and is not only shown. */
  boolean counts() {
    return attempts > 0 || unknownOutcome;
  }
}
