package io.waybill.observe;

import java.util.List;

/**
 * Receives the events of a relay. Called on the relay's own threads, by several concurrently and
 * often once per event: implementations must be thread-safe, return within microseconds and never
 * block. If a listener throws, the relay logs the first failure and ignores the rest.
 */
@FunctionalInterface
public interface RelayListener {
  /** Ignores all events. */
  RelayListener NONE = event -> {};

  /**
   * Receives an event.
   *
   * @param event the event
   */
  void on(RelayEvent event);

  /**
   * Combines several listeners, called in order.
   *
   * @param listeners the listeners
   * @return one listener that calls all
   */
  static RelayListener all(List<RelayListener> listeners) {
    List<RelayListener> copy = List.copyOf(listeners);
    return switch (copy.size()) {
      case 0 -> NONE;
      case 1 -> copy.get(0);
      default -> {
        RelayListener[] all = copy.toArray(RelayListener[]::new);
        yield event -> {
          for (RelayListener listener : all) {
            listener.on(event);
          }
        };
      }
    };
  }
}
