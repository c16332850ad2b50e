package io.waybill.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DeferredEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Dead letters: nothing is acknowledged, noted as processed or deleted before its letter is
 * confirmed. The key of a letter waits for it.
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

  /** Gives an item up: its letter goes out. The item stays busy. */
  void bury(Item item, String reason, String error) {
    item.deadReason = reason;
    item.error = error;
    send(item);
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
    item.hindered("its dead letter is not confirmed: " + reason, state.now);
    int failures = failures(item);
    long delay = state.settings.deadLetterBackoff().delayMillis(failures, state.spread()) + 1;
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
        ? ++item.letterTries
        : tries.failed(item.deferred.sighting().eventId());
  }
}
