package io.waybill.internal.relay;

import io.waybill.broker.Outgoing;
import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.RelayReport;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * An action that the engine asks for. Effects on lanes, on the reader and on the store are each
 * carried out one after the other, and exactly one {@link Input} answers each. The engine never has
 * more than one outstanding on each of the three.
 */
public sealed interface Effect {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    JOIN,
    RENEW,
    VIEW,
    ACQUIRE,
    RELEASE,
    LEAVE,
    ASSIGN,
    REVOKE,
    READ,
    READ_HELD,
    LOOK,
    READ_CONTROL,
    SETTLE,
    WAKE_READER,
    SEND,
    NOTIFY,
    STOPPED
  }

  /** A call to the database, carried out while the relay continues. */
  sealed interface Call extends Effect {}

  /** Carried out by the lane store. */
  sealed interface OnLanes extends Call {}

  /** Carried out by the reader. */
  sealed interface OnReader extends Call {}

  /** Reads further in the lanes of a session. */
  sealed interface Reading extends OnReader {
    /** The session, with the renewals that are known. */
    Session session();
  }

  /** Start a session. */
  record Join(Duration lease) implements OnLanes {
    @Override
    public Kind kind() {
      return Kind.JOIN;
    }
  }

  /** Prolong the session, and say how the relay is. */
  record Renew(Session session, Duration lease, RelayReport report) implements OnLanes {
    @Override
    public Kind kind() {
      return Kind.RENEW;
    }
  }

  /** See who owns which lane; while lanes are moving, nothing else may hold the answer up. */
  record View(Session session, boolean lanesMove) implements OnLanes {
    @Override
    public Kind kind() {
      return Kind.VIEW;
    }
  }

  /** Take free lanes. */
  record Acquire(Session session, Set<Integer> lanes) implements OnLanes {
    @Override
    public Kind kind() {
      return Kind.ACQUIRE;
    }
  }

  /** Release lanes. */
  record Release(Session session, Set<Integer> lanes) implements OnLanes {
    @Override
    public Kind kind() {
      return Kind.RELEASE;
    }
  }

  /** End the session. */
  record Leave(Session session) implements OnLanes {
    @Override
    public Kind kind() {
      return Kind.LEAVE;
    }
  }

  /** Start reading these lanes. */
  record Assign(Session session, Set<Integer> lanes) implements OnReader {
    @Override
    public Kind kind() {
      return Kind.ASSIGN;
    }
  }

  /** Stop reading these lanes. */
  record Revoke(Set<Integer> lanes) implements OnReader {
    @Override
    public Kind kind() {
      return Kind.REVOKE;
    }
  }

  /**
   * Read further. A watching read that finds nothing is repeated after each pause, until it finds
   * something, its time runs out or {@link WakeReader} arrives. An idle relay then needs one turn
   * instead of twenty.
   */
  record Read(Session session, int maxRows, long maxBytes, long watchNanos, long pauseNanos)
      implements Reading {
    @Override
    public Kind kind() {
      return Kind.READ;
    }

    Read(Session session, int maxRows, long maxBytes) {
      this(session, maxRows, maxBytes, 0, 0);
    }
  }

  /** Repeat a watching read immediately, then answer it. This effect itself has no answer. */
  record WakeReader() implements Effect {
    @Override
    public Kind kind() {
      return Kind.WAKE_READER;
    }
  }

  /** Read held rows of unblocked keys. */
  record ReadHeld(Session session, List<EventKey> keys, int maxRows, long maxBytes)
      implements Reading {
    @Override
    public Kind kind() {
      return Kind.READ_HELD;
    }
  }

  /** Read rows again that people may have changed. */
  record Look(Session session, List<RowRef> rows, long maxBytes) implements Reading {
    @Override
    public Kind kind() {
      return Kind.LOOK;
    }
  }

  /** Read operators' requests and paused destinations. */
  record ReadControl(Session session) implements Reading {
    @Override
    public Kind kind() {
      return Kind.READ_CONTROL;
    }
  }

  /** Make state changes durable. */
  record Settle(long id, Session session, Settlement settlement) implements Call {
    @Override
    public Kind kind() {
      return Kind.SETTLE;
    }
  }

  /** Hand a message to the publisher. */
  record Send(Outgoing message) implements Effect {
    @Override
    public Kind kind() {
      return Kind.SEND;
    }
  }

  /** Call the listener. */
  record Notify(RelayEvent event) implements Effect {
    @Override
    public Kind kind() {
      return Kind.NOTIFY;
    }
  }

  /** The engine has nothing left to do after a stop. */
  record Stopped() implements Effect {
    @Override
    public Kind kind() {
      return Kind.STOPPED;
    }
  }
}
