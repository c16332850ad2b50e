package io.waybill.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DeferredEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Dead letters. That an event is given up is on record, in the table of deferred events, before its
 * letter goes out: whoever finds it there sends the letter, and nobody calls its handler again. It
 * is noted as processed and removed from there when its letter is confirmed; its key waits for
 * that. What is no event, or is refused by the table, stays with the broker instead.
 */
final class LetterDesk {
  // Deferred events; more than that wait for their letters only in a long outage.
  private static final int MOST_TRIES = 10_000;

  private final InboxState state;
  private final Letters letters;
  private final Map<Long, Item> underWay = new HashMap<>();
  private final LetterTries tries = new LetterTries(MOST_TRIES);

  LetterDesk(InboxState state, Letters letters) {
    this.state = state;
    this.letters = letters;
  }

  /** Gives an item up: its letter goes out once that is on record. The item stays busy. */
  void bury(Item item, String reason, String error) {
    item.deadReason = reason;
    item.error = error;
    if (item.task == null || item.isGivenUp()) {
      send(item);
    } else {
      item.putOff = item.task.put(item.attempts, 0, error, reason);
      item.todo = Item.Todo.PUT_OFF;
      state.keys.again(item);
    }
  }

  void send(Item item) {
    item.place = Item.Place.LETTER;
    item.letterWaits = false;
    item.sendId = state.number();
    Outgoing letter;
    try {
      letter = letters.letter(item.original(), item.deadReason, item.error, item.sendId);
    } catch (RuntimeException | Error e) {
      // Where it goes may be said by the application's code.
      failed(item, "no letter can be made: " + Failure.describe(e));
      return;
    }
    underWay.put(item.sendId, item);
    state.emit(new InboxEffect.Publish(letter));
  }

  boolean isEmpty() {
    return underWay.isEmpty();
  }

  void forget(Item item) {
    underWay.remove(item.sendId);
  }

  /** It does not come again for its letter. */
  void gone(Item item) {
    if (item.deferred != null) {
      tries.forget(item.deferred.sighting().eventId());
    }
  }

  /** Whether a timer of this item is for its letter. */
  static boolean waitsForLetter(Item item) {
    return item.letterWaits;
  }

  void answered(Confirmation confirmation) {
    Item item = underWay.remove(confirmation.sendId());
    if (item == null) {
      return;
    }
    if (confirmation instanceof Confirmation.NotConfirmed failed) {
      failed(item, failed.reason() + ": " + failed.detail());
      return;
    }
    item.hindrance = "";
    if (item.task == null) {
      state.tell(new InboxEvent.DeadLettered(item.about, item.deadReason, item.error));
      state.acknowledge(item);
    } else {
      gone(item);
      item.todo = Item.Todo.BURY;
      state.keys.again(item);
    }
  }

  /** The original stays: a delivery unacknowledged, a deferred event in its table. */
  private void failed(Item item, String reason) {
    String hindrance = "its dead letter is not confirmed: " + reason;
    int failures = failures(item) + 1;
    long delay = state.settings.deadLetterBackoff().delayMillis(failures, state.spread()) + 1;
    if (item.deferred == null) {
      item.letterTries = failures;
      item.hindered(hindrance, state.now);
    } else {
      tries.failed(item.about, hindrance, state.now, delay);
    }
    state.tell(new InboxEvent.DeadLetterFailed(item.about, reason, delay));
    if (state.stopping) {
      state.giveBack(item);
    } else if (item.deferred == null) {
      item.letterWaits = true;
      state.timers.start(item, state.now + delay * Timers.MILLI);
    } else {
      DeferredEvent from = item.deferred;
      item.putOff = item.task().put(from.attempts(), delay, item.error, item.deadReason);
      item.todo = Item.Todo.PUT_OFF;
      state.keys.again(item);
    }
  }

  /** A deferred event is another item each time it comes out of its table. */
  private int failures(Item item) {
    return item.deferred == null
        ? item.letterTries
        : tries.times(item.deferred.sighting().eventId());
  }

  /** The letter of a deferred event that has been failing for the longest time. */
  Optional<InboxEvent.MessageStuck> stuck() {
    return tries.stuck(state.now);
  }
}
