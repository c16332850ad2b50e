package io.waybill.relay;

/**
 * When to read next. While events arrive the pause is short; it grows with the time since the last
 * event, so that the pause is never more than a quarter of the silence before it. A nudge reads at
 * once, but nudges in quick succession share a read: one read per nudge would spend the machine on
 * reads of single rows.
 */
final class PollSchedule {
  private static final long NUDGED_PAUSE_NANOS = 2_000_000L;

  private final long minNanos;
  private final long maxNanos;
  private long lastRows;
  private long lastRead;
  private long nextRead;
  private boolean nudged;

  PollSchedule(EngineSettings settings, long now) {
    this.minNanos = settings.minPoll().toNanos();
    this.maxNanos = settings.maxPoll().toNanos();
    this.lastRows = now;
    this.lastRead = now;
    this.nextRead = now;
  }

  /** A read begins: nudges from now on ask for the next one. */
  void started(long now) {
    lastRead = now;
    nudged = false;
  }

  void returned(boolean rows, boolean more, long now) {
    if (rows) {
      lastRows = now;
    }
    long pause = Math.max(minNanos, Math.min(maxNanos, (now - lastRows) / 4));
    nextRead = more ? now : now + pause;
    if (nudged) {
      nudge(now);
    }
  }

  /** An event was committed in this process. */
  void nudge(long now) {
    nudged = true;
    soon(Math.max(now, lastRead + NUDGED_PAUSE_NANOS));
  }

  void soon(long time) {
    if (nextRead - time > 0) {
      nextRead = time;
    }
  }

  boolean due(long now) {
    return now - nextRead >= 0;
  }

  long deadline() {
    return nextRead;
  }
}
