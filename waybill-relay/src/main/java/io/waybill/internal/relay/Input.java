package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.Session;
import java.util.List;
import java.util.Set;

/** An event in the world; the engine answers with {@link Effect}s. */
public sealed interface Input {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    SIGNAL,
    CONFIRMATIONS,
    JOINED,
    RENEWED,
    VIEWED,
    ACQUIRED,
    RELEASED,
    LEFT,
    ASSIGNED,
    REVOKED,
    ROWS_READ,
    HELD_READ,
    LOOKED,
    CONTROL_READ,
    SETTLE_DONE,
    SESSION_LOST,
    REFUSED,
    FAILED
  }

  /** Time passed, or another event without data. */
  enum Signal implements Input {
    /** Only time passed. */
    TICK,
    /** An event was committed in this process: read soon. */
    WAKE,
    /** The broker accepts messages. */
    PUBLISHER_AVAILABLE,
    /** The broker accepts no messages for now. */
    PUBLISHER_UNAVAILABLE,
    /** Stop, but go on until the other relays have had time to get ready for the lanes. */
    HAND_OVER,
    /** Stop: finish the sends in flight, settle them, leave. */
    STOP;

    @Override
    public Kind kind() {
      return Kind.SIGNAL;
    }
  }

  /** Outcomes of sends, in the order in which they were reported. */
  record Confirmations(List<Confirmation> confirmations) implements Input {
    @Override
    public Kind kind() {
      return Kind.CONFIRMATIONS;
    }
  }

  /** Answer to {@link Effect.Join}. */
  record Joined(Session session, long startedNanos) implements Input {
    @Override
    public Kind kind() {
      return Kind.JOINED;
    }
  }

  /** Answer to {@link Effect.Renew}: whether the session still lives. */
  record Renewed(Session session, boolean alive, long startedNanos) implements Input {
    @Override
    public Kind kind() {
      return Kind.RENEWED;
    }
  }

  /** Answer to {@link Effect.View}. */
  record Viewed(Session session, LaneView view) implements Input {
    @Override
    public Kind kind() {
      return Kind.VIEWED;
    }
  }

  /** Answer to {@link Effect.Acquire}: the lanes won. */
  record Acquired(Session session, Set<Integer> lanes) implements Input {
    @Override
    public Kind kind() {
      return Kind.ACQUIRED;
    }
  }

  /** Answer to {@link Effect.Release}. */
  record Released(Session session, Set<Integer> lanes) implements Input {
    @Override
    public Kind kind() {
      return Kind.RELEASED;
    }
  }

  /** Answer to {@link Effect.Leave}. */
  record Left(Session session) implements Input {
    @Override
    public Kind kind() {
      return Kind.LEFT;
    }
  }

  /** Answer to {@link Effect.Assign}. */
  record Assigned(Set<Integer> lanes, Backlog backlog) implements Input {
    @Override
    public Kind kind() {
      return Kind.ASSIGNED;
    }
  }

  /** Answer to {@link Effect.Revoke}. */
  record Revoked(Set<Integer> lanes) implements Input {
    @Override
    public Kind kind() {
      return Kind.REVOKED;
    }
  }

  /** Answer to {@link Effect.Read}. */
  record RowsRead(ReadResult result) implements Input {
    @Override
    public Kind kind() {
      return Kind.ROWS_READ;
    }
  }

  /** Answer to {@link Effect.ReadHeld}. */
  record HeldRead(Effect.ReadHeld effect, ReadResult result) implements Input {
    @Override
    public Kind kind() {
      return Kind.HELD_READ;
    }
  }

  /** Answer to {@link Effect.Look}; rows that did not fit are left out. */
  record Looked(Effect.Look effect, List<RowLook> looks) implements Input {
    @Override
    public Kind kind() {
      return Kind.LOOKED;
    }
  }

  /** Answer to {@link Effect.ReadControl}. */
  record ControlRead(List<OperatorRequest> requests, Set<String> pausedDestinations)
      implements Input {
    @Override
    public Kind kind() {
      return Kind.CONTROL_READ;
    }
  }

  /** Answer to {@link Effect.Settle}. */
  record SettleDone(Effect.Settle effect, Settled settled) implements Input {
    @Override
    public Kind kind() {
      return Kind.SETTLE_DONE;
    }
  }

  /** The database is not where the session joined: the effect was not carried out. */
  record SessionLost(Effect effect, Session session) implements Input {
    @Override
    public Kind kind() {
      return Kind.SESSION_LOST;
    }
  }

  /** The database refused a settlement because of one of its rows; nothing was changed. */
  record Refused(Effect.Settle effect, boolean locked, String reason) implements Input {
    @Override
    public Kind kind() {
      return Kind.REFUSED;
    }
  }

  /** The database did not carry out an effect, or did and could not confirm it. */
  record Failed(Effect effect) implements Input {
    @Override
    public Kind kind() {
      return Kind.FAILED;
    }
  }
}
