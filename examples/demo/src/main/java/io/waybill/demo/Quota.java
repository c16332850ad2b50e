package io.waybill.demo;

/**
 * How many events are still to be committed, and when the next may be. Gives tickets; those of a
 * transaction that was rolled back come back. Thread-safe.
 */
final class Quota {
  private static final long SECOND = 1_000_000_000L;

  private final long nanosPerEvent;
  private int left;
  private int open;
  private long committed;
  private long rolledBack;
  private long next;
  private boolean stopped;

  Quota(int events, int rate, long nowNanos) {
    this.left = events;
    this.nanosPerEvent = SECOND / rate;
    this.next = nowNanos;
  }

  /** Takes up to as many tickets as wanted; none means: not now, or never again if it is over. */
  synchronized int take(int wanted) {
    int taken = stopped ? 0 : Math.min(wanted, left);
    left -= taken;
    open += taken;
    return taken;
  }

  /** The time at which events may be written; what was missed for over a second stays missed. */
  synchronized long reserve(int events, long nowNanos) {
    long at = Math.max(next, nowNanos - SECOND);
    next = at + events * nanosPerEvent;
    return at;
  }

  synchronized void commit(int tickets) {
    open -= tickets;
    committed += tickets;
  }

  synchronized void release(int tickets) {
    open -= tickets;
    left += tickets;
  }

  synchronized void rolledBack(int events) {
    rolledBack += events;
  }

  synchronized void stop() {
    stopped = true;
  }

  synchronized boolean over() {
    return open == 0 && (stopped || left == 0);
  }

  synchronized ShopProgress progress() {
    return new ShopProgress(committed, rolledBack);
  }
}
