package io.waybill.outbox;

/** Told that events were committed, so that a relay in the same process looks at once. */
@FunctionalInterface
public interface CommitNudge {
  /** Tells nobody; relays find events by polling. */
  CommitNudge NONE = () -> {};

  /** Wakes the relay; returns at once. Called by any thread. */
  void nudge();
}
