package io.waybill.observe;

import java.util.List;

/**
 * Receives the events of an inbox. Called on the inbox's own threads, by several concurrently and
 * often once per event: implementations must be thread-safe, return within microseconds and never
 * block. If a listener throws, the inbox logs the first failure and ignores the rest.
 */
@FunctionalInterface
public interface InboxListener {
  /** Ignores all events. */
  InboxListener NONE = event -> {};

  /**
   * Receives an event.
   *
   * @param event the event
   */
  void on(InboxEvent event);

  /**
   * Combines several listeners, called in order.
   *
   * @param listeners the listeners
   * @return one listener that calls all
   */
  static InboxListener all(List<InboxListener> listeners) {
    List<InboxListener> copy = List.copyOf(listeners);
    return event -> copy.forEach(listener -> listener.on(event));
  }
}
