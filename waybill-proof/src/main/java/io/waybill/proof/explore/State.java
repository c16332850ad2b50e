package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import io.waybill.store.FailedRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One state of a whole world: the database, what is on the wire, the relays, and of the past what
 * the promises are about.
 */
final class State {
  /** The transaction of an event, and whether it is on disk. */
  enum Life {
    OPEN('o'),
    VISIBLE('v'),
    DURABLE('d'),
    ROLLED_BACK('r'),
    FORGOTTEN('f');

    final char letter;

    Life(char letter) {
      this.letter = letter;
    }
  }

  /** What the database says of an event. */
  enum Mark {
    WAITING('w'),
    HELD('h'),
    RETRY('r'),
    PARKED('k'),
    DEAD('d'),
    PUBLISHED('p');

    final char letter;

    Mark(char letter) {
      this.letter = letter;
    }
  }

  /** One event. */
  static final class Row {
    Life life = Life.DURABLE;
    Mark mark = Mark.WAITING;
    // Number of the failure on record, or 0.
    int failure;
    boolean claimed;
    // Left for later by a protocol that passes it.
    boolean passed;
    boolean delivered;
    // Duplicates that faults so far excuse.
    int excused;
    // Sessions, as bits, that were told of a confirmation.
    int confirmedTo;
    // Sessions, as bits, that were told of an unknown outcome.
    int unknownTo;

    Row copy() {
      Row copy = new Row();
      copy.life = life;
      copy.mark = mark;
      copy.failure = failure;
      copy.claimed = claimed;
      copy.passed = passed;
      copy.delivered = delivered;
      copy.excused = excused;
      copy.confirmedTo = confirmedTo;
      copy.unknownTo = unknownTo;
      return copy;
    }

    boolean waits() {
      return (life == Life.VISIBLE || life == Life.DURABLE) && mark == Mark.WAITING;
    }

    void write(Bytes out) {
      out.put(life.letter);
      out.put(mark.letter);
      out.put((claimed ? 1 : 0) + (passed ? 2 : 0) + (delivered ? 4 : 0));
      out.number(failure);
      out.number(excused);
      out.number(confirmedTo);
      out.number(unknownTo);
    }
  }

  /** One relay process: its engine, its calls, and what it remembers of its reads. */
  static final class Relay {
    int engine = EngineStates.NEW;
    // Number of the answer on its way, by line; ASKED before the database has carried it out.
    final int[] calls = new int[Line.values().length];
    // More time has passed for it than its lease has.
    boolean late;
    // It was asked to stop.
    boolean leaving;
    int generation;
    // The session that it believes to have, or 0.
    int fence;
    int readsFor;
    int assigned;
    int returned;
    int window;
    boolean unscanned;
    // Number of the last answer about the lanes, or 0.
    int seen;

    Relay copy() {
      Relay copy = new Relay();
      copy.engine = engine;
      System.arraycopy(calls, 0, copy.calls, 0, calls.length);
      copy.late = late;
      copy.leaving = leaving;
      copy.generation = generation;
      copy.fence = fence;
      copy.readsFor = readsFor;
      copy.assigned = assigned;
      copy.returned = returned;
      copy.window = window;
      copy.unscanned = unscanned;
      copy.seen = seen;
      return copy;
    }

    void write(Bytes out) {
      out.number(engine);
      for (int call : calls) {
        out.number(call);
      }
      out.put((late ? 1 : 0) + (unscanned ? 2 : 0) + (leaving ? 4 : 0));
      out.number(fence);
      out.number(assigned == 0 ? 0 : readsFor);
      out.number(assigned);
      out.number(assigned == 0 ? 0 : returned);
      out.number(assigned == 0 ? 0 : window);
      out.number(fence == 0 ? 0 : seen);
    }
  }

  /** Where a message is, and what its sender knows. */
  enum Place {
    /** On the wire. */
    WIRE('w'),
    /** Stored, and its sender does not know yet. */
    STORED('s'),
    /** Refused, and its sender does not know yet. */
    REFUSED('r'),
    /** Given up, and its sender does not know yet; it may be stored later. */
    FAILED_ON_WIRE('o'),
    /** Given up, and its sender does not know yet; it is stored or gone. */
    FAILED('f'),
    /** Given up; it may be stored later. */
    LATE('l');

    final char letter;

    Place(char letter) {
      this.letter = letter;
    }
  }

  /** One message. Relay -1 is nobody who would be told. */
  record Send(int relay, int generation, int row, int fence, long behind, Place place) {
    Send in(Place other) {
      return new Send(relay, generation, row, fence, behind, other);
    }

    Send late() {
      return new Send(-1, generation, row, fence, 0, Place.LATE);
    }

