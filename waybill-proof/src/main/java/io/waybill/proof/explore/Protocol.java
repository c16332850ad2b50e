package io.waybill.proof.explore;

/** Waybill's protocol, and what others do instead. */
enum Protocol {
  /** As it is. */
  WAYBILL,
  /** Read, publish, mark: every relay does all of it. */
  NO_CLAIM,
  /** What anybody has read counts as processed. */
  INSERT_CLAIM,
  /** The same; the claim is deleted when the publish fails. */
  INSERT_CLAIM_DELETED_ON_FAILURE,
  /** As it is, held to what it does not promise: a buried event keeps its place in its key. */
  BURIED_KEEPS_ITS_PLACE,
  /** Leases end, and neither settlements nor reads look for that. */
  LEASE_WITHOUT_FENCE,
  /** Leases and fences; an unknown outcome counts as a rejection. */
  UNKNOWN_COUNTS_AS_REJECTED,
  /** A key goes on past an unknown outcome; the event is left for later. */
  PASSES_UNKNOWN,
  /**
   * A new owner gives up while a former one, whose lease goes on, may still send; held to the order
   * of what is sent alone.
   */
  FORGETS_QUIET,
  /** The lanes of a session whose lock has ended are taken, and the session is left alive. */
  TAKES_WITHOUT_FENCE,
  /** A relay that says that it leaves has no lanes any more, though it has sends on the way. */
  LEAVES_AT_ONCE;

  boolean owns() {
    return this != NO_CLAIM;
  }

  boolean claims() {
    return this == INSERT_CLAIM || this == INSERT_CLAIM_DELETED_ON_FAILURE;
  }

  boolean ordersBuried() {
    return this == BURIED_KEEPS_ITS_PLACE;
  }

  boolean fences() {
    return this != LEASE_WITHOUT_FENCE;
  }

  boolean fencesUnlocked() {
    return this != TAKES_WITHOUT_FENCE;
  }

  boolean leavesAtOnce() {
    return this == LEAVES_AT_ONCE;
  }

  boolean tellsQuiet() {
    return this != FORGETS_QUIET;
  }
}
