package io.waybill.proof.sim.inbox;

/** States of the inbox that a suite of runs has to reach, or it shows nothing about them. */
enum InboxRare {
  /** A copy of a processed event was dropped. */
  DUPLICATE_DROPPED,
  /** A copy waited for the transaction that processes another one. */
  WAITED_FOR_CONCURRENT_COPY,
  /** An event was tried again in place and handled. */
  QUICK_RETRY_SUCCEEDED,
  /** An event was put into the table of deferred events. */
  DEFER,
  /** A delivery was given up, and that put on record before its letter went out. */
  GIVEN_UP,
  /** A deferred event was given up, and that put on record before its letter went out. */
  GIVEN_UP_LATER,
  /** An operator sent a letter again. */
  REDRIVEN,
  /** There is an event of its producer's that has its headers, or is named like its copy. */
  REDRIVEN_BESIDE_DERIVED,
  /** An event was put behind a deferred one of its key. */
  DEFERRED_BEHIND,
  /** A deferred event failed again. */
  DEFERRED_AGAIN,
  /** A deferred event was handled. */
  DEFERRED_HANDLED,
  /** A deferred event had been processed meanwhile. */
  DEFERRED_DUPLICATE,
  /** The claim of a deferred event had gone to somebody else. */
  CLAIM_LOST,
  /** A deferred event was claimed whose former claim had run out. */
  CLAIM_RAN_OUT,
  /** The database did not take an event, and its key waited. */
  REFUSED,
  /** An event that can't be deferred was handled at a later attempt. */
  HANDLED_WITHOUT_DEFERRAL,
  /** Several events were handled in one transaction. */
  BATCH_HANDLED,
  /** A batch failed, and its events were handled singly. */
  BATCH_FAILED,
  /** Several events, each with its own call of a handler, were handled in one transaction. */
  SHARED_HANDLED,
  /** A shared transaction failed, and its events were handled in their own. */
  SHARED_FAILED,
  /** A shared transaction took too long, and the rest of its events went back. */
  SHARED_CUT,
  /** A letter was refused in a run where that does not end by itself. */
  LETTER_REFUSED_FOR_LONG,
  /** The database refused an event in such a run. */
  VALUES_REFUSED_FOR_LONG,
  /** The inbox told which message can't be finished. */
  STUCK_TOLD,
  /** An event's letter is confirmed and noted. */
  DEAD_LETTERED,
  /** An event was given up after its last attempt. */
  ATTEMPTS_EXHAUSTED,
  /** A message that is no event was dead-lettered. */
  UNDECODABLE_BURIED,
  /** An event of an unknown type was dead-lettered. */
  UNKNOWN_TYPE_BURIED,
  /** An event of an unknown type was ignored. */
  IGNORED,
  /** An event that was sent again for another consumer was passed over. */
  PASSED_OVER,
  /** One was dead-lettered, because nobody else has a copy. */
  REDRIVEN_BURIED,
  /** A dead letter was refused or unconfirmed, and the original stayed. */
  DEAD_LETTER_FAILED,
  /** A dead letter was stored without confirmation. */
  LETTER_STORED_UNCONFIRMED,
  /** The letter of a deferred event failed, and the event went back to its table. */
  DEFERRED_LETTER_FAILED,
  /** An event that may have killed the process was handled. */
  SUSPECT_HANDLED,
  /** Several of those were handled at the same time. */
  SUSPECTS_HANDLED_TOGETHER,
  /** An event that was under way when a process died was handled while nothing else was. */
  HANDLED_ALONE,
  /** An event that kills the process was recognised. */
  KILLER_BURIED,
  /** A process died with a handler's effect not committed. */
  CRASH_BEFORE_COMMIT,
  /** A process died with a commit not yet acknowledged. */
  CRASH_BEFORE_ACKNOWLEDGEMENT,
  /** A commit was carried out and its answer lost. */
  COMMIT_UNREPORTED,
  /** A commit was not carried out and its answer lost. */
  COMMIT_FAILED,
  /** Nothing was handled because the database failed, and then went on. */
  STORE_RECOVERED,
  /** A failover took the effect of an event along. */
  EFFECT_LOST_WITH_ITS_SERVER,
  /** One took along that an event waits for another attempt. */
  DEFERRAL_LOST_WITH_ITS_SERVER,
  /** A deferred event that was done with came back. */
  DEFERRED_CAME_BACK,
  /** A process read a lane of its own again after a failover. */
  READ_AGAIN_AFTER_A_FAILOVER,
  /** A lane was read again for what a former owner had acknowledged on another server. */
  READ_AGAIN_FOR_A_FORMER_OWNER,
  /** The database failed over, and there was nothing to read again. */
  NOTHING_TO_READ_AGAIN,
  /** Another failover came before a process was done with one. */
  ANOTHER_FAILOVER_MEANWHILE,
  /** Work that was handed out for one server was refused on another. */
  WORK_OF_ANOTHER_SERVER,
  /** A process died while it went from one server to another. */
  DIED_BETWEEN_SERVERS,
  /** A lane was lost with events of it being handled. */
  LANE_LOST_WHILE_RUNNING,
  /** A lane left after its running handlers had ended. */
  LANE_LEFT_QUIETLY,
  /** A lane left before its running handlers had ended. */
  LANE_LEFT_LATE,
  /** A process committed an effect of a lane that it had lost. */
  COMMITTED_AFTER_LOSS,
  /** A lane that was added had messages when its first owner began. */
  ADDED_LANE_HAD_MESSAGES,
  /** The committed position lay above the end of a log that had lost its end. */
  POSITION_ABOVE_THE_END,
  /** A lane got another history with events of it being handled. */
  HISTORY_CHANGED_WHILE_RUNNING,
  /** An acknowledgement of a lost lane was ignored. */
  ACKNOWLEDGED_AFTER_LOSS,
  /** Deliveries were given back. */
  GIVEN_BACK,
  /** A lane was held to bound the memory. */
  HELD,
  /** A process stopped with events being handled. */
  STOPPED_WITH_WORK,
  /** A process froze with a transaction open. */
  FROZEN_IN_TRANSACTION,
  /** A statement of a handler committed a transaction that events share. */
  SHARED_COMMITTED,
  /** One committed the transaction of a deferred event. */
  DEFERRED_COMMITTED,
  /** A handler failed after its statement had committed. */
  FAILED_AFTER_COMMIT,
  /** A process died after a handler's statement had committed. */
  DIED_AFTER_COMMIT,
  /** Notes that a statement had committed were met, and the events handled. */
  OPEN_NOTE_TAKEN_OVER,
  /** The transaction of such an event was not committed, since another had taken it over. */
  TAKEN_OVER_MEANWHILE,
  /** What a handler did before its statement was done a second time. */
  COMMITTED_PART_AGAIN,
  /** A statement that the inbox does not see committed what other handlers had done too. */
  OTHERS_COMMITTED_TOO
}
