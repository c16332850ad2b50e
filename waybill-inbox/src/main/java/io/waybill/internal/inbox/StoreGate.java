package io.waybill.internal.inbox;

import io.waybill.policy.Backoff;

/**
 * Whether the database is asked for anything. After a failure nobody asks until a pause is over;
 * then one piece of work goes ahead, and the others follow when it is answered.
 */
final class StoreGate {
  private final Backoff backoff;
  private int failures;
  private long until;

  StoreGate(Backoff backoff) {
    this.backoff = backoff;
  }

  /** Returns the pause in milliseconds, 0 if one is under way. */
  long failed(long now, long random) {
    // Those that were under way with the first one say nothing new.
    if (failures > 0 && now - until < 0) {
      return 0;
    }
    failures++;
    long delay = backoff.delayMillis(failures, random) + 1;
    until = now + delay * Timers.MILLI;
    return delay;
  }

  /** Returns whether it had been closed. */
  boolean answered() {
    boolean was = failures > 0;
    failures = 0;
    return was;
  }

  /** How many may ask at once. */
  int permits(long now, int workers) {
    if (failures == 0) {
      return workers;
    }
    return now - until >= 0 ? 1 : 0;
  }

  boolean open() {
    return failures == 0;
  }

  /** The end of a pause. */
  long deadline(long now) {
    return failures == 0 || now - until >= 0 ? Long.MAX_VALUE : until;
  }
}
