package io.waybill.kafka.internal.consume;

import io.waybill.broker.SubscriberListener;
import java.util.EnumMap;
import java.util.Map;

/**
 * Sums up what keeps messages from coming and tells the listener when that changes. Thread-safe;
 * the listener is called under the lock, so that it hears the changes in their order.
 */
public final class SubscriberAvailability {
  /** What can be amiss. */
  enum Part {
    /** The broker does not answer. */
    BROKER,
    /** A topic does not exist. */
    TOPICS,
    /** The client cannot read. */
    READING
  }

  private enum Told {
    NOTHING,
    UP,
    DOWN
  }

  private final SubscriberListener listener;
  private final Map<Part, String> amiss = new EnumMap<>(Part.class);
  private Told told = Told.NOTHING;
  private boolean answered;
  private boolean ended;

  /** Tells that listener. */
  public SubscriberAvailability(SubscriberListener listener) {
    this.listener = listener;
  }

  /** True if that is news. */
  synchronized boolean up(Part part) {
    boolean news = amiss.remove(part) != null;
    answered |= part == Part.BROKER;
    if (!ended && answered && amiss.isEmpty() && told != Told.UP) {
      listener.available();
      told = Told.UP;
    }
    return news;
  }

  /** True if that is news: the part was well, or something else was amiss. */
  synchronized boolean down(Part part, String reason) {
    boolean news = !reason.equals(amiss.get(part));
    if (!ended && (told != Told.DOWN || news)) {
      listener.unavailable(reason);
      told = Told.DOWN;
    }
    // Last: what the listener did not get is told again.
    amiss.put(part, reason);
    return news;
  }

  /** The listener hears nothing any more. */
  public synchronized void end() {
    ended = true;
  }
}
