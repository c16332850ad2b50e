package io.waybill.internal.inbox;

import io.waybill.observe.InboxEvent;
import io.waybill.policy.Decision;
import io.waybill.store.DeferredEvent;
import java.util.Objects;

/** When an event is tried again that failed, or that the database refuses. Its key waits. */
final class Retries {
  private static final String HINDRANCE = "the database refuses it: ";

  private final InboxState state;
  private final DeadLetterSender letters;

  Retries(InboxState state, DeadLetterSender letters) {
    this.state = state;
    this.letters = letters;
  }

  /** Its handler failed in a way that may pass. */
  void failed(PendingMessage message) {
    // All others wait while one is handled alone: it is not tried again in place.
    if (message.deferred == null && !message.isHandledAlone()) {
      message.tries++;
      // It does not make others fail with it.
      message.alone = true;
      Decision quick = state.settings.quickRetries().afterRejection(message.tries, state.spread());
      if (quick instanceof Decision.RetryAt at) {
        state.tell(new InboxEvent.Retried(message.about, message.error, at.delayMillis()));
        state.timers.start(message, state.now + at.delayMillis() * Timers.MILLI);
        return;
      }
    }
    state.succeeded(message);
    int attempts = message.attempts + 1;
    Decision later = state.settings.retries().afterRejection(attempts, state.spread());
    if (later instanceof Decision.RetryAt at) {
      message.defer(attempts, at.delayMillis(), message.error, null);
      state.keys.again(message);
    } else {
      letters.bury(message, "attempts-exhausted", message.error);
    }
  }

  /**
   * The database refuses what is to be written of it, and no other event suffers from that. One
   * that can't be deferred has its further attempts, as many as it would have there and after the
   * same pauses, in place; if it is given up, its letter goes out from there. Everything else is
   * done again after pauses that grow: whatever it is, it is neither lost nor given up for what it
   * did not do. Deferred events of its key, for which it may have to wait, go before it.
   *
   * <p>A deferred event waits for that in its table, so that it takes no room from others; only if
   * even that is refused, or what is refused is that its confirmed letter is noted, in memory.
   */
  void refused(PendingMessage message, String reason) {
    message.alone = true;
    if (message.deferred != null && message.todo != PendingMessage.Todo.BURY && !message.leaves) {
      leave(message, message.deferred, reason);
      return;
    }
    message.hindered(HINDRANCE + reason, state.now);
    long delay;
    if (message.todo == PendingMessage.Todo.DEFER && message.deferred == null) {
      DeferredEvent put = Objects.requireNonNull(message.deferral, "deferral");
      if (put.deadReason() != null) {
        letters.send(message);
        return;
      }
      message.attempts = put.attempts();
      message.todo = PendingMessage.Todo.HANDLE;
      delay = put.delayMillis();
    } else {
      message.refusals++;
      delay = state.settings.retries().backoff().delayMillis(message.refusals, state.spread()) + 1;
    }
    if (message.deferred == null && state.keys.letPass(message)) {
      state.tell(new InboxEvent.Refused(message.about, reason, 0));
      return;
    }
    state.tell(new InboxEvent.Refused(message.about, reason, delay));
    message.line.refused = message;
    state.timers.start(message, state.now + delay * Timers.MILLI);
  }

  /** With what it has come to, but with its former failure: the new one may be what is refused. */
  private void leave(PendingMessage message, DeferredEvent from, String reason) {
    String hindrance = HINDRANCE + reason;
    String id = from.dedupeKey().eventId();
    int times = state.tries.times(id) + 1;
    long delay = state.settings.retries().backoff().delayMillis(times, state.spread()) + 1;
    state.tries.failed(message.about, hindrance, state.now, delay);
    state.tell(new InboxEvent.Refused(message.about, reason, delay));
    DeferredEvent put =
        message.todo == PendingMessage.Todo.DEFER && message.deferral != null
            ? message.deferral
            : from;
    message.defer(put.attempts(), delay, from.failure(), put.deadReason());
    message.leaves = true;
    state.keys.again(message);
  }
}