    Send shifted(long by) {
      return new Send(relay, generation, row, fence, behind + by, place);
    }

    boolean open() {
      return place == Place.WIRE || place == Place.STORED;
    }

    boolean onWire() {
      return place == Place.WIRE || place == Place.FAILED_ON_WIRE || place == Place.LATE;
    }
  }

  static final int NO_CALL = -1;
  static final int ASKED = 0;

  final Row[] rows;
  final Relay[] relays = new Relay[Scope.RELAYS];
  final int[] owners;
  // By lane, former sessions, as bits, whose leases go on: messages of them may come.
  final int[] unquiet;
  List<Send> sends = new ArrayList<>();
  // Settlements and the like of relays that died: the database may still carry them out.
  List<Integer> lateCalls = new ArrayList<>();
  int faults;
  int lastFence;
  int alive;
  int expired;
  // Sessions, as bits, whose locks have ended.
  int ended;
  // Sessions, as bits, whose relays have said that they leave.
  int leaving;
  // Sessions, as bits, that a living relay holds or is about to hold.
  int held;
  // Sessions, as bits, whose relays cannot know by their clocks that they ended.
  int frozen;
  int lastGeneration;

  State(int rows, int lanes) {
    this.rows = new Row[rows];
    this.owners = new int[lanes];
    this.unquiet = new int[lanes];
  }

  State copy() {
    State copy = new State(rows.length, owners.length);
    for (int i = 0; i < rows.length; i++) {
      copy.rows[i] = rows[i].copy();
    }
    for (int i = 0; i < relays.length; i++) {
      copy.relays[i] = relays[i].copy();
    }
    System.arraycopy(owners, 0, copy.owners, 0, owners.length);
    System.arraycopy(unquiet, 0, copy.unquiet, 0, unquiet.length);
    copy.sends = new ArrayList<>(sends);
    copy.lateCalls = new ArrayList<>(lateCalls);
    copy.faults = faults;
    copy.lastFence = lastFence;
    copy.alive = alive;
    copy.expired = expired;
    copy.ended = ended;
    copy.leaving = leaving;
    copy.held = held;
    copy.frozen = frozen;
    copy.lastGeneration = lastGeneration;
    return copy;
  }

  /** Everything; messages of different senders have no order among each other. */
  byte[] bytes() {
    Bytes out = new Bytes();
    for (Row row : rows) {
      row.write(out);
    }
    for (Relay relay : relays) {
      relay.write(out);
    }
    for (int lane = 0; lane < owners.length; lane++) {
      out.number(owners[lane]);
      out.number(unquiet[lane]);
    }
    List<Send> ordered = new ArrayList<>(sends);
    ordered.sort(Comparator.comparingInt(Send::generation));
    out.number(ordered.size());
    int last = -1;
    for (Send send : ordered) {
      // Which generation it is makes no difference, only whether it is the same.
      out.put(send.generation() == last ? 1 : 0);
      last = send.generation();
      write(out, send);
    }
    out.number(lateCalls.size());
    lateCalls.stream().sorted().forEach(out::number);
    out.number(faults);
    out.number(lastFence);
    out.number(alive);
    out.number(expired);
    out.number(ended);
    out.number(leaving);
    out.number(held);
    out.number(frozen);
    return out.image().bytes();
  }

  private void write(Bytes out, Send send) {
    boolean current = send.relay() >= 0 && relays[send.relay()].generation == send.generation();
    out.put(current ? 1 : 0);
    out.number(send.relay());
    out.number(send.row());
    out.number(send.fence());
    out.number(send.behind());
    out.put(send.place().letter);
  }

  static int bit(int number) {
    return 1 << number;
  }

  static boolean has(int bits, int number) {
    return (bits & bit(number)) != 0;
  }

  /** Former sessions, as bits, of which messages may come. */
  int unquiet() {
    int sessions = 0;
    for (int lane : unquiet) {
      sessions |= lane;
    }
    return sessions;
  }

  /** A relay's rows that are in flight, or confirmed and not marked, may be published once more. */
  void excuse(int number) {
    int fence = relays[number].fence;
    for (Send send : sends) {
      if (send.relay() == number && send.open()) {
        rows[send.row()].excused++;
      }
    }
    for (Row row : rows) {
      if (fence != 0 && has(row.confirmedTo, fence) && row.mark != Mark.PUBLISHED) {
        row.excused++;
      }
    }
  }

  /** Values that states refer to by number. */
  static final class Values {
    final Numbers<FailedRow> failures = new Numbers<>();
    final Numbers<Step.Answer> answers = new Numbers<>();
    final Numbers<Effect.Call> calls = new Numbers<>();
  }
}
