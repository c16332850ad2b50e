package io.waybill.internal.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.LetterForm;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DeferredEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Dead letters. That an event is given up is on record, in the table of deferred events, before its
 * letter goes out: whoever finds it there sends the letter, and nobody calls its handler again. It
 * is noted as processed and removed from there when its letter is confirmed; its key waits for
 * that. What is no event, or is refused by the table, stays with the broker instead.
 *
 * <p>A letter that the broker rejects for what it is, its size say, goes out in a smaller form at
 * once: raw, and then without its body if that lies elsewhere.
 */
final class DeadLetterSender {
  private final InboxState state;
  private final Letters letters;
  private final Map<Long, Item> underWay = new HashMap<>();

  DeadLetterSender(InboxState state, Letters letters) {
    this.state = state;
    this.letters = letters;
  }

  /** Gives an item up: its letter goes out once that is on record. The item stays busy. */
  void bury(Item item, String reason, String error) {
    item.giveUp(reason, error);
    if (item.task == null || item.isGivenUp()) {
      send(item);
    } else {
      item.defer(item.attempts, 0, error, reason);
      state.keys.again(item);
    }
  }

  void send(Item item) {
    item.sent(state.number());
    Outgoing letter;
    try {
      letter =
          letters.letter(
              item.original(), item.deadReason, item.error, item.letterForm, item.sendId);
    } catch (RuntimeException | Error e) {
      // Where it goes may be said by the application's code.
      failed(item, "no dead letter can be made: " + Failure.describe(e));
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
      String reason = failed.reason() + ": " + failed.detail();
      if (failed instanceof Confirmation.Rejected && isMadeSmaller(item)) {
        item.rejection = reason;
        send(item);
      } else {
        failed(item, reason);
      }
      return;
    }
    item.hindrance = "";
    if (item.letterForm == LetterForm.WITHOUT_BODY) {
      tellOfMissingBody(item);
    }
    if (item.task == null) {
      state.tell(new InboxEvent.DeadLettered(item.about, item.deadReason, item.error));
      state.acknowledge(item);
    } else {
      state.succeeded(item);
      item.todo = Item.Todo.BURY;
      state.keys.again(item);
    }
  }

  private static boolean isMadeSmaller(Item item) {
    if (item.letterForm == LetterForm.JSON) {
      item.letterForm = LetterForm.RAW;
      return true;
    }
    if (item.letterForm == LetterForm.RAW && item.original().place() != null) {
      item.letterForm = LetterForm.WITHOUT_BODY;
      return true;
    }
    return false;
  }

  private void tellOfMissingBody(Item item) {
    DeadLetterEncoder.Original original = item.original();
    byte[] body = original.body();
    state.tell(
        new InboxEvent.LetterWithoutBody(
            item.about,
            String.valueOf(original.place()),
            body == null ? 0 : body.length,
            item.rejection));
  }

  /** The original stays: a delivery unacknowledged, a deferred event in its table. */
  private void failed(Item item, String reason) {
    String hindrance = "its dead letter is not confirmed: " + reason;
    item.letterForm = LetterForm.JSON;
    int failures = failures(item) + 1;
    long delay = state.settings.deadLetterBackoff().delayMillis(failures, state.spread()) + 1;
    if (item.deferred == null) {
      item.letterTries = failures;
      item.hindered(hindrance, state.now);
    } else {
      state.tries.failed(item.about, hindrance, state.now, delay);
    }
    state.tell(new InboxEvent.DeadLetterFailed(item.about, reason, delay));
    if (state.stopping) {
      state.release(item);
    } else if (item.deferred == null) {
      item.letterWaits = true;
      state.timers.start(item, state.now + delay * Timers.MILLI);
    } else {
      DeferredEvent from = item.deferred;
      item.defer(from.attempts(), delay, item.error, item.deadReason);
      state.keys.again(item);
    }
  }

  /** A deferred event is another item each time it comes out of its table. */
  private int failures(Item item) {
    return item.deferred == null
        ? item.letterTries
        : state.tries.times(item.deferred.dedupeKey().eventId());
  }
}
