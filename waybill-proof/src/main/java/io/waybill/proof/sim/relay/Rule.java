package io.waybill.proof.sim.relay;

/** What the world around the engine keeps to. A planted bug may break one of them. */
enum Rule {
  /** The reader makes the rows of its snapshot durable before it returns them. */
  FLUSHES_READS,
  /** A read looks for its session. */
  FENCES_READS,
  /** A settlement looks for its session. */
  FENCES_SETTLEMENTS,
  /** Each session has a lock of its own. */
  NAMES_LOCKS_BY_SESSION,
  /** Who finds a lock free gives its owner time to take it back. */
  WAITS_FOR_LOCKS,
  /** What was seen of a server's locks ends with the server. */
  FORGETS_LOCKS_OF_OTHER_SERVERS,
  /** A session whose lock has ended is fenced before its lanes are free. */
  FENCES_UNLOCKED_SESSIONS,
  /** A new owner is told for how long messages of the former one may come. */
  TELLS_WHEN_QUIET,
  /** A renewal finds no session that has ended. */
  KNOWS_ENDED_SESSIONS,
  /** A session notices that the database has fewer of its renewals than it answered. */
  COUNTS_RENEWALS,
  /** One whose answer was lost has another number than the one that repeats it. */
  NUMBERS_RENEWALS,
  /**
   * A row whose id belonged to another one before does not inherit what was recorded of that one.
   */
  KNOWS_REUSED_IDS,
  /** A read waits until a delayed event is due. */
  WAITS_FOR_DELAYS,
  /** A read returns no more than it was asked for. */
  BOUNDS_READS,
  /** A backlog is read to its end. */
  PAGES_BACKLOGS,
  /** A confirmation names the message that it is about. */
  CONFIRMS_BY_MESSAGE,
  /** A read that failed says nothing about its rows. */
  HEEDS_READ_ERRORS,
  /** A settlement that failed is not done. */
  HEEDS_SETTLE_ERRORS,
  /** A returned message counts as refused. */
  HEEDS_RETURNS,
  /** What closed the channel that silent destinations share is not on it any more. */
  PARTS_WHAT_CLOSED_A_CHANNEL,
  /** A retry of a group awaits its first events before it asks for others. */
  AWAITS_CANARIES,
  /** A list of a group of failures is in the order of the rows. */
  LISTS_GROUPS_IN_ORDER,
  /** A list of a group of failures has no others. */
  LISTS_THE_GROUP_ALONE,
  /** A job asks for an event only if it is still as it was planned. */
  LOOKS_AGAIN_BEFORE_ASKING,
  /** A publisher holds back a key whose failure it has just reported. */
  HOLDS_KEYS_OF_FAILURES
}
