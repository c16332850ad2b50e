package io.waybill.testkit.sim;

/** States that a suite of runs has to reach, or it shows nothing about them. */
enum RareState {
  /** A settlement of a replaced relay was refused. */
  FENCED_MARK,
  /** A relay lost its session while its process lived. */
  TAKE_OVER_OF_LIVING_OWNER,
  /** A row with an unknown outcome was later definitely rejected. */
  UNKNOWN_THEN_REJECTED,
  /** The broker returned a message and then acknowledged it. */
  RETURNED_THEN_ACKED,
  /** A settlement was committed and its answer lost. */
  UNREPORTED_COMMIT,
  /** A settlement was tried again. */
  SETTLEMENT_RETRIED,
  /** A join was committed and its answer lost. */
  UNREPORTED_JOIN,
  /** Rows were put behind a blocked key. */
  HELD,
  /** Held rows were read back. */
  HELD_READ_BACK,
  /** A lane began to drain with sends of it in flight. */
  LANE_HANDED_OVER_IN_FLIGHT,
  /** A process died with confirmed rows that were not marked. */
  CRASH_BETWEEN_CONFIRM_AND_MARK,
  /** A process died with sends in flight. */
  CRASH_WITH_SENDS_IN_FLIGHT,
  /** A message was stored after its sender lost its lanes. */
  LATE_APPEND_AFTER_TAKE_OVER,
  /** A breaker opened. */
  BREAKER_OPENED,
  /** An open breaker closed after a probe. */
  BREAKER_PROBED,
  /** A destination was paused by an operator. */
  DESTINATION_PAUSED,
  /** A copy went to the dead-letter destination. */
  DEAD_LETTERED,
  /** The dead-letter destination refused the copy. */
  DEAD_LETTER_REFUSED,
  /** An event was parked by its attempt limit. */
  PARKED,
  /** An event at its limit was parked, not buried, because a copy may exist. */
  PARKED_AFTER_UNKNOWN,
  /** An event was buried without a dead-letter destination. */
  DEAD,
  /** An operator's request was carried out. */
  REQUEST_DONE,
  /** An operator's request was refused. */
  REQUEST_REFUSED,
  /** A replayed copy was stored. */
  REPLAYED,
  /** The database crashed between a read's snapshot and its flush, and lost a row of it. */
  GHOST_AVERTED_BY_DURABLE_READ,
  /** A crash of the database lost committed rows. */
  COMMIT_LOST_IN_CRASH,
  /** A row was committed after a row with a higher id was published. */
  LATE_COMMIT_BELOW_PUBLISHED,
  /** Part of a transaction was rolled back to a savepoint. */
  SAVEPOINT_ROLLED_BACK,
  /** A delayed event was published. */
  DELAYED_PUBLISHED,
  /** A channel died with messages in flight that were not at fault. */
  INNOCENTS_UNKNOWN,
  /** A confirmation was lost although the message was stored. */
  CONFIRM_LOST,
  /** A relay stopped gracefully while it had work. */
  GRACEFUL_STOP_WITH_WORK,
  /** Reading stopped because the budget was used up. */
  BUDGET_FULL,
  /** A duplicate was delivered. */
  DUPLICATE
}
