package io.waybill.demo;

/** Notices that nothing moves any more. Not thread-safe. */
final class Stall {
  private final long limitNanos;
  private long total = -1;
  private long since = System.nanoTime();

  Stall(long limitNanos) {
    this.limitNanos = limitNanos;
  }

  /** Whether deliveries did not go on for the limit, while nothing else was awaited. */
  boolean longSince(Progress progress, boolean onlyDeliveries) {
    long now = System.nanoTime();
    long sum = progress.written() + progress.published() + progress.consumed();
    if (sum != total || !onlyDeliveries) {
      total = sum;
      since = now;
    }
    return now - since > limitNanos;
  }
}
