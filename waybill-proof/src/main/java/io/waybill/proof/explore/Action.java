package io.waybill.proof.explore;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What can happen next. The specification {@code OutboxRelay.tla} has an action of the same name
 * for each.
 */
enum Action {
  /** The transaction that wrote an event commits. */
  COMMIT,
  /** The transaction that wrote an event is rolled back. */
  ROLL_BACK,
  /** Time passes for a relay: whatever it waits for is due. */
  TICK,
  /** The database carries out a call about sessions, lanes or what is read of them. */
  OWN,
  /** The database carries out a read of events. */
  READ,
  /** The database carries out a settlement. */
  SETTLE,
  /** A relay is told what its call brought. */
  ANSWER,
  /** The broker stores a message. */
  STORE,
  /** A relay is told that its message is stored. */
  CONFIRM,
  /** A relay is told that its message was refused, or that nobody knows. */
  TELL,
  /** The broker stores a message that its sender has given up. */
  LAND,
  /** Fault: a call does not reach the database. */
  LOSE_CALL,
  /** Fault: a call was carried out, and its relay is told that it failed. */
  LOSE_ANSWER,
  /** Fault: the broker or its client definitely refuses a message. */
  REFUSE,
  /** Fault: no outcome in time; the message is on the wire, and may be stored later or never. */
  TIME_OUT,
  /** Fault: the message is stored and its confirmation lost. */
  LOSE_CONFIRM,
  /** Fault: a relay dies, and another process starts in its place. */
  CRASH,
  /**
   * Counts as a fault, and excuses nothing: a relay is stopped on purpose, and gives its lanes up;
   * another process starts in its place.
   */
  HAND_OVER,
  /**
   * Fault, if its relay lives and has the session: a lease ends; the relay finds out by its own
   * clock. The lease of a session that was ended early ends in any case.
   */
  EXPIRE,
  /** Fault: a lease ends while the clock of its relay stands still. */
  FREEZE,
  /**
   * Fault, if its relay lives: the lock of a session ends and is not taken back, so that others
   * find the session dead although its lease goes on; the relay is not told.
   */
  END_SESSION,
  /** Fault: the database forgets what is not on disk, and cuts all calls. */
  CRASH_DATABASE;

  /** The name in the specification: {@code ROLL_BACK} is {@code RollBack}. */
  String specified() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
