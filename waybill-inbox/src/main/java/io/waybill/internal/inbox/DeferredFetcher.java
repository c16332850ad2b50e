package io.waybill.internal.inbox;

import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** When deferred events are fetched, and how many are in memory. */
final class DeferredFetcher {
  private final InboxState state;
  private final HandlerRouting routing;
  private final Set<PendingMessage> messages = new LinkedHashSet<>();
  private long next;
  private boolean underWay;

  DeferredFetcher(InboxState state, HandlerRouting routing) {
    this.state = state;
    this.routing = routing;
    this.next = state.now;
  }

  /** An event is due in so many milliseconds. */
  void dueIn(long delayMillis) {
    soonest(state.now + delayMillis * Timers.MILLI);
  }

  private void soonest(long time) {
    next = Math.min(next, time);
  }

  /** One is in memory no longer. */
  void ended(PendingMessage message) {
    messages.remove(message);
  }

  Set<PendingMessage> messages() {
    return messages;
  }

  void fetched(List<DueMessage> events, int limit) {
    answered(events.size() < limit ? poll() : 0);
    if (!state.stopping) {
      events.forEach(this::add);
    }
  }

  void failed() {
    answered(poll());
  }

  private void answered(long pause) {
    underWay = false;
    soonest(state.now + pause);
  }

  private long poll() {
    return state.settings.deferred().poll().toNanos();
  }

  private void add(DueMessage due) {
    DeferredEvent event = due.event();
    DedupeKey dedupeKey = event.dedupeKey();
    PendingMessage.Meaning meaning =
        PendingMessage.Meaning.of(
            event, due.decoded(), routing.planDeferred(event.headers(), due.decoded()));
    KeyQueue line = state.keys.line(dedupeKey.source(), dedupeKey.key(), meaning.task());
    PendingMessage message = PendingMessage.of(event, meaning, line, state.now);
    messages.add(message);
    // It is earlier than every delivery of its key.
    state.keys.addDeferred(message, state.timers);
  }

  private int room() {
    return state.settings.deferred().limit() - messages.size();
  }

  private boolean wanted() {
    return !underWay && !state.stopping && room() > 0;
  }

  void advance() {
    if (wanted() && state.now - next >= 0 && state.gate.permits(state.now, 1) > 0) {
      underWay = true;
      // Whatever becomes due from now on asks for the next one.
      next = Long.MAX_VALUE;
      state.emit(new InboxEffect.Fetch(room()));
    }
  }

  boolean underWay() {
    return underWay;
  }

  long deadline() {
    boolean paused = state.gate.permits(state.now, 1) == 0;
    return wanted() && !paused ? next : Long.MAX_VALUE;
  }
}
