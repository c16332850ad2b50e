package io.waybill.proof.sim.inbox;

/** What goes wrong in the world around inboxes. */
enum InboxFault {
  /** A process died. */
  PROCESS_DIED,
  /** A handler killed its process. */
  KILLED_BY_A_HANDLER,
  /** A process froze for a while. */
  PROCESS_FROZEN,
  /** A process was asked to stop. */
  PROCESS_STOPPED,
  /** A lane was moved with notice. */
  LANE_REVOKED,
  /** A lane was moved without notice. */
  LANE_LOST,
  /** A partition was added. */
  PARTITION_ADDED,
  /** The broker lost the end of a log. */
  LOG_LOST_ITS_END,
  /** A topic was deleted and made anew. */
  TOPIC_MADE_ANEW,
  /** The broker forgot the position of a group. */
  POSITION_EXPIRED,
  /** A call to the database failed. */
  CALL_FAILED,
  /** The database refused the values of one statement. */
  VALUES_REFUSED,
  /** The database answered nobody for a while. */
  DATABASE_DOWN,
  /** A standby took over that lacks the last transactions. */
  DATABASE_FAILED_OVER,
  /** One took over that has all of them. */
  DATABASE_SWITCHED_OVER,
  /** An error rolled a transaction back, and the handler kept it to itself. */
  ROLLED_BACK_UNSEEN,
  /** A statement of a handler committed its transaction. */
  HANDLER_COMMITTED,
  /** One rolled it back. */
  HANDLER_ROLLED_BACK,
  /** A handler failed in a way that passes. */
  HANDLER_FAILED,
  /** A handler did not return within its time. */
  HANDLER_HUNG,
  /** A handler failed for good. */
  HANDLER_REFUSED,
  /** A dead letter or its confirmation was lost. */
  LETTER_LOST,
  /** A dead letter was refused. */
  LETTER_REFUSED
}
