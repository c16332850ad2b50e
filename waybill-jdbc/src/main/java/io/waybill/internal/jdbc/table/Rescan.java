package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Place;
import io.waybill.internal.work.Ticker;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * When to rescan the rows before the reader's place. Rescans cost what is in flight, so full ones
 * run at every read as long as that is little. Otherwise one runs when rows are about to be
 * returned at the end of the table, or rows that are younger than the last rescan: then a row that
 * their writer saw committed could be missing. So a backlog is not rescanned all the time. A short
 * one, back to where the reader stood some seconds ago, runs when there are no rows. Used by one
 * thread.
 */
final class Rescan {
  private static final int FEW = 1000;
  private static final long QUICK_NANOS = 5_000_000;
  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final int PAUSE_FACTOR = 20;
  // Creation times may come from applications, whose clocks differ.
  private static final long SKEW_MICROS = 1_000_000;
  private static final long SHORT_NANOS = 10_000_000_000L;

  private final Ticker ticker;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private boolean quick = true;
  private long tookBefore;
  private long nextFull;
  private boolean scheduled;
  private long rescannedMicros = Long.MIN_VALUE;

  /** Where the reader stood. */
  private record Mark(long nanos, @Nullable Place place) {}

  Rescan(Ticker ticker) {
    this.ticker = ticker;
  }

  long now() {
    return ticker.nanos();
  }

  /** Whether all rows should be rescanned. */
  boolean fullDue() {
    return quick || !scheduled || now() - nextFull >= 0;
  }

  /** Whether rows created at some time can be behind a row that no rescan has looked for. */
  boolean unsafe(long youngestMicros) {
    return rescannedMicros == Long.MIN_VALUE || youngestMicros > rescannedMicros - SKEW_MICROS;
  }

  /** Where a short rescan begins: everything before was in place some seconds ago. */
  @Nullable Place shortFrom() {
    Mark first = marks.peekFirst();
    return first == null ? null : first.place();
  }

  void moved(@Nullable Place place) {
    long now = now();
    Mark last = marks.peekLast();
    if (last == null || now - last.nanos() > SHORT_NANOS / 10) {
      marks.addLast(new Mark(now, place));
    }
    while (marks.size() > 1 && now - second().nanos() > SHORT_NANOS) {
      marks.removeFirst();
    }
  }

  private Mark second() {
    return marks.stream().skip(1).findFirst().orElseThrow();
  }

  /** A rescan has ended that began after a time of the database. */
  void rescanned(long beganMicros) {
    rescannedMicros = beganMicros;
  }

  /** A full rescan has ended. */
  void rescannedAll(long beganNanos, int ids) {
    long now = now();
    long took = now - beganNanos;
    // One slow rescan can be a cold plan or a pause of the machine.
    long cost = Math.min(took, tookBefore);
    tookBefore = took;
    quick = ids < FEW && cost < QUICK_NANOS;
    nextFull = now + Math.max(PAUSE_NANOS, cost * PAUSE_FACTOR);
    scheduled = true;
  }

  /** What a rescan found was not all returned: the next look is a full one. */
  void again() {
    scheduled = false;
  }

  /** The reader begins at the start. */
  void restart() {
    marks.clear();
    marks.addLast(new Mark(now(), null));
    quick = true;
    // Another server's clock may be behind.
    rescannedMicros = Long.MIN_VALUE;
  }
}
