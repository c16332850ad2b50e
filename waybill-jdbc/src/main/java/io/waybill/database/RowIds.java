package io.waybill.database;

import java.time.Clock;
import java.time.InstantSource;

/**
 * Gives ids to rows of tables whose primary key is an integer without a default. Thread-safe. A
 * duplicate id makes the insert and the caller's transaction fail.
 */
@FunctionalInterface
public interface RowIds {
  /** Largest node number. */
  int MAX_NODE = (1 << 16) - 1;

  /**
   * The next id.
   *
   * @return positive number, larger than all that this source gave before
   */
  long next();

  /**
   * Ids that grow with time: 37 bits of 16 ms since 2024, 16 bits of a node, 10 bits of a counter.
   * They last until 2093. The node is chosen at random when the process starts; if there are many
   * writers on one table, give each a separate number, see {@link #timeOrdered(int)}.
   *
   * @return the source of this process
   */
  static RowIds timeOrdered() {
    return TimeOrderedRowIds.SYSTEM;
  }

  /**
   * The same for a given node.
   *
   * @param node number that no other writer on the table has, 0 to {@value #MAX_NODE}
   * @return a source
   * @throws IllegalArgumentException if the number is out of range
   */
  static RowIds timeOrdered(int node) {
    return timeOrdered(node, Clock.systemUTC());
  }

  /**
   * The same with another clock. If the clock goes back, the ids do not.
   *
   * @param node number that no other writer on the table has, 0 to {@value #MAX_NODE}
   * @param clock gives the milliseconds
   * @return a source
   * @throws IllegalArgumentException if the number is out of range
   */
  static RowIds timeOrdered(int node, InstantSource clock) {
    if (node < 0 || node > MAX_NODE) {
      throw new IllegalArgumentException(
          "The node must be from 0 to " + MAX_NODE + ", but is " + node);
    }
    return new TimeOrderedRowIds(node, clock);
  }
}
