package io.waybill.internal.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.DeadLetterForm;
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
  private final DeadLetterFactory letters;
  private final Map<Long, PendingMessage> underWay = new HashMap<>();

  DeadLetterSender(InboxState state, DeadLetterFactory letters) {
    this.state = state;
    this.letters = letters;
  }

  /** Gives a message up: its letter goes out once that is on record. The message stays busy. */
  void bury(PendingMessage message, String reason, String error) {
    message.giveUp(reason, error);
    if (message.task == null || message.isGivenUp()) {
      send(message);
    } else {
      message.defer(message.attempts, 0, error, reason);
      state.keys.again(message);
    }
  }

  void send(PendingMessage message) {
    message.sent(state.number());
    Outgoing letter;
    try {
      letter =
          letters.letter(
              message.original(),
              message.deadReason,
              message.error,
              message.letterForm,
              message.sendId);
    } catch (RuntimeException | Error e) {
      // Where it goes may be said by the application's code.
      failed(message, "no dead letter can be made: " + Failure.describe(e));
      return;
    }
    underWay.put(message.sendId, message);
    state.emit(new InboxEffect.Publish(letter));
  }

  boolean isEmpty() {
    return underWay.isEmpty();
  }

  void forget(PendingMessage message) {
    underWay.remove(message.sendId);
  }

  /** Whether a timer of this message is for its letter. */
  static boolean waitsForLetter(PendingMessage message) {
    return message.letterWaits;
  }

  void answered(Confirmation confirmation) {
    PendingMessage message = underWay.remove(confirmation.sendId());
    if (message == null) {
      return;
    }
    if (confirmation instanceof Confirmation.NotConfirmed failed) {
      String reason = failed.reason() + ": " + failed.detail();
      if (failed instanceof Confirmation.Rejected && isMadeSmaller(message)) {
        message.rejection = reason;
        send(message);
      } else {
        failed(message, reason);
      }
      return;
    }
    message.hindrance = "";
    if (message.letterForm == DeadLetterForm.WITHOUT_BODY) {
      tellOfMissingBody(message);
    }
    if (message.task == null) {
      state.tell(new InboxEvent.DeadLettered(message.about, message.deadReason, message.error));
      state.acknowledge(message);
    } else {
      state.succeeded(message);
      message.todo = PendingMessage.Todo.BURY;
      state.keys.again(message);
    }
  }

  private static boolean isMadeSmaller(PendingMessage message) {
    if (message.letterForm == DeadLetterForm.JSON) {
      message.letterForm = DeadLetterForm.RAW;
      return true;
    }
    if (message.letterForm == DeadLetterForm.RAW && message.original().place() != null) {
      message.letterForm = DeadLetterForm.WITHOUT_BODY;
      return true;
    }
    return false;
  }

  private void tellOfMissingBody(PendingMessage message) {
    DeadLetterEncoder.Original original = message.original();
    byte[] body = original.body();
    state.tell(
        new InboxEvent.DeadLetterWithoutBody(
            message.about,
            String.valueOf(original.place()),
            body == null ? 0 : body.length,
            message.rejection));
  }

  /** The original stays: a delivery unacknowledged, a deferred event in its table. */
  private void failed(PendingMessage message, String reason) {
    String hindrance = "its dead letter is not confirmed: " + reason;
    message.letterForm = DeadLetterForm.JSON;
    int failures = failures(message) + 1;
    long delay = state.settings.deadLetterBackoff().delayMillis(failures, state.spread()) + 1;
    if (message.deferred == null) {
      message.letterTries = failures;
      message.hindered(hindrance, state.now);
    } else {
      state.tries.failed(message.about, hindrance, state.now, delay);
    }
    state.tell(new InboxEvent.DeadLetterFailed(message.about, reason, delay));
    if (state.stopping) {
      state.release(message);
    } else if (message.deferred == null) {
      message.letterWaits = true;
      state.timers.start(message, state.now + delay * Timers.MILLI);
    } else {
      DeferredEvent from = message.deferred;
      message.defer(from.attempts(), delay, message.error, message.deadReason);
      state.keys.again(message);
    }
  }

  /** A deferred event is another message each time it comes out of its table. */
  private int failures(PendingMessage message) {
    return message.deferred == null
        ? message.letterTries
        : state.tries.times(message.deferred.dedupeKey().eventId());
  }
}
