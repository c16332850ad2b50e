package io.waybill.internal.inbox;

import io.waybill.broker.Delivery;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.util.ArrayList;
import java.util.List;

/** What the parts of the engine share: time, lanes, keys, timers, and the effects so far. */
final class InboxState {
  // More deferred events than that fail only in a long outage.
  private static final int MOST_TRIES = 10_000;

  final InboxSettings settings;
  final Lanes lanes;
  final Sharing sharing;
  final KeyQueues keys;
  final Timers timers = new Timers();
  final StoreGate gate;
  final DeferredTries tries = new DeferredTries(MOST_TRIES);
  private List<InboxEffect> effects = new ArrayList<>();
  private List<Delivery> done = new ArrayList<>();
  private List<Delivery> back = new ArrayList<>();
  private long numbers;
  long now;
  boolean stopping;

  InboxState(InboxSettings settings, long now) {
    this.settings = settings;
    this.lanes = new Lanes(settings);
    this.sharing = new Sharing(settings.shared());
    this.keys = new KeyQueues(sharing);
    this.gate = new StoreGate(settings.storeBackoff());
    this.now = now;
  }

  void emit(InboxEffect effect) {
    effects.add(effect);
  }

  void tell(InboxEvent event) {
    effects.add(new InboxEffect.Notify(event));
  }

  /** Identifies work and sends; also spreads delays. */
  long number() {
    return ++numbers;
  }

  /** Bits that differ from call to call, without a source of randomness: runs can be repeated. */
  long spread() {
    long z = ++numbers * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** What failed of a deferred event does not fail any more, or is somebody else's. */
  void succeeded(PendingMessage message) {
    if (message.deferred != null) {
      tries.forget(message.deferred.dedupeKey().eventId());
    }
  }

  /** A message is done with, and its key goes on. */
  void acknowledge(PendingMessage message) {
    if (message.delivery != null) {
      done.add(message.delivery);
    }
    drop(message);
  }

  /** A message is to come again; its key goes on. */
  void release(PendingMessage message) {
    if (message.delivery != null && !message.gone()) {
      back.add(message.delivery);
    }
    drop(message);
  }

  void release(Delivery delivery) {
    back.add(delivery);
  }

  void acknowledge(Delivery delivery) {
    done.add(delivery);
  }

  /** Forgets a message that was under way. */
  void drop(PendingMessage message) {
    lanes.remove(message);
    keys.free(message.line);
  }

  void storeFailed(String reason, boolean transientFailure) {
    sharing.storeFailed();
    long delay = gate.failed(now, spread());
    if (delay > 0) {
      tell(new InboxEvent.StoreFailed(reason, transientFailure, delay));
    }
  }

  void storeAnswered() {
    if (gate.answered()) {
      tell(new InboxEvent.StoreRecovered());
    }
  }

  /** Acknowledgements come before everything else that follows from the same input. */
  List<InboxEffect> takeEffects() {
    List<InboxEffect> taken = new ArrayList<>(effects.size() + 2);
    if (!done.isEmpty()) {
      taken.add(new InboxEffect.Acknowledge(done));
      done = new ArrayList<>();
    }
    if (!back.isEmpty()) {
      taken.add(new InboxEffect.Release(back));
      back = new ArrayList<>();
    }
    taken.addAll(effects);
    effects = new ArrayList<>();
    return taken;
  }
}
