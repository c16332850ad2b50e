package io.waybill.database;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;

/** {@link RowIds#timeOrdered}. A counter that overflows borrows from the ticks to come. */
final class TimeOrderedRowIds implements RowIds {
  private static final long START = Instant.parse("2024-01-01T00:00:00Z").toEpochMilli();
  private static final int TICK_BITS = 4;
  private static final int NODE_BITS = 16;
  private static final int COUNTER_BITS = 10;

  static final RowIds SYSTEM = RowIds.timeOrdered(new SecureRandom().nextInt(MAX_NODE + 1));

  private final long node;
  private final InstantSource clock;
  // Tick and counter in one number.
  private long last = -1;

  TimeOrderedRowIds(int node, InstantSource clock) {
    this.node = node;
    this.clock = clock;
  }

  @Override
  public synchronized long next() {
    long tick = Math.max(0, clock.millis() - START) >> TICK_BITS;
    last = Math.max(last + 1, tick << COUNTER_BITS);
    long counter = last & ((1L << COUNTER_BITS) - 1);
    return (last >> COUNTER_BITS) << (NODE_BITS + COUNTER_BITS) | node << COUNTER_BITS | counter;
  }
}
