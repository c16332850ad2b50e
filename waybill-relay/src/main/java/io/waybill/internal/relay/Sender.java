package io.waybill.internal.relay;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends the rows of keys in their order: what the lease, the limits, the broker and the destination
 * of each row permit.
 */
final class Sender implements EnginePart {
  private static final int WOKEN_AT_ONCE = 200;

  private final EngineState state;
  private final MessageMapper mapper;
  private final KeyFlow flow;
  private final KeyTable keys;
  private final Failures failures;
  private final InFlight inFlight = new InFlight();
  private final ArrayDeque<KeyQueue> ready = new ArrayDeque<>();
  private long nextSendId = 1;

  Sender(EngineState state, MessageMapper mapper, KeyFlow flow, KeyTable keys, Failures failures) {
    this.state = state;
    this.mapper = mapper;
    this.flow = flow;
    this.keys = keys;
    this.failures = failures;
  }

  /**
   * What may go out now: probes of destinations, keys whose pause is over, and keys with news. Keys
   * that wait for a probe go before those whose own pause ends at the same time.
   */
  @Override
  public void advance() {
    flow.destinations.comeDue();
    pumpDestinations();
    for (KeyQueue key = failures.timers.poll(state.now);
        key != null;
        key = failures.timers.poll(state.now)) {
      pump(key);
    }
    pumpReady();
    pumpDestinations();
    if (state.lanes.beganToDrain()) {
      flow.dropUnsent(state.lanes.in(LaneTable.Phase.DRAINING));
    }
  }

  @Override
  public long deadline() {
    return Math.min(failures.timers.deadline(), flow.destinations.deadline());
  }

  private void pumpReady() {
    for (int i = ready.size(); i > 0 && canSend(); i--) {
      KeyQueue key = ready.poll();
      if (key != null) {
        key.ready = false;
        pump(key);
      }
    }
  }

  private void pumpDestinations() {
    for (int i = flow.destinations.inLine(); i > 0; i--) {
      Breaker breaker = flow.destinations.nextInLine();
      while (canSend() && breaker.permits(state.now)) {
        if (breaker.waiting.isEmpty() && breaker.resting > 0 && flow.heldRows.hasFew()) {
          keys.wake(breaker, WOKEN_AT_ONCE);
        }
        KeyQueue key = breaker.next();
        if (key == null) {
          break;
        }
        pump(key);
        flow.destinations.left(breaker, key);
        flow.keys.forget(key);
      }
      flow.destinations.hasLet(breaker);
    }
  }

  private boolean canSend() {
    return state.publisherUp
        && !state.stopping
        && inFlight.size() < state.settings.maxInFlight()
        && state.leaseAllowsSend();
  }

  void pump(KeyQueue key) {
    while (key.mayMove()) {
      Entry entry = key.unsent();
      if (entry == null) {
        flow.heldRows.offer(key);
        return;
      }
      if (key.inFlight >= state.settings.maxInFlightPerKey() || !state.lanes.sends(key.lane)) {
        return;
      }
      if (key.head != null && key.head.burying && entry != key.head) {
        return;
      }
      if (!canSend()) {
        pumpLater(key);
        return;
      }
      if (flow.looks.tooLongAgo(entry)) {
        flow.looks.ask(key);
        return;
      }
      if (trySend(key, entry) == Step.BLOCKED) {
        return;
      }
    }
  }

  /** The key goes on once the input has been taken in to its end. */
  void pumpLater(KeyQueue key) {
    if (key.mayMove()) {
      key.ready = true;
      ready.add(key);
    }
  }

  private enum Step {
    /** The entry is in flight, or out of the way. */
    DONE,
    /** The key has to wait for something. */
    BLOCKED
  }

  /** Whether reading on makes sense: something can be sent, or there is room to wait in. */
  boolean readsOn() {
    // What cannot be sent for now is read, too: the table shows why it waits.
    return !state.budget.tight()
        || (state.publisherUp && (flow.destinations.isEmpty() || flow.destinations.anyOpen()));
  }

  private Step trySend(KeyQueue key, Entry entry) {
    if (entry.message == null && !prepare(entry)) {
      boolean buries = entry.burying && entry.state == Entry.State.QUEUED;
      return key.unsent() == entry && !buries ? Step.BLOCKED : Step.DONE;
    }
    Outgoing message = entry.message;
    if (message == null) {
      return Step.BLOCKED;
    }
    if (key.inFlight > 0 && !key.inFlightTo.equals(entry.name)) {
      // Confirmations of two destinations come in any order: the first has to come home first.
      return Step.BLOCKED;
    }
    Breaker gate = gate(entry);
    if (gate != null && !gate.permits(state.now)) {
      if (crowdsOut(0)) {
        // A head on its way to the dead letters stays: what was decided about it is only in memory.
        Entry head = key.head;
        FailedRow note = flow.notes.beforeHeld(key);
        flow.heldRows.holdRest(
            key, head != null && head.burying ? key.cutAfter(head) : key.cutUnsent());
        if (note != null) {
          state.settle.noted(note, state.now);
        }
      }
      gate.await(key);
      return Step.BLOCKED;
    }
    entry.sent(gate);
    key.sent(entry);
    if (gate == null) {
      flow.destinations.open(entry.name);
    } else {
      gate.sent();
    }
    state.lanes.addOutstanding(key.lane, 1);
    inFlight.put(message.sendId(), entry);
    state.emit(new Effect.Send(message));
    return Step.DONE;
  }

  /** Where the row goes; empty if it has no route. */
  String destinationOf(OutboxRow row) {
    return mapper.map(row, 0) instanceof Mapped.Message message
        ? message.message().destination().name()
        : "";
  }

  /** Maps the row; a row that cannot be mapped fails as soon as it is the head of its key. */
  private boolean prepare(Entry entry) {
    long sendId = nextSendId++;
    Mapped mapped =
        entry.burying ? DeadLetterCopy.of(entry, sendId, mapper) : mapper.map(entry.row, sendId);
    if (mapped instanceof Mapped.Message message) {
      entry.mapped(message.message());
      return true;
    }
    if (mapped instanceof Mapped.Unmappable unmappable && entry == entry.key.head) {
      entry.unmapped();
      failures.unmappable(entry, unmappable, flow);
    }
    return false;
  }

  /**
   * Whether rows that wait for their destination take the room of rows that need not wait. While
   * every destination is down nobody needs the room, and the database is spared the held rows.
   *
   * @param more rows that are about to come
   */
  boolean crowdsOut(int more) {
    return state.budget.tightWith(more) && flow.destinations.anyOpen();
  }

  boolean waitsForDestination(KeyQueue key) {
    Entry first = key.unsent();
    Breaker gate = first == null || first.message == null ? null : gate(first);
    return gate != null && gate.state(state.now) != BreakerState.CLOSED;
  }

  @Nullable Breaker gate(Entry entry) {
    return flow.destinations.gate(entry.key, entry.name);
  }

  /** The entry of a send that has an outcome; null if it was sent before a fencing. */
  @Nullable Entry completed(long sendId) {
    return inFlight.remove(sendId);
  }

  int inFlight() {
    return inFlight.size();
  }

  void clear() {
    inFlight.clear();
    ready.clear();
  }
}
