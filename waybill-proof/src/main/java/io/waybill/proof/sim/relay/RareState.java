package io.waybill.proof.sim.relay;

/** States that a suite of runs has to reach, or it shows nothing about them. */
enum RareState {
  /** A settlement of a replaced relay was refused. */
  FENCED_MARK,
  /** A session was alive when a settlement left, and fenced when it arrived. */
  LEASE_LOST_WITH_SETTLEMENT_UNDER_WAY,
  /** A relay lost its session while its process lived. */
  TAKE_OVER_OF_LIVING_OWNER,
  /** A relay whose lock had ended took it back. */
  LOCK_TAKEN_BACK,
  /** A relay was found dead since its lock had ended. */
  TAKE_OVER_BY_LOCK,
  /** A new owner was told that messages of the former one may come. */
  UNQUIET_LANE,
  /** A frozen relay woke up after its session had been fenced. */
  ZOMBIE_WOKE,
  /** A relay read after its session had been fenced. */
  READ_OF_A_FENCED_RELAY,
  /** A relay went on as if no time had passed, because its clock had stood still with it. */
  WOKE_WITH_A_STOPPED_CLOCK,
  /** A relay handed over a message after its session had been fenced. */
  ZOMBIE_SENT,
  /** A message was stored after its sender lost its lanes. */
  LATE_APPEND_AFTER_TAKE_OVER,
  /** A relay was told of a confirmation after its session had been fenced. */
  LATE_CONFIRM_AFTER_TAKE_OVER,
  /** A fenced relay joined again. */
  REJOINED_AFTER_FENCING,
  /** A lane began to drain with sends of it in flight. */
  LANE_HANDED_OVER_IN_FLIGHT,
  /** A relay stopped gracefully while it had work. */
  GRACEFUL_STOP_WITH_WORK,
  /** A process died with confirmed rows that were not marked. */
  CRASH_BETWEEN_CONFIRM_AND_MARK,
  /** A process died with sends in flight. */
  CRASH_WITH_SENDS_IN_FLIGHT,
  /** A process froze in the middle of a turn. */
  FROZEN_WITHIN_A_TURN,
  /** A new owner found a key that waits for its next attempt. */
  RETRY_TAKEN_OVER,
  /** A new owner found a parked key. */
  PARKED_TAKEN_OVER,
  /** A new owner was told of what is blocked in several pages. */
  BACKLOG_IN_PAGES,
  /** A new owner found held rows. */
  HELD_TAKEN_OVER,

  /** A settlement was committed and its answer lost. */
  UNREPORTED_COMMIT,
  /** A settlement was tried again. */
  SETTLEMENT_RETRIED,
  /** A join was committed and its answer lost. */
  UNREPORTED_JOIN,
  /** Lanes were acquired and the answer lost. */
  UNREPORTED_ACQUIRE,
  /** Lanes were released and the answer lost. */
  UNREPORTED_RELEASE,
  /** The database crashed between a read's snapshot and its flush, and lost a row of it. */
  GHOST_AVERTED_BY_DURABLE_READ,
  /** A crash of the database lost committed rows. */
  COMMIT_LOST_IN_CRASH,
  /** A crash of the database lost the last commits, and kept unflushed ones before them. */
  CRASH_WITH_DURABLE_PREFIX,
  /** A settlement was kept from a server that is not the session's. */
  SETTLEMENT_KEPT_FROM_ANOTHER_HISTORY,
  /** A read was kept from a server that is not the session's. */
  READ_KEPT_FROM_ANOTHER_HISTORY,
  /** An id was given out again that another event had before. */
  ID_GIVEN_OUT_AGAIN,
  /** An id was given out again under which something was recorded. */
  ID_WITH_A_STATE_GIVEN_OUT_AGAIN,
  /** A fence was given out again that a session had before the database was set back. */
  FENCE_GIVEN_OUT_AGAIN,
  /** A row was committed after a row with a higher id was published. */
  LATE_COMMIT_BELOW_PUBLISHED,
  /** A row was published whose predecessor by id was rolled back. */
  PUBLISHED_ABOVE_A_GAP,
  /** Part of a transaction was rolled back to a savepoint. */
  SAVEPOINT_ROLLED_BACK,
  /** A delayed event was published. */
  DELAYED_PUBLISHED,

