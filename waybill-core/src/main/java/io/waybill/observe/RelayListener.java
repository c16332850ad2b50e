package io.waybill.observe;

import java.util.List;

/**
 * Told what a relay does. Called on the relay's own threads, several at once, often once per event:
 * implementations are thread-safe, return within microseconds and never block. A listener that
 * throws is logged by the relay once and otherwise ignored.
 */
@FunctionalInterface
public interface RelayListener {
  /** Listens to nothing. */
  RelayListener NONE = event -> {};

  /**
   * Something happened.
   *
   * @param event what happened
   */
  void on(RelayEvent event);

  /**
   * Several listeners as one, told in order.
   *
   * @param listeners the listeners
   * @return one that tells all
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
