package io.waybill.proof.sim.relay;

import io.waybill.message.EventKey;
import io.waybill.proof.sim.seed.Scheduler;
import io.waybill.proof.sim.seed.Trace;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sees everything that happens in the world and checks the invariants at each step. */
final class Observations {
  private final Scheduler time;
  final Trace trace;
  private final Tallies tallies = new Tallies();
  private final Map<EventKey, List<SimRow>> byKey = new HashMap<>();
  private final List<Tenure> tenures = new ArrayList<>();
  final Revivals revivals = new Revivals();
  // When something was last shown of the first row of a key, or of a row without one.
  private final Map<Object, Long> notedAt = new HashMap<>();
  private long highestPublished;

  Observations(Scheduler time, Trace trace) {
    this.time = time;
    this.trace = trace;
  }

  void rare(RareState state) {
    tallies.states.count(state);
  }

  void fault(Fault fault) {
    trace.mix(fault.name().hashCode(), 6);
    tallies.faults.count(fault);
  }

  Tallies tallies() {
    return tallies;
  }

  void inserted(SimRow row) {
    if (row.key != null) {
      byKey.computeIfAbsent(row.key, key -> new ArrayList<>()).add(row);
    }
  }

  void committed(SimRow row) {
    trace.mix(1, row.id);
    trace.line(() -> "commit " + row);
    if (row.id < highestPublished) {
      rare(RareState.LATE_COMMIT_BELOW_PUBLISHED);
    }
  }

  void lost(SimRow row) {
    trace.mix(2, row.id);
    trace.line(() -> "lost in crash " + row);
    rare(RareState.COMMIT_LOST_IN_CRASH);
    if (row.delivered) {
      throw new Violation("I5 no ghosts", row + " was published and then forgotten in a crash");
    }
  }

  /** What anybody had done since the point from which the database goes on may be done again. */
  void setBack() {
    tenures.forEach(tenure -> tenure.cut = true);
    revivals.clear();
  }

  void joined(Tenure tenure) {
    tenures.add(tenure);
  }

  void fenced(Session session, String by) {
    trace.mix(3, session.fence());
    trace.line(() -> "session " + session.fence() + " fenced by " + by);
    for (Tenure tenure : tenures) {
      if (tenure.session.is(session)) {
        tenure.fenced = true;
        if (!tenure.cut) {
          rare(RareState.TAKE_OVER_OF_LIVING_OWNER);
        }
      }
    }
  }

  void published(SimRow row, Session session) {
    trace.mix(4, row.id);
    if (row.copies.stream().noneMatch(copy -> confirmedTo(copy, session))) {
      throw new Violation("I1 no false success", row + " is marked, and no copy was confirmed");
    }
    if (row.wasHeld) {
      rare(RareState.HELD_THEN_PUBLISHED);
    }
    if (row.wasParked) {
      rare(RareState.PARKED_THEN_PUBLISHED);
    }
    if (row.availableAt > 0) {
      rare(RareState.DELAYED_PUBLISHED);
    }
    highestPublished = Math.max(highestPublished, row.id);
    trace.line(() -> "marked by " + session.fence() + " " + row);
  }

  private static boolean confirmedTo(SimSend copy, Session session) {
    return copy.told == SimSend.Outcome.CONFIRMED && copy.tenure.session.is(session);
  }

  /**
   * The broker has appended it.
   *
   * @param kept whether consumers will see it
   */
  void stored(SimSend send, boolean takenOver, boolean kept) {
    SimRow row = send.row;
    trace.mix(5, row.id);
    trace.line(() -> "stored " + send);
    send.stored = true;
    if (takenOver) {
      rare(RareState.LATE_APPEND_AFTER_TAKE_OVER);
    }
    if (send.told == SimSend.Outcome.REJECTED || send.told == SimSend.Outcome.REFUSED) {
      throw new IllegalStateException("stored after it was refused: " + send);
    }
    if (send.told == SimSend.Outcome.UNKNOWN) {
      rare(RareState.STORED_AFTER_UNKNOWN);
    }
    // What was read before it vanished may still arrive; nobody reads it after that.
    boolean vanished = row.life == SimRow.Life.UNDONE && send.tenure.number() > row.undoneAt;
    if (!row.wasCommitted() || vanished) {
      throw new Violation("I5 no ghosts", send + " was stored, but " + row);
    }
    if (!Arrays.equals(send.message.body(), row.row.payload())) {
      throw new Violation("I1 no false success", "other bytes in " + send);
    }
    // The clocks of database and simulation are one in runs with delayed events.
    if (row.availableAt > time.now() && !send.replay) {
      throw new Violation("not before its time", row.toString());
    }
    if (send.deadLetter) {
      row.deadLettered = true;
      rare(RareState.DEAD_LETTERED);
      return;
    }
    if (!row.copies.isEmpty()) {
      rare(send.replay ? RareState.REPLAYED : RareState.DUPLICATE);
    }
    row.copies.add(send);
    if (!row.delivered && kept) {
      row.delivered = true;
      if (!send.replay) {
        checkOrder(row, send.tenure.number());
        revivals.delivered(send, ofKey(row));
      }
    }
  }

