package io.waybill.proof.explore;

import io.waybill.proof.explore.State.Life;
import io.waybill.proof.explore.State.Mark;
import io.waybill.proof.explore.State.Place;
import io.waybill.proof.explore.State.Row;
import io.waybill.proof.explore.State.Send;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages between relays and broker. On Kafka's side they are stored and confirmed in the order of
 * their key, and the first failure ends a generation of the client: everything outstanding becomes
 * unknown, and of what is on the wire a prefix may be stored late.
 */
final class Wire {
  private final Scope scope;
  private final Rows rows;

  Wire(Scope scope, Rows rows) {
    this.scope = scope;
    this.rows = rows;
  }

  void shift(State state, int relay, long by) {
    if (by != 0) {
      state.sends.replaceAll(send -> send.relay() == relay ? send.shifted(by) : send);
    }
  }

  void send(State state, int number, int row, long behind) {
    State.Relay relay = state.relays[number];
    if (State.has(state.frozen & ~state.alive, relay.fence)) {
      // Nothing told it that it lost its session.
      state.rows[row].excused++;
    }
    boolean refused =
        state.sends.stream()
            .anyMatch(
                other ->
                    other.relay() == number
                        && !other.open()
                        && rows.key(other.row()) == rows.key(row));
    // Behind a failure of its key that the relay has not heard of, nothing is handed over.
    Place place = refused ? Place.FAILED : Place.WIRE;
    state.sends.add(new Send(number, relay.generation, row, relay.fence, behind, place));
  }

  /** Whether each message of a session was stored or refused, or is given up by its sender. */
  static boolean isOver(State state, int fence) {
    return state.sends.stream()
        .noneMatch(send -> send.fence() == fence && send.place() == Place.WIRE);
  }

  /** A lease outlives what is sent under it: what has not come by now never comes. */
  void leaseOver(State state, int fence) {
    state.sends.removeIf(send -> send.fence() == fence && send.place() == Place.LATE);
    state.sends.replaceAll(
        send ->
            send.fence() == fence && send.place() == Place.FAILED_ON_WIRE
                ? send.in(Place.FAILED)
                : send);
  }

  /** Whether nothing is before it on the wire. */
  boolean isNext(State state, int item) {
    return !scope.pipelined() || before(state, item).stream().noneMatch(Send::onWire);
  }

  /** Whether nothing is before it that its sender waits for. */
  boolean isNextToConfirm(State state, int item) {
    return !scope.pipelined() || before(state, item).stream().noneMatch(Send::open);
  }

  /** Whether it is the last of its key that was handed over. */
  boolean isLast(State state, int item) {
    Send send = state.sends.get(item);
    return state.sends.subList(item + 1, state.sends.size()).stream()
        .noneMatch(other -> sameLine(send, other));
  }

  /** Whether its failure is the first that its sender is told of. */
  boolean isNextToTell(State state, int item) {
    Send send = state.sends.get(item);
    if (send.place() == Place.REFUSED) {
      return true;
    }
    for (int i = 0; i < state.sends.size(); i++) {
      Send other = state.sends.get(i);
      if (other.relay() == send.relay() && !other.open()) {
        if (other.place() == Place.REFUSED || i < item) {
          return false;
        }
      }
    }
    return true;
  }

  private List<Send> before(State state, int item) {
    Send send = state.sends.get(item);
    return state.sends.subList(0, item).stream().filter(other -> sameLine(send, other)).toList();
  }

  private boolean sameLine(Send one, Send other) {
    return one.generation() == other.generation() && rows.key(one.row()) == rows.key(other.row());
  }

  void store(State state, int item, Place place) {
    Send send = state.sends.get(item);
    state.sends.set(item, send.in(place));
    delivered(state, send);
  }

  void land(State state, int item) {
    Send send = state.sends.get(item);
    if (send.place() == Place.LATE) {
      state.sends.remove(item);
    } else {
      state.sends.set(item, send.in(Place.FAILED));
    }
    delivered(state, send);
  }

  private void delivered(State state, Send send) {
    int index = send.row();
    Row row = state.rows[index];
    if (!committed(row)) {
      throw new Broken("I5 no ghosts", "e" + index + " is stored, and its transaction " + row.life);
    }
    if (row.delivered) {
      row.excused--;
      if (row.excused < 0) {
        throw new Broken("I4 every duplicate has a cause", "e" + index + " is stored again");
      }
      return;
    }
    row.delivered = true;
    boolean awaited = State.has(state.unquiet[rows.lane(index)], send.fence());
    boolean placed = row.mark != Mark.DEAD || awaited || scope.protocol().ordersBuried();
    for (int other = 0; other < state.rows.length; other++) {
      if (other != index && rows.key(other) == rows.key(index)) {
        checkOrder(state.rows, index, other, placed);
      }
    }
  }

  /**
   * What was given up has lost its place: a copy of a former owner may still come. While a new
   * owner waits for such copies, nothing is given up.
   */
  private static void checkOrder(Row[] rows, int index, int other, boolean placed) {
    Row row = rows[other];
    boolean passes = other < index && committed(row) && !row.delivered && row.mark != Mark.DEAD;
    if (passes) {
      throw new Broken("I3 order per key", "e" + index + " is stored before e" + other);
    }
    if (other > index && row.delivered && placed) {
      throw new Broken("I3 order per key", "e" + index + " is stored after e" + other);
    }
  }

  private static boolean committed(Row row) {
    return row.life == Life.DURABLE || row.life == Life.VISIBLE;
  }

  void refuse(State state, int item) {
    Send send = state.sends.get(item);
    boolean byClient = scope.pipelined() && !isNext(state, item);
    if (scope.pipelined() && !byClient) {
      endGeneration(state, send.relay(), send);
    }
    state.sends.set(item, send.in(Place.REFUSED));
  }

  void timeOut(State state, int item) {
    Send send = state.sends.get(item);
    if (scope.pipelined()) {
      endGeneration(state, send.relay(), null);
    } else {
      giveUp(state, item, Place.FAILED_ON_WIRE);
    }
  }

  void loseConfirm(State state, int item) {
    giveUp(state, item, Place.FAILED);
  }

  /** Its outcome is unknown: one copy more may come of it. */
  private static void giveUp(State state, int item, Place place) {
    Send send = state.sends.get(item);
    state.rows[send.row()].excused++;
    state.sends.set(item, send.in(place));
  }

  private void endGeneration(State state, int relay, @Nullable Send refused) {
    for (int i = 0; i < state.sends.size(); i++) {
      Send send = state.sends.get(i);
      if (send.relay() != relay || !send.open()) {
        continue;
      }
      if (send.place() == Place.STORED) {
        giveUp(state, i, Place.FAILED);
      } else if (refused != null && sameLine(send, refused)) {
        state.sends.set(i, send.in(Place.FAILED));
      } else {
        giveUp(state, i, Place.FAILED_ON_WIRE);
      }
    }
    state.relays[relay].generation = ++state.lastGeneration;
  }

  /** The sender hears of it. */
  void told(State state, int item) {
    Send send = state.sends.get(item);
    if (send.place() == Place.FAILED_ON_WIRE) {
      state.sends.set(item, send.late());
    } else {
      state.sends.remove(item);
    }
  }

  /** The sender is gone, or has forgotten what it sent. */
  void forget(State state, int relay) {
    List<Send> kept = new ArrayList<>();
    for (Send send : state.sends) {
      if (send.relay() != relay) {
        kept.add(send);
      } else if (send.onWire()) {
        kept.add(send.late());
      }
    }
    state.sends = kept;
  }
}
