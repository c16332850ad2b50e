package io.waybill.proof.sim.relay;

/** What goes wrong in the world around the relays. */
enum Fault {
  /** A relay process died, at any time or between two effects. */
  RELAY_DIED,
  /** A relay process froze for a while, between two turns or within one. */
  RELAY_FROZEN,
  /** A relay process was asked to stop. */
  RELAY_STOPPED,
  /** The connection that holds a relay's lock ended. */
  LOCK_ENDED,
  /** The database crashed and forgot what it had not written. */
  DATABASE_CRASHED,
  /** Another server answers, from an earlier point of what this one had. */
  SERVER_REPLACED,
  /** The database goes on from an earlier point and says nothing of it. */
  DATABASE_SET_BACK,
  /** The database answered nobody for a while. */
  DATABASE_DOWN,
  /** The clock of the database jumped. */
  CLOCK_JUMPED,
  /** A call to the database failed and was not carried out. */
  CALL_FAILED,
  /** A call to the database was carried out and its answer lost. */
  CALL_UNREPORTED,
  /** A call to the database took long on its way there or back. */
  CALL_SLOW,
  /** The broker answered nobody for a while. */
  BROKER_DOWN,
  /** The broker said that it takes nothing for a while. */
  BROKER_BLOCKED,
  /** One destination was silent or refused everything for a while. */
  DESTINATION_DOWN,
  /** All destinations were silent, and one closed its channel when it answered again. */
  DESTINATION_GONE_AFTER_SILENCE,
  /** Some destinations refused everything for minutes. */
  DESTINATION_REFUSED_FOR_LONG,
  /** A connection to the broker was lost. */
  CONNECTION_LOST,
  /** Somebody changed a row with SQL. */
  CHANGED_BY_HAND,
  /** Somebody emptied the table or reset its sequence: ids come again. */
  IDS_BEGAN_AGAIN,
  /** A message did not reach the broker. */
  SEND_LOST,
  /** A message reached the broker late. */
  SEND_LATE,
  /** A message was refused. */
  SEND_REFUSED,
  /** A message was stored and its confirmation lost. */
  CONFIRM_LOST
}