  private void checkOrder(SimRow row, long sender) {
    if (row.key == null || row.everDead || row.markedByHand) {
      // What was given up has lost its place; see Revivals about what has one again.
      return;
    }
    for (SimRow earlier : ofKey(row)) {
      if (earlier.number >= row.number) {
        return;
      }
      // Where the sequence was set back, the numbers of before and after are in no order.
      if (earlier.life == SimRow.Life.COMMITTED
          && earlier.id < row.id
          && earlier.backAt < sender
          && !earlier.delivered
          && !earlier.everDead
          && !earlier.markedByHand
          && due(earlier) <= due(row)) {
        throw new Violation("I3 order per key", row + " was delivered before " + earlier);
      }
    }
  }

  /** Rows of the same key, as they were written; none of a row without one. */
  List<SimRow> ofKey(SimRow row) {
    return row.key == null ? List.of() : byKey.getOrDefault(row.key, List.of());
  }

  // Delayed events and jumps of the database clock do not occur in one run.
  private static long due(SimRow row) {
    return Math.max(row.visibleAt, row.availableAt);
  }

  void told(SimSend send, SimSend.Outcome outcome) {
    trace.mix(outcome.name().hashCode(), send.message.sendId());
    trace.line(() -> "told " + outcome + " " + send);
    send.told = outcome;
    SimRow row = send.row;
    boolean inVain =
        outcome == SimSend.Outcome.UNKNOWN
            || outcome == SimSend.Outcome.REFUSED
            || outcome == SimSend.Outcome.REJECTED;
    if (inVain && !send.deadLetter && !send.replay) {
      row.firstVainAt = row.vain == 0 ? time.now() : row.firstVainAt;
      row.vain++;
    }
    if (outcome == SimSend.Outcome.UNKNOWN) {
      // A replayed row has had its place in the key.
      if (!send.deadLetter && !send.replay && (send.stored || !send.killed)) {
        row.unknownTo = send.tenure.number();
      }
      if (send.stored) {
        rare(RareState.UNKNOWN_OF_STORED);
      } else if (send.killed) {
        rare(RareState.UNKNOWN_OF_LOST);
      }
    } else if (outcome == SimSend.Outcome.REFUSED) {
      rare(RareState.DESTINATION_REFUSED);
    } else if (outcome == SimSend.Outcome.CONFIRMED && send.tenure.fenced) {
      rare(RareState.LATE_CONFIRM_AFTER_TAKE_OVER);
    } else if (outcome == SimSend.Outcome.REJECTED && row.unknownTo == send.tenure.number()) {
      rare(RareState.UNKNOWN_THEN_REJECTED);
    }
  }

  /** The table shows why the row waits. Returns when it last did of its key, 0 for never. */
  long noted(SimRow row) {
    trace.mix(8, row.id);
    trace.line(() -> "noted " + row);
    Long before = notedAt.put(subject(row), time.now());
    return before == null ? 0 : before;
  }

  long notedAt(SimRow row) {
    return notedAt.getOrDefault(subject(row), 0L);
  }

  private static Object subject(SimRow row) {
    return row.key == null ? row : row.key;
  }

  void crashed(Tenure tenure, Iterable<SimSend> sends) {
    tenure.cut = true;
    boolean unmarked = false;
    boolean inFlight = false;
    for (SimSend send : sends) {
      inFlight |= send.told == SimSend.Outcome.NONE;
      unmarked |= send.told == SimSend.Outcome.CONFIRMED && !send.row.published;
    }
    if (unmarked) {
      rare(RareState.CRASH_BETWEEN_CONFIRM_AND_MARK);
    }
    if (inFlight) {
      rare(RareState.CRASH_WITH_SENDS_IN_FLIGHT);
    }
  }

  long now() {
    return time.now();
  }
}
