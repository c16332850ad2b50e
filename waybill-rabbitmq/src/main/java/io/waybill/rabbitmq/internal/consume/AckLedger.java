package io.waybill.rabbitmq.internal.consume;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The unacknowledged deliveries of one channel, and what is to be told the broker about them.
 * Guarded by the lock of its {@link DeliveryBuffer}.
 */
final class AckLedger {
  private enum State {
    OUT,
    ACKNOWLEDGED,
    TOLD
  }

  /** One delivery. */
  static final class Entry {
    private final long tag;
    private State state = State.OUT;

    private Entry(long tag) {
      this.tag = tag;
    }

    long tag() {
      return tag;
    }

    boolean isOut() {
      return state == State.OUT;
    }
  }

  /**
   * What the broker is told.
   *
   * @param tag delivery tag
   * @param multiple whether all before it are meant too
   */
  record Ack(long tag, boolean multiple) {}

  private final Deque<Entry> open = new ArrayDeque<>();
  private final List<Entry> news = new ArrayList<>();

  /** Adds a delivery; tags only grow. */
  Entry add(long tag) {
    Entry entry = new Entry(tag);
    open.add(entry);
    return entry;
  }

  void acknowledge(Entry entry) {
    if (entry.state == State.OUT) {
      entry.state = State.ACKNOWLEDGED;
      news.add(entry);
    }
  }

  boolean hasNews() {
    return !news.isEmpty();
  }

  /** Takes what the broker does not know yet: the first ones in one piece, others singly. */
  List<Ack> take() {
    List<Ack> acks = new ArrayList<>();
    long last = 0;
    for (Entry first = open.peek(); first != null && !first.isOut(); first = open.peek()) {
      if (first.state == State.ACKNOWLEDGED) {
        last = first.tag;
        first.state = State.TOLD;
      }
      open.remove();
    }
    if (last > 0) {
      acks.add(new Ack(last, true));
    }
    for (Entry entry : news) {
      if (entry.state == State.ACKNOWLEDGED) {
        entry.state = State.TOLD;
        acks.add(new Ack(entry.tag, false));
      }
    }
    news.clear();
    return acks;
  }
}
