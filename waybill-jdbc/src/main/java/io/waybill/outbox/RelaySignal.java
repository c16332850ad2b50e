package io.waybill.outbox;

/** Wakes a relay in the same process after events were committed. */
@FunctionalInterface
public interface RelaySignal {
  /** Does nothing; relays find events by polling. */
  RelaySignal NONE = () -> {};

  /** Wakes the relay and returns immediately. Called by any thread. */
  void wake();
}
