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
  void failed(Item item) {
    // All others wait while one is handled alone: it is not tried again in place.
    if (item.deferred == null && !item.isHandledAlone()) {
      item.tries++;
      // It does not make others fail with it.
      item.alone = true;
      Decision quick = state.settings.quickRetries().afterRejection(item.tries, state.spread());
      if (quick instanceof Decision.RetryAt at) {
        state.tell(new InboxEvent.Retried(item.about, item.error, at.delayMillis()));
        state.timers.start(item, state.now + at.delayMillis() * Timers.MILLI);
        return;
      }
    }
    state.succeeded(item);
    int attempts = item.attempts + 1;
    Decision later = state.settings.retries().afterRejection(attempts, state.spread());
    if (later instanceof Decision.RetryAt at) {
      item.defer(attempts, at.delayMillis(), item.error, null);
      state.keys.again(item);
    } else {
      letters.bury(item, "attempts-exhausted", item.error);
    }
  }

  /**
   * The database refuses what is to be written of it, and no other event suffers from that. One
   * that can't be put off has its further attempts, as many as it would have there and after the
   * same pauses, in place; if it is given up, its letter goes out from there. Everything else is
   * done again after pauses that grow: whatever it is, it is neither lost nor given up for what it
   * did not do. Deferred events of its key, for which it may have to wait, go before it.
   *
   * <p>A deferred event waits for that in its table, so that it takes no room from others; only if
   * even that is refused, or what is refused is that its confirmed letter is noted, in memory.
   */
  void refused(Item item, String reason) {
    item.alone = true;
    if (item.deferred != null && item.todo != Item.Todo.BURY && !item.leaves) {
      leave(item, item.deferred, reason);
      return;
    }
    item.hindered(HINDRANCE + reason, state.now);
    long delay;
    if (item.todo == Item.Todo.PUT_OFF && item.deferred == null) {
      DeferredEvent put = Objects.requireNonNull(item.putOff, "putOff");
      if (put.deadReason() != null) {
        letters.send(item);
        return;
      }
      item.attempts = put.attempts();
      item.todo = Item.Todo.HANDLE;
      delay = put.delayMillis();
    } else {
      item.refusals++;
      delay = state.settings.retries().backoff().delayMillis(item.refusals, state.spread()) + 1;
    }
    if (item.deferred == null && state.keys.letPass(item)) {
      state.tell(new InboxEvent.Refused(item.about, reason, 0));
      return;
    }
    state.tell(new InboxEvent.Refused(item.about, reason, delay));
    item.line.refused = item;
    state.timers.start(item, state.now + delay * Timers.MILLI);
  }

  /** With what it has come to, but with its former failure: the new one may be what is refused. */
  private void leave(Item item, DeferredEvent from, String reason) {
    String hindrance = HINDRANCE + reason;
    String id = from.dedupeKey().eventId();
    int times = state.tries.times(id) + 1;
    long delay = state.settings.retries().backoff().delayMillis(times, state.spread()) + 1;
    state.tries.failed(item.about, hindrance, state.now, delay);
    state.tell(new InboxEvent.Refused(item.about, reason, delay));
    DeferredEvent put = item.todo == Item.Todo.PUT_OFF && item.putOff != null ? item.putOff : from;
    item.defer(put.attempts(), delay, from.failure(), put.deadReason());
    item.leaves = true;
    state.keys.again(item);
  }
}
