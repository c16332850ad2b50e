package io.waybill.internal.relay;

import io.waybill.store.Polling;
import io.waybill.store.Polling.Rhythm;

/**
 * When to read next. With the adaptive rhythm the pause is short while events arrive; it grows with
 * the time since the last event, so that it is never more than a quarter of the silence before it.
 * A signal reads at once whatever the rhythm, but signals in quick succession share a read: one
 * read per signal would spend the machine on reads of single rows. Nothing is read before the
 * initial delay is over.
 */
final class PollSchedule {
  private static final long WOKEN_PAUSE_NANOS = 2_000_000L;

  private final Rhythm rhythm;
  private final int firstBatch;
  private final long first;
  private int batch;
  private long lastRows;
  private long lastRead;
  private long nextRead;
  private boolean nudged;

  PollSchedule(Polling polling, long now) {
    this.rhythm = polling.rhythm();
    this.firstBatch = polling.batch();
    this.batch = firstBatch;
    this.first = now + polling.initialDelay().toNanos();
    this.lastRows = now;
    this.lastRead = now;
    this.nextRead = first;
  }

  /** A read begins: signals from now on ask for the next one. */
  void started(long now) {
    lastRead = now;
    nudged = false;
  }

  void returned(boolean rows, boolean more, long now) {
    if (rows) {
      lastRows = now;
    }
    nextRead = more ? now : next(now);
    batch = more ? Math.min(2 * batch, Math.max(firstBatch, Polling.BATCH)) : firstBatch;
    if (nudged) {
      wake(now);
    }
  }

  private long next(long now) {
    if (rhythm instanceof Rhythm.FixedDelay fixed) {
      return now + fixed.pause().toNanos();
    }
    if (rhythm instanceof Rhythm.FixedRate fixed) {
      long period = fixed.period().toNanos();
      return now + period - Math.floorMod(now - first, period);
    }
    Rhythm.Adaptive adaptive = (Rhythm.Adaptive) rhythm;
    long quarter = (now - lastRows) / 4;
    return now + Math.max(adaptive.min().toNanos(), Math.min(adaptive.max().toNanos(), quarter));
  }

  /** An event was committed in this process. */
  void wake(long now) {
    nudged = true;
    soon(Math.max(now, lastRead + WOKEN_PAUSE_NANOS));
  }

  /** Whether a signal has come since the last read began. */
  boolean nudged() {
    return nudged;
  }

  /** The pause that has grown to its longest, or 0 while it has not or the rhythm has none. */
  long idlePause(long now) {
    return rhythm instanceof Rhythm.Adaptive adaptive
            && !nudged
            && (now - lastRows) / 4 >= adaptive.max().toNanos()
        ? adaptive.max().toNanos()
        : 0;
  }

  void soon(long time) {
    long earliest = time - first < 0 ? first : time;
    if (nextRead - earliest > 0) {
      nextRead = earliest;
    }
  }

  /** Most rows of the next read: in a backlog each takes twice as many as the one before. */
  int batch() {
    return batch;
  }

  boolean due(long now) {
    return now - nextRead >= 0;
  }

  long deadline() {
    return nextRead;
  }
}
