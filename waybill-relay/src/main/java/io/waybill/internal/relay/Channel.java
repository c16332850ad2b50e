package io.waybill.internal.relay;

/** One line of effects to the database: at most one outstanding, a growing pause after failures. */
final class Channel {
  private static final long FIRST_PAUSE_NANOS = 100_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 2_000_000_000L;

  private boolean busy;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long retryAt = Long.MIN_VALUE;

  boolean free(long now) {
    return !busy && (retryAt == Long.MIN_VALUE || now - retryAt >= 0);
  }

  /** Whether it waits after a failure. */
  boolean pauses(long now) {
    return !busy && !free(now);
  }

  boolean busy() {
    return busy;
  }

  void started() {
    busy = true;
  }

  void answered() {
    busy = false;
    retryAt = Long.MIN_VALUE;
    pauseNanos = FIRST_PAUSE_NANOS;
  }

  void failed(long now) {
    busy = false;
    retryAt = now + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  /** When the channel may be used, or Long.MAX_VALUE while it is busy. */
  long deadline(long wanted) {
    if (busy) {
      return Long.MAX_VALUE;
    }
    return retryAt == Long.MIN_VALUE ? wanted : Math.max(wanted, retryAt);
  }
}