  /** A message was refused for its destination. */
  DESTINATION_REFUSED,
  /** A destination refused a message, and stored a copy in one of its queues. */
  REFUSED_WITH_A_COPY,
  /** A row with an unknown outcome was later definitely rejected. */
  UNKNOWN_THEN_REJECTED,
  /** The outcome of a send was unknown, and the message was stored. */
  UNKNOWN_OF_STORED,
  /** The outcome of a send was unknown, and the message was stored after that. */
  STORED_AFTER_UNKNOWN,
  /** The outcome of a send was unknown, and the message was never stored. */
  UNKNOWN_OF_LOST,
  /** The broker returned a message and then acknowledged it. */
  RETURNED_THEN_ACKED,
  /** The connection was lost between a return and its acknowledgement. */
  RETURNED_THEN_LOST,
  /** A confirmation was lost although the message was stored. */
  CONFIRM_LOST,
  /** A channel died with messages in flight that were not at fault. */
  INNOCENTS_UNKNOWN,
  /** A publisher refused to send behind a failure that the relay had not been told yet. */
  SEND_BEHIND_FAILURE,
  /** A message was not handed over, because its client had no room. */
  BUFFER_FULL,
  /** A destination that had been silent closed the channel that it shared with others. */
  SILENT_CHANNEL_CLOSED,
  /** A destination under suspicion failed again, beside the traffic of all others. */
  SUSPECT_REFUSED,
  /** A client refused a message at once while earlier ones of its key were in flight. */
  REFUSED_WITH_PREDECESSORS_IN_FLIGHT,
  /** A duplicate was delivered. */
  DUPLICATE,

  /** A breaker opened. */
  BREAKER_OPENED,
  /** A breaker in common opened, since as many others as may were open. */
  COMMON_BREAKER_OPENED,
  /** An open breaker let one message through. */
  BREAKER_HALF_OPEN,
  /** The message that an open breaker let through got no answer either. */
  BREAKER_PROBE_FAILED,
  /** An open breaker closed after a definite answer. */
  BREAKER_CLOSED_AGAIN,
  /** An event was confirmed in time while other destinations refused for minutes. */
  HEALTHY_BESIDE_A_LONG_REFUSAL,
  /** An event was confirmed within five seconds after its destination had refused for minutes. */
  FLOWED_AFTER_LONG_REFUSAL,
  /** A destination was paused by an operator. */
  DESTINATION_PAUSED,
  /** More keys were blocked than a relay keeps at hand. */
  KEYS_RESTED,
  /** Rows were put behind a blocked key. */
  HELD,
  /** Held rows were read back. */
  HELD_READ_BACK,
  /** A row that had been held was published. */
  HELD_THEN_PUBLISHED,
  /** An event was parked by its attempt limit. */
  PARKED,
  /** An event at its limit was parked, not buried, because a copy may exist. */
  PARKED_AFTER_UNKNOWN,
  /** A parked event was tried again by an operator and published. */
  PARKED_THEN_PUBLISHED,
  /** A parked event was skipped or buried by an operator. */
  PARKED_THEN_SKIPPED,
  /** An event without a route was given up. */
  UNROUTABLE_GIVEN_UP,
  /** An event was buried without a dead-letter destination. */
  DEAD,
  /** A copy went to the dead-letter destination. */
  DEAD_LETTERED,
  /** The dead-letter destination refused the copy. */
  DEAD_LETTER_REFUSED,
  /** An operator's request was carried out. */
  REQUEST_DONE,
  /** An operator's request was refused. */
  REQUEST_REFUSED,
  /** Dead events of one key were tried again together. */
  DEAD_RETRIED_TOGETHER,
  /** A replayed copy was stored. */
  REPLAYED,
  /** A relay looked at rows again. */
  LOOKED_AGAIN,
  /** What was recorded of a row was void, since somebody had removed or marked it. */
  FORGOTTEN,
  /** Somebody set a parked row back. */
  PARKED_SET_BACK,
  /** Somebody set a dead row back. */
  DEAD_SET_BACK,
  /** The table shows why the first row of a key waits. */
  NOTED,
  /** It was shown of a row that went back into the database. */
  NOTED_AND_HELD,
  /** It was shown in time, and renewed, while a destination refused for long. */
  NOTED_THROUGH_A_LONG_REFUSAL,
  /** A settlement was refused because of a row. */
  SETTLEMENT_REFUSED,
  /** A settlement was refused because of what it tells an operator. */
  ANSWER_REFUSED,
  /** A settlement was refused because somebody locked what it tells an operator. */
  ANSWER_LOCKED,
  /** A settlement was refused because of a row that goes back behind others. */
  HELD_REFUSED,
  /** A settlement was refused because somebody held a lock. */
  SETTLEMENT_LOCKED,
  /** A row whose change was refused was set aside. */
  SET_ASIDE,
  /** A retry of a group of failures came to its end. */
  GROUP_RETRIED,
  /** A retry of a group of failures stopped by itself. */
  GROUP_STOPPED,

  /** Reading stopped because the budget was used up. */
  BUDGET_FULL
}
