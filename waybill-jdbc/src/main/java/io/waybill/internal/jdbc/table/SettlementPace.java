package io.waybill.internal.jdbc.table;

import java.time.Duration;

/**
 * How many rows that take a statement each a transaction has, so that it keeps the session's row
 * for about half a second: the server and the network decide whether a statement takes 0.1 ms or
 * 20. Begins with few, doubles what was quick, and halves what was slow. Not thread-safe.
 */
final class SettlementPace {
  static final int FEWEST = 10;
  static final int FIRST = 50;
  static final int MOST = 500;
  static final Duration LONG = Duration.ofMillis(500);

  private int rows = FIRST;

  int rows() {
    return rows;
  }

  /**
   * Learns.
   *
   * @param settled rows of a transaction that took a statement each
   * @param nanos how long its statements took, without the commit: fewer rows do not shorten that
   */
  void took(int settled, long nanos) {
    if (nanos > LONG.toNanos() && settled > 0) {
      rows = Math.max(FEWEST, rows / 2);
    } else if (nanos < LONG.toNanos() / 2 && settled >= rows) {
      rows = Math.min(MOST, rows * 2);
    }
  }
}
