package io.waybill.relay;

/**
 * When to read next. While events arrive the pause is short; it grows with the time since the last
 * event, so that the pause is never more than a quarter of the silence before it.
 */
final class PollSchedule {
  private final long minNanos;
  private final long maxNanos;
  private long lastRows;
  private long nextRead;

  PollSchedule(EngineSettings settings, long now) {
    this.minNanos = settings.minPoll().toNanos();
    this.maxNanos = settings.maxPoll().toNanos();
    this.lastRows = now;
    this.nextRead = now;
  }

  void returned(boolean rows, boolean more, long now) {
    if (rows) {
      lastRows = now;
    }
    long pause = Math.max(minNanos, Math.min(maxNanos, (now - lastRows) / 4));
    nextRead = more ? now : now + pause;
  }

  void failed(long pause, long now) {
    nextRead = now + pause;
  }

  void soon(long now) {
    nextRead = now;
  }

  boolean due(long now) {
    return now - nextRead >= 0;
  }

  long deadline() {
    return nextRead;
  }
}
