package io.waybill.relay;

import io.waybill.broker.Outgoing;
import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What the engine wants done. Effects on lanes, on the reader and on the store are each carried out
 * one after the other and answered by exactly one {@link Input}; the engine never has more than one
 * of each kind outstanding.
 */
public sealed interface Effect {
  /** A call to the database, carried out while the relay goes on. */
  sealed interface Call extends Effect {}

  /** Carried out by the lane store. */
  sealed interface OnLanes extends Call {}

  /** Carried out by the reader. */
  sealed interface OnReader extends Call {}

  /** Reads on in the lanes of a session. */
  sealed interface Reading extends OnReader {
    /** The session, with the renewals that are known of. */
    Session session();
  }

  /** Start a session. */
  record Join(Duration lease) implements OnLanes {}

  /** Prolong the session. */
  record Renew(Session session, Duration lease) implements OnLanes {}

  /** Look who owns what. */
  record View(Session session) implements OnLanes {}

  /** Take free lanes. */
  record Acquire(Session session, Set<Integer> lanes) implements OnLanes {}

  /** Give lanes back. */
  record Release(Session session, Set<Integer> lanes) implements OnLanes {}

  /** End the session. */
  record Leave(Session session) implements OnLanes {}

  /** Read these lanes from now on. */
  record Assign(Session session, Set<Integer> lanes) implements OnReader {}

  /** Read these lanes no longer. */
  record Revoke(Set<Integer> lanes) implements OnReader {}

  /**
   * Read on. A watching read that finds nothing is repeated after each pause, until it finds
   * something, its time is over or {@link Hurry} comes: so an idle relay has one turn where it
   * would have twenty.
   */
  record Read(Session session, int maxRows, long maxBytes, long watchNanos, long pauseNanos)
      implements Reading {
    Read(Session session, int maxRows, long maxBytes) {
      this(session, maxRows, maxBytes, 0, 0);
    }
  }

  /** A watching read is to be repeated at once and then answered. Has no answer of its own. */
  record Hurry() implements Effect {}

  /** Read held rows of unblocked keys. */
  record ReadHeld(Session session, List<EventKey> keys, int maxRows, long maxBytes)
      implements Reading {}

  /** Look again at rows that people may have changed. */
  record Look(Session session, List<RowRef> rows, long maxBytes) implements Reading {}

  /** Read operators' requests and paused destinations. */
  record ReadControl(Session session) implements Reading {}

  /** Make changes of state durable. */
  record Settle(long id, Session session, Settlement settlement) implements Call {}

  /** Hand a message to the publisher. */
  record Send(Outgoing message) implements Effect {}

  /** Tell the listener. */
  record Notify(RelayEvent event) implements Effect {}

  /** The engine has nothing left to do after a stop. */
  record Stopped() implements Effect {}
}
