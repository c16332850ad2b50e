package io.waybill.observe;

import java.util.List;

/**
 * Told what an inbox does. Called on the inbox's own threads, several at once, often once per
 * event: implementations are thread-safe, return within microseconds and never block. A listener
 * that throws is logged by the inbox once and otherwise ignored.
 */
@FunctionalInterface
public interface InboxListener {
  /** Listens to nothing. */
  InboxListener NONE = event -> {};

  /**
   * Something happened.
   *
   * @param event what happened
   */
  void on(InboxEvent event);

  /**
   * Several listeners as one, told in order.
   *
   * @param listeners the listeners
   * @return one that tells all
   */
  static InboxListener all(List<InboxListener> listeners) {
    List<InboxListener> copy = List.copyOf(listeners);
    return event -> copy.forEach(listener -> listener.on(event));
  }
}
