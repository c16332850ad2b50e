package io.waybill.proof.sim.relay;

import io.waybill.proof.sim.seed.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Dead events that operators have tried again. What was given up has lost its place in its key;
 * once a relay takes it up it has one again, before all that come after it and that this relay has
 * not sent by then.
 */
final class Revivals {
  /** What shows a request to a relay. */
  record Look(long request, Tenure by) {}

  /** One request to try a dead event again, as a relay was shown it. */
  private static final class Revival {
    final Look shown;
    final long number;
    // Of its key, by the same relay.
    final Set<SimRow> sentBefore = new HashSet<>();
    boolean takenUp;
    // Whether the relay has taken the request up shows only when it answers.
    @Nullable SimRow overtaker;

    Revival(Look shown, long number) {
      this.shown = shown;
      this.number = number;
    }
  }

  private final Map<SimRow, Revival> open = new HashMap<>();
  private long looks;

  /** A relay is about to take in what a look at the requests has shown. */
  void looked() {
    looks++;
  }

  /** The look shows that an event is to be tried again. */
  void shown(SimRow row, boolean dead, Look look, List<SimRow> key) {
    Revival before = open.get(row);
    if (before != null && before.takenUp && before.shown.by == look.by) {
      return;
    }
    open.remove(row);
    if (dead) {
      Revival revival = new Revival(look, looks);
      for (SimRow other : key) {
        if (other.sentBy == look.by.number()) {
          revival.sentBefore.add(other);
        }
      }
      open.put(row, revival);
    }
  }

  void handedOver(SimSend send) {
    send.look = looks;
    if (!send.deadLetter && !send.replay) {
      send.row.sentBy = send.tenure.number();
    }
  }

  /**
   * A request has its answer. Returns whether that means that several dead events of the key are
   * tried again together.
   */
  boolean answered(SimRow row, long request, boolean takenUp, List<SimRow> key) {
    Revival revival = open.get(row);
    if (revival == null || revival.shown.request != request) {
      return false;
    }
    if (!takenUp) {
      open.remove(row);
      return false;
    }
    revival.takenUp = true;
    if (revival.overtaker != null) {
      throw overtaken(row, revival.overtaker);
    }
    return key.stream()
        .filter(other -> other != row)
        .map(open::get)
        .anyMatch(other -> other != null && other.takenUp && other.number == revival.number);
  }

  /** It is given up anew, or waits for an operator again. */
  void ended(SimRow row) {
    open.remove(row);
    // What is sent of it from now on is another try.
    row.sentBy = 0;
  }

  /** Nobody knows any more what relays were shown. */
  void clear() {
    open.clear();
  }

  /** The first copy of a row that consumers will see was stored. */
  void delivered(SimSend send, List<SimRow> key) {
    if (open.isEmpty()) {
      return;
    }
    for (SimRow earlier : key) {
      if (earlier.number >= send.row.number) {
        return;
      }
      Revival revival = open.get(earlier);
      if (revival != null && waits(earlier) && earlier.id < send.row.id && isPast(revival, send)) {
        if (revival.takenUp) {
          throw overtaken(earlier, send.row);
        }
        revival.overtaker = send.row;
      }
    }
  }

  private static boolean waits(SimRow row) {
    return row.life == SimRow.Life.COMMITTED && !row.delivered && !row.markedByHand;
  }

  private static boolean isPast(Revival revival, SimSend send) {
    return send.tenure == revival.shown.by
        && send.look >= revival.number
        && !revival.sentBefore.contains(send.row);
  }

  private static Violation overtaken(SimRow earlier, SimRow row) {
    return new Violation(
        "I3 order per key", row + " was delivered before " + earlier + ", which was tried again");
  }
}
